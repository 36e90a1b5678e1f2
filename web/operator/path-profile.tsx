import { type Signal, useSignal } from '@preact/signals';
import { api } from '../shared/client.ts';
import { asValue, set } from '../shared/field-value.ts';
import type { ModellingReport, PathProfile } from '../shared/schemas.ts';
import { Select } from '../shared/ui/fields.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import { useResource } from '../shared/use-resource.ts';
import { number, speed } from '../shared/words.ts';

export interface Place {
  lat: number;
  lng: number;
}

interface PathProfileProps {
  submissionId: string;
  report: ModellingReport;
  place: Signal<Place | undefined>;
}

/** The ground from a tower to the place that was clicked on the map, and the loss on the way. */
export function PathProfileView({ submissionId, report, place }: PathProfileProps) {
  /** Another than the nearest, if somebody wants that. */
  const chosen = useSignal<string | undefined>(undefined);
  if (!place.value) return <p class="hint">Click the map for the terrain between a tower and that place.</p>;
  const tower = chosen.value ?? nearest(report, place.value);
  return (
    <div class="path-profile stack small-gap">
      <Select
        label="Terrain from"
        name="profile-tower"
        options={report.towers.map(({ name }, i) => [String(i + 1), name ?? `Tower ${i + 1}`] as const)}
        value={asValue(
          () => tower,
          (wanted) => set(chosen, wanted),
        )}
      />
      <OneProfile
        key={`${tower} ${place.value.lat} ${place.value.lng}`}
        {...{ submissionId, report, tower }}
        place={place.value}
      />
    </div>
  );
}

function nearest({ towers }: ModellingReport, { lat, lng }: Place): string {
  const squares = towers.map(
    (one) => (one.lat - lat) ** 2 + ((one.lng - lng) * Math.cos((lat * Math.PI) / 180)) ** 2,
  );
  return String(squares.indexOf(Math.min(...squares)) + 1);
}

interface OneProfileProps {
  submissionId: string;
  report: ModellingReport;
  tower: string;
  place: Place;
}

function OneProfile({ submissionId, report, tower, place }: OneProfileProps) {
  const profile = useResource(() =>
    api.get('/api/operator/submissions/{id}/profile', {
      path: { id: submissionId },
      query: { tower: Number(tower), lat: Number(place.lat.toFixed(6)), lng: Number(place.lng.toFixed(6)) },
    }),
  );
  return (
    <Loaded of={profile}>
      {(found) => (
        <>
          <Drawing profile={found} />
          <p class="small">{sentence(found, report)}</p>
        </>
      )}
    </Loaded>
  );
}

function sentence(profile: PathProfile, { speeds }: ModellingReport): string {
  const { distance_m, in_sight, loss_db, free_space_db, received_dbm } = profile;
  const distance = `${(distance_m / 1000).toFixed(1)} km, ${in_sight ? 'in sight' : 'behind the terrain'}`;
  if (loss_db === null || received_dbm === null) return `${distance}: the model cannot say what is received.`;
  const gives = speeds.find(({ dbm }) => received_dbm >= (dbm as number))?.bandwidth_max_mbps;
  return [
    `${distance}: ${received_dbm.toFixed(0)} dBm received,`,
    gives === undefined ? 'too weak for any speed.' : `enough for ${speed(gives)}.`,
    `Loss ${loss_db.toFixed(0)} dB, ${Math.max(0, loss_db - free_space_db).toFixed(0)} dB more than in free space.`,
  ].join(' ');
}

/** Of the drawing. */
const [width, height, margin] = [640, 200, 8];

/** The ground over the curved earth, the line of sight, and around it the first Fresnel zone, in which nothing should stand. */
function Drawing({ profile }: { profile: PathProfile }) {
  const { ground_m, distance_m, curvature_per_m, wavelength_m, antenna_m, receiver_m } = profile;
  const last = ground_m.length - 1;
  const at = (i: number) => (i / last) * distance_m;
  const ground = ground_m.map((one, i) => one + (curvature_per_m / 2) * at(i) * (distance_m - at(i)));
  const [from, to] = [(ground[0] as number) + antenna_m, (ground[last] as number) + receiver_m];
  const sight = ground.map((_, i) => from + (to - from) * (i / last));
  const zone = ground.map((_, i) => Math.sqrt((wavelength_m * at(i) * (distance_m - at(i))) / distance_m));
  const [low, high] = [
    Math.min(...ground),
    Math.max(...ground, ...sight.map((one, i) => one + (zone[i] as number))),
  ];
  const x = (i: number) => (i / last) * width;
  const y = (metres: number) =>
    height - margin - ((metres - low) / Math.max(1, high - low)) * (height - 2 * margin);
  const line = (heights: readonly number[]) =>
    heights.map((one, i) => `${x(i).toFixed(1)},${y(one).toFixed(1)}`).join(' ');
  const upper = sight.map((one, i) => one + (zone[i] as number));
  const lower = sight.map((one, i) => one - (zone[i] as number));
  const back = lower
    .map((one, i) => `${x(i).toFixed(1)},${y(one).toFixed(1)}`)
    .reverse()
    .join(' ');
  return (
    <figure class="profile-drawing">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Terrain of ${(distance_m / 1000).toFixed(1)} km, from ${number(Math.min(...ground_m))} to ${number(Math.max(...ground_m))} m high`}
      >
        <polygon class="fresnel" points={`${line(upper)} ${back}`} />
        <polygon class="ground" points={`0,${height} ${line(ground)} ${width},${height}`} />
        <polyline class="sight" points={line(sight)} />
      </svg>
      <figcaption class="small muted">
        <span>{`${number(ground_m[0] as number)} m, antenna ${number(antenna_m)} m above it`}</span>
        <span>{`highest ground ${number(Math.max(...ground_m))} m`}</span>
        <span>{`${number(ground_m[last] as number)} m`}</span>
      </figcaption>
    </figure>
  );
}
