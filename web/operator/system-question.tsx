import { useSignal, useSignalEffect } from '@preact/signals';
import type { Value } from '../shared/field-value.ts';
import { focusWhenDrawn } from '../shared/focus.ts';
import type { Box, CoverageMap, MapSettings, Overlay } from '../shared/map/map.ts';
import { MapPlace } from '../shared/map/map-place.tsx';
import type { SystemChoice } from '../shared/schemas.ts';
import { TextField } from '../shared/ui/fields.tsx';

/** Where nothing is known of where a file would lie: what files of the country are written in. */
const usual: readonly (Pick<SystemChoice, 'crs' | 'name'> & Partial<SystemChoice>)[] = [
  { crs: 'EPSG:2193', name: 'NZTM2000' },
  { crs: 'EPSG:27200', name: 'New Zealand Map Grid (NZMG)' },
  { crs: 'EPSG:4326', name: 'WGS 84, longitude and latitude' },
  { crs: 'EPSG:4272', name: 'NZGD49, longitude and latitude' },
];

export interface SystemQuestionProps {
  settings: MapSettings;
  choices: readonly SystemChoice[];
  /** `EPSG:2193`; '' as long as an own one is not complete. */
  value: Value<string>;
  error?: string | undefined;
}

/** Which reference system a file is in that does not say so: each choice with the place where the file would lie. */
export function SystemQuestion({ settings, choices, value, error }: SystemQuestionProps) {
  const wantsOther = useSignal(false);
  const offered = choices.length > 0 ? choices : usual;
  const chosen = value.value;
  const isOffered = offered.some(({ crs }) => crs === chosen);
  const isOther = !isOffered && (wantsOther.value || chosen !== '');
  const all = [
    ...offered.map((one) => ({ crs: one.crs, label: one.name, hint: placeWords(one) })),
    { crs: 'other', label: 'Another one', hint: 'By its code in the EPSG register' },
  ];
  const code: Value<string> = {
    get value() {
      return chosen.replace(/^EPSG:/, '');
    },
    set value(text) {
      const digits = text.trim().replace(/^epsg:/i, '');
      value.value = digits ? `EPSG:${digits}` : '';
    },
  };
  return (
    <fieldset class="system-question" id="crs" tabIndex={-1}>
      <legend>Coordinate system (CRS)</legend>
      <p class="hint">
        Not stated in the file. Choose the one under which the file lies where your coverage is.
      </p>
      <div class="system-parts">
        <div class="stack small-gap">
          <div class="choices">
            {all.map(({ crs, label, hint }) => (
              <label class="choice" key={crs}>
                <input
                  type="radio"
                  name="crs"
                  id={`crs-${crs.replace(':', '-')}`}
                  value={crs}
                  checked={crs === 'other' ? isOther : crs === chosen}
                  onChange={() => {
                    wantsOther.value = crs === 'other';
                    value.value = crs === 'other' ? '' : crs;
                    if (crs === 'other') focusWhenDrawn('crs-other-code');
                  }}
                />
                <span>
                  {label}
                  <span class="hint">{hint}</span>
                </span>
              </label>
            ))}
          </div>
          {isOther && (
            <TextField
              label="EPSG code"
              name="crs-other-code"
              hint="e.g. 2193. The program that made the file shows it."
              inputMode="numeric"
              class="short"
              value={code}
            />
          )}
          {error && <p class="field-error">{error}</p>}
        </div>
        {choices.length > 0 && <ChoicesMap settings={settings} choices={choices} value={value} />}
      </div>
    </fieldset>
  );
}

function ChoicesMap({ settings, choices, value }: Omit<SystemQuestionProps, 'error'>) {
  const map = useSignal<CoverageMap | undefined>(undefined);
  const likely = choices.filter(({ likely: one }) => one);
  const start = unionOf((likely.length > 0 ? likely : choices).map(({ bbox }) => bbox));
  useSignalEffect(() => {
    map.value?.show('systems', boxesOverlay(choices, value.value));
    const box = choices.find(({ crs }) => crs === value.value)?.bbox;
    if (box) map.value?.fit(wider(box), 9);
  });
  return (
    <div class="system-map">
      <MapPlace
        label="Where the file would lie"
        settings={settings}
        options={{ start: wider(start) }}
        onReady={(ready) => {
          map.value = ready;
        }}
      />
      <p class="hint">Each box is where the file would lie; the filled one is your choice.</p>
    </div>
  );
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
