import { type ReadonlySignal, type Signal, useComputed, useSignal } from '@preact/signals';
import { bearing } from '@turf/bearing';
import { distance } from '@turf/distance';
import { api } from '../shared/client.ts';
import { asValue, set } from '../shared/field-value.ts';
import { type Position, rounded } from '../shared/position.ts';
import type { ModellingReport, PathProfile } from '../shared/schemas.ts';
import { Select } from '../shared/ui/fields.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { number, speed } from '../shared/words.ts';
import type { Towers } from './tower-layers.ts';

interface PathProfileProps {
  submissionId: string;
  report: ModellingReport;
  towers: ReadonlySignal<Towers | undefined>;
  place: Signal<Position | undefined>;
}

/** The ground from a tower to the chosen place, and the path loss. */
export function PathProfileView({ submissionId: id, report, towers, place }: PathProfileProps) {
  /** A tower other than the nearest. */
  const chosen = useSignal('');
  const tower = useComputed(
    () => chosen.value || (place.value ? nearest(report, towers.value, place.value) : ''),
  );
  const profile = useResource(async () => {
    const [at, from] = [place.value, Number(tower.value)];
    if (!at) return undefined;
    const query = { tower: from, ...rounded(at) };
    return api.get('/api/operator/submissions/{id}/profile', { path: { id }, query });
  });
  if (!place.value) return <p class="hint">Click the map for the terrain between a tower and that place.</p>;
  return (
    <div class="path-profile wide stack small-gap">
      <Select
        label="Terrain from"
        name="profile-tower"
        hint={chosen.value === '' && 'The nearest; another one may be stronger here.'}
        options={report.towers.map(({ name }, i) => [String(i + 1), name ?? `Tower ${i + 1}`] as const)}
        value={asValue(tower.value, (wanted) => set(chosen, wanted))}
      />
      <div aria-live="polite">
        <Loaded of={profile}>
          {(found) =>
            found && (
              <>
                <Drawing profile={found} />
                <p class="small">{sentence(found, report)}</p>
              </>
            )
          }
        </Loaded>
      </div>
    </div>
  );
}

/** The number of the nearest tower; of a mast's sectors, the one that points there. */
function nearest({ towers }: ModellingReport, drawn: Towers | undefined, { lat, lng }: Position): string {
  const ranks = towers.map((one, i) => {
    const mast = [one.lng, one.lat];
    const azimuth = drawn?.features[i]?.properties.azimuth_deg ?? undefined;
    const turn =
      azimuth === undefined ? 0 : Math.abs(((bearing(mast, [lng, lat]) - azimuth + 900) % 360) - 180);
    return { number: i + 1, away: distance(mast, [lng, lat]), turn };
  });
  const best = ranks.reduce((a, b) => (b.away < a.away || (b.away === a.away && b.turn < a.turn) ? b : a));
  return String(best.number);
}

function sentence(profile: PathProfile, { speeds }: ModellingReport): string {
  const { distance_m, in_sight, loss_db, free_space_db, clutter, received_dbm } = profile;
  const distance = `${(distance_m / 1000).toFixed(1)} km, ${in_sight ? 'in line of sight' : 'no line of sight'}`;
  if (loss_db === null || received_dbm === null)
    return `${distance}: the model gives no signal for this path.`;
  const gives = speeds.find(({ dbm }) => received_dbm >= dbm)?.bandwidth_max_mbps;
  return [
    `${distance}: ${received_dbm.toFixed(0)} dBm received from it,`,
    gives === undefined ? 'too weak for any speed.' : `enough for ${speed(gives)}.`,
    `Path loss ${loss_db.toFixed(0)} dB, ${Math.max(0, loss_db - free_space_db).toFixed(0)} dB more than in free space.`,
    clutter &&
      clutter.loss_db > 0 &&
      `Land cover (${clutter.name ?? 'without a name'}): ${clutter.loss_db.toFixed(0)} dB more.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const [width, height, margin] = [640, 200, 8];
const zonePoints = 64;

/** The ground over the curved earth, the line of sight, and around it the first Fresnel zone, which should be free. */
function Drawing({ profile }: { profile: PathProfile }) {
  const { ground_m, distance_m, curvature_per_m, wavelength_m, antenna_m, receiver_m } = profile;
  const last = ground_m.length - 1;
  const at = (i: number) => (i / last) * distance_m;
  const ground = ground_m.map((one, i) => one + (curvature_per_m / 2) * at(i) * (distance_m - at(i)));
  const [from, to] = [(ground[0] as number) + antenna_m, (ground[last] as number) + receiver_m];
  /** The zone's outline, with denser points towards its round ends. */
  const zone = Array.from({ length: 2 * zonePoints }, (_, i) => {
    const angle = (Math.PI * i) / zonePoints;
    const share = (1 - Math.cos(angle)) / 2;
    const radius = (Math.sqrt(wavelength_m * distance_m) / 2) * Math.sin(angle);
    return { share, metres: from + (to - from) * share + radius };
  });
  const [low, high] = [Math.min(...ground), Math.max(...ground, ...zone.map(({ metres }) => metres))];
  const point = (share: number, metres: number) => {
    const y = height - margin - ((metres - low) / Math.max(1, high - low)) * (height - 2 * margin);
    return `${(share * width).toFixed(1)},${y.toFixed(1)}`;
  };
  const surface = ground.map((one, i) => point(i / last, one)).join(' ');
  return (
    <figure class="profile-drawing">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Terrain of ${(distance_m / 1000).toFixed(1)} km, from ${number(Math.min(...ground_m))} to ${number(Math.max(...ground_m))} m high`}
      >
        <polygon class="fresnel" points={zone.map((one) => point(one.share, one.metres)).join(' ')} />
        <polygon class="ground" points={`0,${height} ${surface} ${width},${height}`} />
        <polyline class="sight" points={`${point(0, from)} ${point(1, to)}`} />
      </svg>
      <figcaption class="small muted">
        <span>{`Tower: ground ${metres(ground_m[0])}, antenna ${metres(antenna_m)} above it`}</span>
        <span>{`Highest ground: ${metres(Math.max(...ground_m))}`}</span>
        <span>{`Place: ground ${metres(ground_m[last])}, receiver ${metres(receiver_m)} above it`}</span>
        <span>
          Line: line of sight over the curved earth. Around it: first Fresnel zone. Heights exaggerated.
        </span>
      </figcaption>
    </figure>
  );
}

const metres = (value = 0) => `${number(Math.round(value))} m`;
