import { fieldOf, isIn, type Value } from '../shared/field-value.ts';
import { technologyColour } from '../shared/map/colours.ts';
import { SpeedLegend } from '../shared/map/legend.tsx';
import { Checkbox, Select } from '../shared/ui/fields.tsx';
import type { ViewAddress } from './address.ts';

interface MapLayersProps {
  technologies: readonly { name: string; label: string }[];
  providers: readonly string[];
  choices: Value<ViewAddress>;
}

/** The legend of the map, and the choice of areas to outline. */
export function MapLayers({ technologies, providers, choices }: MapLayersProps) {
  return (
    <>
      <SpeedLegend title="Best download speed available" />
      <fieldset class="small-gap">
        <legend>Outline on the map</legend>
        <div class="layer-list">
          {technologies.map(({ name, label }, i) => (
            <Checkbox key={name} name={`layer-${name}`} value={isIn(fieldOf(choices, 'shown'), name)}>
              {label}
              <span class="layer-sample" style={{ '--colour': technologyColour(i) }} aria-hidden="true" />
            </Checkbox>
          ))}
        </div>
        <Select
          label="Of the provider"
          name="provider"
          options={[['', 'All providers'], ...providers.map((name): [string, string] => [name, name])]}
          value={fieldOf(choices, 'provider')}
        />
        <Checkbox name="planned" value={fieldOf(choices, 'planned')}>
          Planned or under construction
        </Checkbox>
      </fieldset>
    </>
  );
}
