import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { asValue, set, type Value } from '../shared/field-value.ts';
import { focusWhenDrawn } from '../shared/focus.ts';
import { type Box, boundsOf } from '../shared/map/box.ts';
import type { Overlay } from '../shared/map/map.ts';
import { MapPlace } from '../shared/map/map-place.tsx';
import type { ReferenceSystemChoice } from '../shared/schemas.ts';
import { RadioChoices, TextField } from '../shared/ui/fields.tsx';
import { catalog } from './context.ts';
import { useMap } from './with-map.tsx';

/** The usual systems of the country, for files of unknown place. */
const usual: readonly (Pick<ReferenceSystemChoice, 'crs' | 'name'> & Partial<ReferenceSystemChoice>)[] = [
  { crs: 'EPSG:2193', name: 'NZTM2000' },
  { crs: 'EPSG:27200', name: 'New Zealand Map Grid (NZMG)' },
  { crs: 'EPSG:4326', name: 'WGS 84, longitude and latitude' },
  { crs: 'EPSG:4272', name: 'NZGD49, longitude and latitude' },
];

interface SystemQuestionProps {
  choices: readonly ReferenceSystemChoice[];
  /** The systems that the file names, to be chosen as they are. */
  stated?: readonly string[];
  /** True where no part of the file lies in the service area in any of those. */
  isElsewhere?: boolean;
  /** As in `EPSG:2193`; '' while a typed one is incomplete. */
  value: Value<string>;
  error?: string | undefined;
}

/** Asks for the reference system of a file without one, or with one that puts it elsewhere: each choice shows where the file would lie. */
export function SystemQuestion({ choices, stated = [], isElsewhere, value, error }: SystemQuestionProps) {
  const wantsOther = useSignal(false);
  const offered = choices.length > 0 ? choices : usual;
  const isOffered = offered.some(({ crs }) => crs === value.value);
  const isOther = !isOffered && (wantsOther.value || value.value !== '');
  const choice = asValue(isOther ? 'other' : value.value, (crs) => {
    wantsOther.value = crs === 'other';
    value.value = crs === 'other' ? '' : crs;
    if (crs === 'other') focusWhenDrawn('crs-other-code');
  });
  const code = asValue(value.value.replace(/^EPSG:/, ''), (text) => {
    const digits = text.trim().replace(/^epsg:/i, '');
    value.value = digits ? `EPSG:${digits}` : '';
  });
  return (
    <fieldset class="stack tight" id="crs" tabIndex={-1}>
      <legend>Coordinate system (CRS)</legend>
      <p class="hint">
        {isElsewhere
          ? 'In the one that the file states, nothing of it lies in the service area.'
          : stated.length > 0
            ? 'The one that the file states counts where the file lies in the service area.'
            : 'Not stated in the file.'}{' '}
        Choose the one under which the file lies where your coverage is.
      </p>
      <div class="system-parts">
        <div class="stack small-gap">
          <RadioChoices
            name="crs"
            options={[
              ...(stated.length > 0 ? [['', 'As the file states', names(stated)] as const] : []),
              ...offered.map((one) => [one.crs, one.name, placeWords(one)] as const),
              ['other', 'Another one', 'By its code in the EPSG register'],
            ]}
            value={choice}
          />
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
        {choices.length > 0 && <ChoicesMap choices={choices} chosen={value.value} />}
      </div>
    </fieldset>
  );
}

const names = (stated: readonly string[]) => stated.map((name) => name.replaceAll('_', ' ')).join(', ');

function ChoicesMap({ choices, chosen }: { choices: readonly ReferenceSystemChoice[]; chosen: string }) {
  const map = useMap();
  const likely = choices.filter(({ likely: one }) => one);
  const start = boundsOf((likely.length > 0 ? likely : choices).map(({ bbox }) => bbox));
  useEffect(() => {
    map.value?.show('systems', boxesOverlay(choices, chosen));
    const box = choices.find(({ crs }) => crs === chosen)?.bbox;
    if (box) map.value?.fit(wider(box), 9);
  }, [map.value, choices, chosen]);
  return (
    <div class="stack tight system-map">
      <MapPlace
        label="Where the file would lie"
        settings={catalog()}
        options={{ start: start && wider(start) }}
        onReady={(ready) => set(map, ready)}
      />
      <p class="hint">Each box is where the file would lie; the filled one is your choice.</p>
    </div>
  );
}

function placeWords(choice: Pick<ReferenceSystemChoice, 'crs'> & Partial<ReferenceSystemChoice>): string {
  if (!choice.bbox) return choice.crs;
  const [west, south, east, north] = choice.bbox;
  const at = `${position((south + north) / 2, 'N', 'S')}, ${position((west + east) / 2, 'E', 'W')}`;
  return choice.likely ? `In the service area: about ${at}` : `Outside the service area: about ${at}`;
}

function position(degrees: number, positive: string, negative: string): string {
  return `${Math.abs(degrees).toFixed(1)}° ${degrees < 0 ? negative : positive}`;
}

/** Adds land around it, so that people recognise the place. */
function wider([west, south, east, north]: Box): Box {
  const margin = Math.max(0.3, (east - west) / 2, (north - south) / 2);
  return [west - margin, Math.max(-85, south - margin), east + margin, Math.min(85, north + margin)];
}

function boxesOverlay(choices: readonly ReferenceSystemChoice[], chosen: string): Overlay {
  const features = choices.map(({ crs, name, bbox: [w, s, e, n] }) => ({
    type: 'Feature' as const,
    properties: { name, chosen: crs === chosen },
    geometry: {
      type: 'Polygon' as const,
      coordinates: [
        [
          [w, s],
          [e, s],
          [e, n],
          [w, n],
          [w, s],
        ],
      ],
    },
  }));
  return {
    sources: { systems: { type: 'geojson', data: { type: 'FeatureCollection', features } } },
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
