import '../shared/map/colours.ts';
import { isIn, type Value } from '../shared/field-value.ts';
import { Checkbox } from '../shared/ui/fields.tsx';
import { technologyPatterns } from './overlay.ts';

export interface LayerSwitchesProps {
  technologies: readonly { name: string; label: string }[];
  shown: Value<readonly string[]>;
}

/** The layers, each with its colour and pattern, to be switched on and off; and what filled and not filled mean. */
export function LayerSwitches({ technologies, shown }: LayerSwitchesProps) {
  return (
    <fieldset class="small-gap">
      <legend>Map layers</legend>
      <div class="layer-list">
        {technologies.map(({ name, label }, i) => (
          <Checkbox key={name} name={`layer-${name}`} value={isIn(shown, name)}>
            {label}
            <Sample order={i} />
          </Checkbox>
        ))}
      </div>
      <ul class="bare-list row layer-meaning" aria-label="What the fill means">
        <li class="row">
          <Sample order={0} />
          available now
        </li>
        <li class="row">
          <Sample order={0} isLater />
          planned or under construction
        </li>
      </ul>
    </fieldset>
  );
}

/** A piece of a layer. */
function Sample({ order, isLater }: { order: number; isLater?: boolean }) {
  const i = order % technologyPatterns.length;
  const look = `layer-sample pattern-${technologyPatterns[i]}`;
  const style = { '--colour': `var(--map-technologies-${i})` };
  return <span class={isLater ? `${look} later` : look} style={style} aria-hidden="true" />;
}
