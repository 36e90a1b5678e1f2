import '../shared/map/colours.ts';
import { h } from '../shared/dom.ts';
import { checkbox } from '../shared/fields.ts';
import { technologyPatterns } from './overlay.ts';

/** The layers, each with its colour and pattern, to be switched on and off; and what filled and not filled mean. */
export function layerSwitches(
  technologies: readonly { name: string; label: string }[],
  hidden: readonly string[],
  change: (hidden: string[]) => void,
): HTMLElement {
  const off = new Set(hidden);
  return h(
    'fieldset',
    { class: 'layers' },
    h('legend', {}, 'On the map'),
    h(
      'div',
      { class: 'layer-list' },
      ...technologies.map(({ name, label }, i) => {
        const box = checkbox(`layer-${name}`, label, !off.has(name), (isShown) => {
          if (isShown) off.delete(name);
          else off.add(name);
          change([...off]);
        });
        box.append(sample(i, false));
        return box;
      }),
    ),
    h(
      'ul',
      { class: 'layer-meaning', 'aria-label': 'What the fill says' },
      h('li', {}, sample(0, false), 'available now'),
      h('li', {}, sample(0, true), 'planned or being built'),
    ),
  );
}

/** A piece of a layer. */
function sample(order: number, isLater: boolean): HTMLElement {
  const pattern = technologyPatterns[order % technologyPatterns.length];
  return h('span', {
    class: `layer-sample pattern-${pattern} technology-${order % technologyPatterns.length}${isLater ? ' later' : ''}`,
    'aria-hidden': 'true',
  });
}
