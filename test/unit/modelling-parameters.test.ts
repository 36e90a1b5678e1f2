import { antennaOf } from '@covermap/propagation/antenna.ts';
import { classOf } from '@covermap/propagation/class-rows.ts';
import { PointToPoint } from '@covermap/propagation/itm/itm.ts';
import { predictRadial, radialGrid, radialOf, sampleProfile } from '@covermap/propagation/radials.ts';
import { modelParameters } from '@covermap/propagation/sites.ts';
import type { Terrain } from '@covermap/propagation/terrain.ts';
import type { TowerAntenna } from '@covermap/propagation/tower.ts';
import { expect, test } from 'vitest';
import {
  type ModellingParameters,
  modellingParameters,
} from '../../coverage/submissions/modelling-parameters.ts';
import { type ModellingReport, modellingDoubts } from '../../coverage/submissions/modelling-report.ts';
import type { Tower } from '../../coverage/submissions/towers.ts';
import { changedTowers } from '../../ingest/towers/changed-towers.ts';
import { chosenBy } from '../../ingest/towers/parameters.ts';
import { placeAt } from '../setup/terrain.ts';

/* Each parameter of modelling changes the signal, and in the right direction. */

interface Said extends Partial<Omit<Tower, 'speeds' | 'antenna'>> {
  prediction?: ModellingParameters;
  antenna?: TowerAntenna;
}

const towerOf = ({ prediction: _, ...own }: Said): Tower => ({
  ...{ name: 'one', ...placeAt(0, 0), height_m: 30, azimuth_deg: undefined, beam_width_deg: 65 },
  ...{ power_dbm: 40, frequency_mhz: 3500, speeds: {} },
  ...own,
});
/** The signal around one tower among hills of 100 m, point by point. */
function modelled(said: Said) {
  const [tower = towerOf(said)] = changedTowers([towerOf(said)], said.prediction?.towers);
  const parameters = { range_km: 4, resolution_m: 200, ...said.prediction };
  const terrain = { resolutionAround: () => 100 } as unknown as Terrain;
  const { options, classes } = chosenBy(modellingParameters.parse(parameters), [tower], terrain);
  const grid = radialGrid(options.range, options.step);
  const model = new PointToPoint(modelParameters(tower, options));
  const antennas = [antennaOf(tower)];
  const half = Math.ceil(options.range / options.step) + 1;
  const side = 2 * half + 1;
  const heights = Float32Array.from({ length: side * side }, (_, i) => {
    const [east, north] = [options.step * ((i % side) - half), options.step * (half - Math.floor(i / side))];
    return 100 + 50 * Math.cos(east / 400) * Math.cos(north / 500);
  });
  const power = new Float32Array(grid.points);
  const profile = new Float64Array(grid.ringOf.length);
  for (let i = 0; i < grid.radials; i++) {
    const { ring, radial } = radialOf(grid, i);
    sampleProfile(heights, side, (2 * Math.PI * radial) / ring.count, ring.last, profile);
    predictRadial(model, antennas, profile, ring, radial, grid.step, power, new Uint16Array(grid.points));
  }
  const dbm = power.map((value) => value + options.receiverGain);
  return {
    dbm,
    mean: dbm.reduce((sum, value) => sum + value, 0) / dbm.length,
    covered: dbm.filter((value) => classOf(value, classes) > 0).length,
  };
}

type Effect = 'stronger' | 'weaker' | 'other' | 'more points' | 'fewer points' | 'less coverage';
type Case = [from: Said, to: Said, Effect];
const inManifest = (from: ModellingParameters, to: ModellingParameters, effect: Effect): Case => {
  return [{ prediction: from }, { prediction: to }, effect];
};
const sector = { azimuth_deg: 90, antenna: { gain_dbi: 15 } };
const withAntenna = (from: TowerAntenna, to: TowerAntenna, effect: Effect): Case => {
  const antenna = (own: TowerAntenna) => ({ ...sector, antenna: { ...sector.antenna, ...own } });
  return [antenna(from), antenna(to), effect];
};
const speeds = (dbm: number) => [
  { dbm, bandwidth_min_mbps: 1, bandwidth_max_mbps: 10, bandwidth_up_min_mbps: 1, bandwidth_up_max_mbps: 5 },
];

/** Every field of `prediction`. */
const ofManifest: Record<keyof ModellingParameters, Case> = {
  profile: inManifest({}, { profile: 'point-to-multipoint' }, 'stronger'),
  speeds: inManifest({ speeds: speeds(-95) }, { speeds: speeds(-65) }, 'less coverage'),
  towers: inManifest({}, { towers: [{ number: 1, power_dbm: 10 }] }, 'weaker'),
  range_km: inManifest({ range_km: 3 }, { range_km: 5 }, 'more points'),
  resolution_m: inManifest({ resolution_m: 200 }, { resolution_m: 400 }, 'fewer points'),
  receiver_height_m: inManifest({ receiver_height_m: 3 }, { receiver_height_m: 12 }, 'stronger'),
  receiver_gain_dbi: inManifest({ receiver_gain_dbi: 5 }, { receiver_gain_dbi: 8 }, 'stronger'),
  time_percent: inManifest({ range_km: 12, time_percent: 50 }, { range_km: 12, time_percent: 99 }, 'weaker'),
  location_percent: inManifest({ location_percent: 50 }, { location_percent: 90 }, 'weaker'),
  situation_percent: inManifest({ situation_percent: 50 }, { situation_percent: 90 }, 'weaker'),
  climate: inManifest({ climate: 1 }, { climate: 6 }, 'other'),
  refractivity: inManifest({ refractivity: 280 }, { refractivity: 380 }, 'other'),
};

/** Every number of a tower that is not its place. */
const ofTower: Record<Exclude<keyof Tower, 'name' | 'lat' | 'lng' | 'speeds' | 'antenna'>, Case> = {
  height_m: [{ height_m: 15 }, { height_m: 60 }, 'stronger'],
  azimuth_deg: [{ azimuth_deg: 0 }, { azimuth_deg: 120 }, 'other'],
  beam_width_deg: [{ ...sector, beam_width_deg: 45 }, { ...sector, beam_width_deg: 90 }, 'stronger'],
  power_dbm: [{ power_dbm: 37 }, { power_dbm: 40 }, 'stronger'],
  frequency_mhz: [{ frequency_mhz: 900 }, { frequency_mhz: 3500 }, 'weaker'],
};
const tilted = { vertical_beam_width_deg: 15, electrical_tilt_deg: 6 };
/** `pattern` names a file; test/unit/predict.test.ts has it. */
const ofAntenna: Record<Exclude<keyof TowerAntenna, 'pattern'>, Case> = {
  gain_dbi: withAntenna({ gain_dbi: 12 }, { gain_dbi: 15 }, 'stronger'),
  electrical_tilt_deg: withAntenna({}, { electrical_tilt_deg: 8 }, 'weaker'),
  mechanical_tilt_deg: withAntenna({}, { mechanical_tilt_deg: 8 }, 'other'),
  vertical_beam_width_deg: withAntenna({ ...tilted, vertical_beam_width_deg: 5 }, tilted, 'stronger'),
  front_to_back_db: withAntenna({ front_to_back_db: 20 }, { front_to_back_db: 35 }, 'weaker'),
  feeder_loss_db: withAntenna({}, { feeder_loss_db: 3 }, 'weaker'),
  vertical: withAntenna({ vertical: true }, { vertical: false }, 'other'),
};

const cases = Object.entries({ ...ofManifest, ...ofTower, ...ofAntenna });

test('every field of a prediction has its case', () => {
  expect(Object.keys(ofManifest).sort()).toEqual(Object.keys(modellingParameters.shape).sort());
});

test.each(cases)('%s changes the signal, and in its direction', (_, [from, to, effect]) => {
  const [before, after] = [modelled(from), modelled(to)];
  if (effect === 'more points') expect(after.dbm.length).toBeGreaterThan(1.5 * before.dbm.length);
  else if (effect === 'fewer points') expect(after.dbm.length).toBeLessThan(before.dbm.length / 2);
  else if (effect === 'less coverage') {
    expect(after.dbm).toEqual(before.dbm);
    expect(after.covered).toBeLessThan(0.95 * before.covered);
  } else {
    expect(after.dbm).not.toEqual(before.dbm);
    if (effect === 'stronger') expect(after.mean).toBeGreaterThan(before.mean + 0.1);
    if (effect === 'weaker') expect(after.mean).toBeLessThan(before.mean - 0.1);
  }
});

test('ground without terrain or land cover is told, however little, and much of it waits', () => {
  const doubts = (unknown_share: number, unlisted_share: number) => {
    const report = { unknown_share, clutter: { classes: [], unlisted_share } } as unknown as ModellingReport;
    const thresholds = { unknownPercent: 50, grownPercent: 300 } as never;
    const found = modellingDoubts(report, { km2: 1, liveKm2: 0 }, thresholds);
    return Object.fromEntries(found.map(({ code, message }) => [code, message]));
  };
  expect(doubts(0, 0)).toEqual({});
  expect(doubts(0.21, 0.001)).toEqual({
    terrain_gaps: '21% of the ground around the towers has no terrain and was taken as sea.',
    clutter_gaps: 'Less than 1% of the ground with a signal has no class of land cover and counts as open.',
  });
  expect(Object.keys(doubts(0.6, 0.7))).toEqual(['terrain_unknown', 'clutter_unknown']);
});
