import type { Bounds } from '../core/config.ts';
import type { SpeedField, SpeedUnit } from '../core/coverage/speeds.ts';
import type { Tower } from '../core/coverage/submissions/towers.ts';
import type { ErrorReport } from '../core/errors.ts';
import type { MappedAttribute, Offer, TierRules } from './attributes.ts';
import type { Box } from './geometry/polygon.ts';
import type { DropReason, ReadOptions, SourceReferenceSystem, Warning } from './read/format.ts';
import type { PixelSummary } from './read/raster/pixel-count.ts';
import type { KnownTechnology } from './words.ts';

/** What a file is read for. */
export type ReaderWork = CoverageWork | InspectionWork | TowersWork;

interface FileToRead {
  /** A path on this machine. */
  file: string;
  /** What the file was called where it came from. */
  name: string;
}

/** Answered with layers and batches. */
export interface CoverageWork extends FileToRead {
  kind: 'coverage';
  options: ReadOptions;
  rules: TierRules;
}

/** To look what is in a file that nobody has described; answered with an {@link InspectionMessage}. */
export interface InspectionWork extends FileToRead {
  kind: 'inspection';
  technologies: KnownTechnology[];
  serviceArea: Bounds;
}

/** Answered with {@link TowersMessage}s. */
export interface TowersWork extends FileToRead {
  kind: 'towers';
  /** Of towers for which the file has none. */
  speeds: Partial<Record<SpeedField, number | undefined>>;
  serviceArea: Bounds;
}

export type ReaderTask = ReaderWork & {
  /** A folder of this reading alone, removed after it. */
  scratch: string;
};

/** What the process that reads is started with. */
export interface ReaderStart {
  task: ReaderTask;
  memoryMb: number;
  stalledMs: number;
  /** How many messages the reader makes before the first of them has been taken. */
  ahead: number;
}

/** What its thread is started with. */
export interface ThreadStart {
  task: ReaderTask;
  /** One number in shared memory, to be counted up with everything that is done. */
  pulse: Int32Array;
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
  /** What the attributes are used for. */
  mapping: MappedAttribute[];
}

/** Features of one layer, in its reference system, as many as one statement takes on. */
export interface BatchMessage {
  type: 'batch';
  /** Well-known binary, one geometry after the other. */
  wkb: Uint8Array<ArrayBuffer>;
  /** Where each begins in `wkb`, and the end of the last. */
  offsets: Uint32Array<ArrayBuffer>;
  /** By feature: its number in the file. */
  ids: Uint32Array<ArrayBuffer>;
  /** By feature: what people know it by; undefined where no feature has a name. */
  names: (string | undefined)[] | undefined;
  /** By feature: its tier, as a position among all `newTiers` so far. */
  tiers: Uint32Array<ArrayBuffer>;
  /** By feature: 1 where its rings had to be taken otherwise than the file has them. */
  repaired: Uint8Array<ArrayBuffer>;
  /** Tiers that no earlier batch had. */
  newTiers: Offer[];
  box: Box;
  progress: ReadProgress;
}

/** How many features are shown of each kind. */
export const maxExamples = 10;

/** One of the features that something is said of. */
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
  /** Features that were not handed on, by reason. */
  dropped: Partial<Record<DropReason, { count: number; examples: LayerExample[] }>>;
  /** Areas in the square of the layer's unit: of all its features, and of those dropped that may be coverage. */
  area: { read: number; dropped: number };
  /** Speeds that are neither in the file nor in the manifest, by the number of features. */
  speedsAbsent: Partial<Record<SpeedField, number>>;
  vertices: number;
  progress: ReadProgress;
}

/** What is in a file, as far as a first look tells. */
export interface InspectionMessage {
  type: 'inspection';
  found: Inspection | InspectedTowers;
}

/** A list of towers, as far as it can be used. */
export interface InspectedTowers {
  kind: 'towers';
  count: number;
  problems: string[];
}

export interface Inspection {
  kind: 'coverage';
  layers: InspectedLayer[];
  /** What the file itself says, as a manifest would. */
  manifest: SuggestedManifest;
  /** Speeds that no attribute gives and an answer needs. */
  speedsMissing: SpeedField[];
  warnings: Warning[];
  /** Whether all features that were looked at are points. */
  onlyPoints: boolean;
}

export interface InspectedLayer {
  name: string;
  format: string;
  /** As the file gives it. */
  definition: string | undefined;
  /** Some of its positions and the corners of its box, where the file does not say what they are in or may be wrong. */
  positions: [x: number, y: number][];
  attributes: string[];
  /** By attribute, some of its values. */
  examples: Record<string, string[]>;
  mapping: MappedAttribute[];
  /** What the pixels of a raster hold. */
  pixels?: PixelSummary;
  /** What a raster fills, in its reference system. */
  extent?: Box;
}

export interface SuggestedManifest {
  technology?: string;
  attributes?: Record<string, { field: string; unit?: SpeedUnit }>;
  layers?: string[];
  classes?: object[];
}

/** Some of the towers, in the order of the file. All of it has been checked before the first. */
export interface TowersMessage {
  type: 'towers';
  towers: Tower[];
}

export interface EndMessage {
  type: 'end';
}

export interface ErrorMessage {
  type: 'error';
  report: ErrorReport;
  /** Whether it is about the file; else it is a fault of ours or of the machine. */
  aboutFile: boolean;
}

/** Nothing has been got done for as long as that may be. */
export interface StalledMessage {
  type: 'stalled';
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
  | InspectionMessage
  | TowersMessage
  | EndMessage
  | ErrorMessage
  | StalledMessage;

/** What the reader is told: another message may be sent. */
export const goOn = 'goOn';
