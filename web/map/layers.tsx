import '../shared/map/colours.ts';
import { isIn, type Value } from '../shared/field-value.ts';
import { SpeedLegend } from '../shared/map/legend.tsx';
import { Checkbox, Select } from '../shared/ui/fields.tsx';

export interface OutlineChoicesProps {
  technologies: readonly { name: string; label: string }[];
  providers: readonly string[];
  /** Names of technologies. */
  shown: Value<readonly string[]>;
  provider: Value<string>;
  planned: Value<boolean>;
}

/** The legend of the map, and the choice of areas to outline. */
export function MapLayers({ technologies, providers, shown, provider, planned }: OutlineChoicesProps) {
  return (
    <>
      <SpeedLegend title="Best download speed available" />
      <fieldset class="small-gap">
        <legend>Outline on the map</legend>
        <div class="layer-list">
          {technologies.map(({ name, label }, i) => (
            <Checkbox key={name} name={`layer-${name}`} value={isIn(shown, name)}>
              {label}
              <span
                class="layer-sample"
                style={{ '--colour': `var(--map-technologies-${i})` }}
                aria-hidden="true"
              />
            </Checkbox>
          ))}
        </div>
        <Select
          label="Of the provider"
          name="provider"
          options={[['', 'All providers'], ...providers.map((name): [string, string] => [name, name])]}
          value={provider}
        />
        <Checkbox name="planned" value={planned}>
          Planned or under construction
        </Checkbox>
      </fieldset>
    </>
  );
}
