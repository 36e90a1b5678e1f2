import { fill, h } from '../shared/dom.ts';
import { field, textInput } from '../shared/fields.ts';
import type { Box, MapSettings, Overlay } from '../shared/map/map.ts';
import { type MapPlace, showMap } from '../shared/map/show.ts';
import type { SystemChoice } from '../shared/types.ts';

/** Where nothing is known of where a file would lie: what files of the country are written in. */
const usual: readonly Pick<SystemChoice, 'crs' | 'name'>[] = [
  { crs: 'EPSG:2193', name: 'NZTM2000' },
  { crs: 'EPSG:27200', name: 'New Zealand Map Grid (NZMG)' },
  { crs: 'EPSG:4326', name: 'WGS 84, longitude and latitude' },
  { crs: 'EPSG:4272', name: 'NZGD49, longitude and latitude' },
];

export interface SystemQuestion {
  element: HTMLElement;
  show(choices: readonly SystemChoice[], chosen: string, error?: string): void;
  remove(): void;
}

/**
 * Which reference system a file is in that does not say so: each choice with the place where the file would lie.
 * @param choose told of the choice, `EPSG:2193`; '' as long as an own one is not complete
 */
export function systemQuestion(settings: MapSettings, choose: (crs: string) => void): SystemQuestion {
  const element = h('fieldset', { class: 'system-question', id: 'crs', tabindex: '-1' });
  const choicesPart = h('div', { class: 'choices' });
  const otherPart = h('div', {});
  const errorPart = h('div', {});
  const mapPart = h('div', { class: 'system-map' });
  let place: MapPlace | undefined;
  let shown: readonly SystemChoice[] = [];
  let isOther = false;

  fill(
    element,
    h('legend', {}, 'Coordinate system (CRS)'),
    h(
      'p',
      { class: 'hint' },
      'The file does not say which one it is in. Choose the one under which it lies where your coverage is.',
    ),
    h(
      'div',
      { class: 'system-parts' },
      h('div', { class: 'stack small-gap' }, choicesPart, otherPart, errorPart),
      mapPart,
    ),
  );

  function choice(value: string, label: string, hint: string, isChosen: boolean): HTMLElement {
    const id = `crs-${value.replace(':', '-')}`;
    return h(
      'label',
      { class: 'choice' },
      h('input', {
        type: 'radio',
        name: 'crs',
        id,
        value,
        checked: isChosen,
        onchange: () => {
          isOther = value === 'other';
          choose(isOther ? '' : value);
          show(shown, isOther ? '' : value);
          document.getElementById(isOther ? 'crs-other-code' : id)?.focus();
        },
      }),
      h('span', {}, label, h('span', { class: 'hint' }, hint)),
    );
  }

  function show(choices: readonly SystemChoice[], chosen: string, error?: string): void {
    shown = choices;
    const offered = choices.length > 0 ? choices : usual;
    isOther ||= chosen !== '' && !offered.some(({ crs }) => crs === chosen);
    if (offered.some(({ crs }) => crs === chosen)) isOther = false;
    fill(
      choicesPart,
      ...offered.map((one) => choice(one.crs, one.name, placeWords(one), one.crs === chosen)),
      choice('other', 'Another one', 'By its code in the EPSG register', isOther),
    );
    fill(otherPart, isOther && otherField(chosen));
    fill(errorPart, error && h('p', { class: 'field-error' }, error));
    drawMap(choices, chosen);
  }

  function otherField(chosen: string): HTMLElement {
    const code = textInput(
      'crs-other-code',
      chosen.replace(/^EPSG:/, ''),
      (text) => {
        const digits = text.trim().replace(/^epsg:/i, '');
        choose(digits ? `EPSG:${digits}` : '');
      },
      { inputmode: 'numeric', autocomplete: 'off', class: 'short' },
    );
    return field('EPSG code', code, { hint: 'Such as 2193. The program that made the file shows it.' });
  }

  function drawMap(choices: readonly SystemChoice[], chosen: string): void {
    mapPart.hidden = choices.length === 0;
    if (choices.length === 0) return;
    const likely = choices.filter(({ likely: one }) => one);
    const start = unionOf((likely.length > 0 ? likely : choices).map(({ bbox }) => bbox));
    if (!place) {
      place = showMap('Where the file would lie', settings, { start: wider(start) });
      fill(
        mapPart,
        place.element,
        h('p', { class: 'hint' }, 'Each box is where the file would lie; the filled one is your choice.'),
      );
    }
    void place.ready.then((map) => {
      if (!map) return;
      map.show('systems', boxesOverlay(choices, chosen));
      const box = choices.find(({ crs }) => crs === chosen)?.bbox;
      if (box) map.fit(wider(box), 9);
    });
  }

  return { element, show, remove: () => place?.remove() };
}

function placeWords(one: Pick<SystemChoice, 'crs'> & Partial<SystemChoice>): string {
  if (!one.bbox) return one.crs;
  const [west, south, east, north] = one.bbox;
  const at = `${position((south + north) / 2, 'N', 'S')}, ${position((west + east) / 2, 'E', 'W')}`;
  return one.likely ? `In the service area: about ${at}` : `Outside the service area: about ${at}`;
}

function position(degrees: number, positive: string, negative: string): string {
  return `${Math.abs(degrees).toFixed(1)}° ${degrees < 0 ? negative : positive}`;
}

function unionOf(boxes: readonly Box[]): Box {
  return [
    Math.min(...boxes.map(([west]) => west)),
    Math.min(...boxes.map(([, south]) => south)),
    Math.max(...boxes.map(([, , east]) => east)),
    Math.max(...boxes.map(([, , , north]) => north)),
  ];
}

/** With land around it, by which one knows the place. */
function wider([west, south, east, north]: Box): Box {
  const margin = Math.max(0.3, (east - west) / 2, (north - south) / 2);
  return [west - margin, Math.max(-85, south - margin), east + margin, Math.min(85, north + margin)];
}

function boxesOverlay(choices: readonly SystemChoice[], chosen: string): Overlay {
  return {
    sources: {
      systems: {
        type: 'geojson',
        data: {
          type: 'FeatureCollection',
          features: choices.map(({ crs, name, bbox: [west, south, east, north] }) => ({
            type: 'Feature',
            properties: { name, chosen: crs === chosen },
            geometry: {
              type: 'Polygon',
              coordinates: [
                [
                  [west, south],
                  [east, south],
                  [east, north],
                  [west, north],
                  [west, south],
                ],
              ],
            },
          })),
        },
      },
    },
    layers: (colours) => [
      {
        id: 'systems-fill',
        type: 'fill',
        source: 'systems',
        filter: ['get', 'chosen'],
        paint: { 'fill-color': colours.gained, 'fill-opacity': 0.35 },
      },
      {
        id: 'systems-outline',
        type: 'line',
        source: 'systems',
        paint: {
          'line-color': ['case', ['get', 'chosen'], colours.gained, colours.lost],
          'line-width': ['case', ['get', 'chosen'], 3, 2],
        },
      },
    ],
  };
}
