import type { Bounds } from '../core/config.ts';
import type { SpeedField, SpeedUnit } from '../core/coverage/speeds.ts';
import type { InspectedLayer as NamedLayer } from '../core/coverage/submissions/inspection.ts';
import type { ModellingParameters } from '../core/coverage/submissions/modelling-parameters.ts';
import type { ModelledWith, ModellingReport } from '../core/coverage/submissions/modelling-report.ts';
import type { PathProfile } from '../core/coverage/submissions/path-profile.ts';
import type { MappedAttribute } from '../core/coverage/submissions/report.ts';
import type { Tower } from '../core/coverage/submissions/towers.ts';
import type { ErrorReport } from '../core/errors.ts';
import type { Offer, TierRules } from './attributes.ts';
import type { Box } from './geometry/polygon.ts';
import type { Placing } from './placing.ts';
import type { ElevationModel, UnusableModel } from './propagation/terrain.ts';
import type { DropReason, ReadOptions, SourceReferenceSystem, Warning } from './read/format.ts';
import type { KnownTechnology } from './words.ts';

/** What a file is read for. */
export type ReaderWork =
  | CoverageWork
  | InspectionWork
  | TowersWork
  | TerrainWork
  | PredictionWork
  | ProfileWork;

interface FileToRead {
  /** A path on this machine. */
  file: string;
  /** Its original name. */
  name: string;
}

/** Answered with layers and batches. */
export interface CoverageWork extends FileToRead {
  kind: 'coverage';
  options: ReadOptions;
  rules: TierRules;
}

export interface InspectionWork extends FileToRead {
  kind: 'inspection';
  technologies: KnownTechnology[];
  serviceArea: Bounds;
}

export interface TowersWork extends FileToRead {
  kind: 'towers';
  /** Of towers for which the file has none. */
  speeds: Partial<Record<SpeedField, number | undefined>>;
  serviceArea: Bounds;
}

/** Answered with the models of a folder, which is `file`. */
export interface TerrainWork extends FileToRead {
  kind: 'terrain';
  /** How many of them to measure, the finest first: which part of each is void. */
  measured: number;
}

export interface TerrainListing {
  models: (ElevationModel & { void?: number })[];
  unusable: UnusableModel[];
}

/** Of a list of towers, answered with the profile from one of them to a place. */
export interface ProfileWork extends FileToRead {
  kind: 'profile';
  serviceArea: Bounds;
  terrain: { folder: string; models: readonly ElevationModel[] };
  /** A folder of land cover, where what was modelled heeds it. */
  clutter?: string | undefined;
  parameters: ModelledWith;
  /** By its number in the list, from 1. */
  tower: number;
  lat: number;
  lng: number;
}

/** Of a list of towers, answered with the sites as they are done, and with the outcome. */
export interface PredictionWork extends FileToRead {
  kind: 'prediction';
  serviceArea: Bounds;
  terrain: { folder: string; models: readonly ElevationModel[] };
  /** A folder of land cover. */
  clutter?: string | undefined;
  parameters: ModellingParameters;
  maxTowers: number;
  threads: number;
}

export type ReaderTask = ReaderWork & {
  /** A folder of this reading alone, removed after it. */
  scratch: string;
};

export interface ReaderStart {
  task: ReaderTask;
  stalledMs: number;
  /** How many messages the reader makes before the first of them has been taken. */
  ahead: number;
}

/** What the thread has from the beginning. */
export interface ThreadData {
  /** One number in shared memory that is counted up with progress. */
  pulse: Int32Array;
}

/** The first message to the thread. */
export interface ThreadStart {
  task: ReaderTask;
  ahead: number;
}

/** A layer is about to be read. */
export interface LayerMessage {
  type: 'layer';
  name: string;
  format: string;
  referenceSystem: SourceReferenceSystem | undefined;
  encoding: string | undefined;
  fields: string[];
  /** What a raster fills, in its reference system. */
  extent: Box | undefined;
  mapping: MappedAttribute[];
}

/** Features of one layer for one statement: in its reference system, or all of them placed. */
export interface BatchMessage {
  type: 'batch';
  /** Well-known binary, one geometry after the other; of placed features with SRID. */
  wkb: Uint8Array<ArrayBuffer>;
  /** Where each begins in `wkb`, and the end of the last. */
  offsets: Uint32Array<ArrayBuffer>;
  /** By feature: its number in the file. */
  ids: Uint32Array<ArrayBuffer>;
  /** By feature; undefined where no feature has a name. */
  names: (string | undefined)[] | undefined;
  /** By feature: its tier, as a position among all `newTiers` so far. */
  tiers: Uint32Array<ArrayBuffer>;
  /** By feature: 1 where its rings were repaired. */
  repaired: Uint8Array<ArrayBuffer>;
  /** Tiers that no earlier batch had. */
  newTiers: Offer[];
  /** In the layer's coordinates. */
  box: Box;
  /** Of features that are ready to be rows; undefined where PostGIS has to look at them. */
  placed: { areasM2: Float64Array<ArrayBuffer>; box: Box } | undefined;
  progress: ReadProgress;
}

/** How many features are shown of each kind. */
export const maxExamples = 10;

export interface LayerExample {
  feature: number;
  name: string | undefined;
  /** The text that could not be used, where there is one. */
  value: string | undefined;
  /** Somewhere on it, in the layer's coordinates; undefined where it has none. */
  position: [x: number, y: number] | undefined;
}

/** The layer has been read. */
export interface LayerEndMessage {
  type: 'layerEnd';
  warnings: Warning[];
  featuresRead: number;
  /** By reason. */
  dropped: Partial<Record<DropReason, { count: number; examples: LayerExample[] }>>;
  /** In the square of the layer's unit: of all features, and of those dropped that may be coverage. */
  area: { read: number; dropped: number };
  /** Speeds that are neither in the file nor in the manifest, by the number of features. */
  speedsAbsent: Partial<Record<SpeedField, number>>;
  vertices: number;
  progress: ReadProgress;
}

/** What is in a file, for the form that describes it; docs/operator/operator-api.md describes the fields. */
export interface Inspection<Layer = InspectedLayer> {
  kind: 'coverage' | 'towers';
  layers: Layer[];
  /** What the file itself says, as a manifest would. */
  manifest: SuggestedManifest;
  /** Speeds that no attribute gives and an answer needs. */
  speeds_missing: SpeedField[];
  warnings: Warning[];
  towers: { count: number; problems: string[] } | null;
}

/** A layer before its reference system is looked up. */
export interface InspectedLayer extends Omit<NamedLayer, 'reference_system' | 'reference_system_choices'> {
  /** As the file gives it. */
  definition: string | undefined;
  /** Some of its positions and the corners of its box. */
  positions: [x: number, y: number][];
  /** What a raster fills, in its reference system. */
  extent?: Box;
}

export interface SuggestedManifest {
  technology?: string;
  attributes?: Record<string, { field: string; unit?: SpeedUnit }>;
  layers?: string[];
  classes?: object[];
}

export interface ReadProgress {
  bytesRead: number;
  bytesTotal: number;
  featuresRead: number;
}

export type ReaderMessage =
  | LayerMessage
  | BatchMessage
  | LayerEndMessage
  | { type: 'inspection'; found: Inspection }
  /** Some of the towers, in order. The whole file has been checked before the first. */
  | { type: 'towers'; towers: Tower[] }
  | ({ type: 'terrain' } & TerrainListing)
  | { type: 'profile'; profile: PathProfile }
  /** Asks for a site that is kept. */
  | { type: 'site'; digest: string; sites: SitesDone }
  /** A site is done. `file`: to be kept; absent where it was. */
  | { type: 'siteDone'; digest: string; file?: Uint8Array; sites: SitesDone }
  /** Files in the scratch folder, there until the next message is taken. */
  | { type: 'predicted'; areas: string; signal: string; picture: string; report: ModellingReport }
  | { type: 'end' }
  /** `aboutFile`: else it is a bug, or about the machine. `cause`: what a library said, for the log. */
  | { type: 'error'; report: ErrorReport; aboutFile: boolean; cause?: string | undefined }
  /** There has been no progress for `stalledMs`. */
  | { type: 'stalled' };

export interface SitesDone {
  done: number;
  total: number;
}

/** Tells the reader that it may send another message. */
export interface GoOn {
  placing?: LayerPlacing | undefined;
  /** The site that it has asked for. */
  site?: Uint8Array | undefined;
}

/** From here on, features of the layer may be placed. */
export interface LayerPlacing extends Placing {
  /** Counted from 1. */
  layer: number;
}
