import type { ReadOptions, Warning } from '@covermap/coverage-files/format.ts';
import type { Fault, Task } from '@covermap/coverage-files/process/messages.ts';
import type { Sink } from '@covermap/coverage-files/process/serve.ts';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import type { Box } from '@covermap/geometry/polygon.ts';
import type { TerrainListing } from '@covermap/propagation/list-terrain.ts';
import type { ElevationModel } from '@covermap/propagation/terrain.ts';
import type { ImportOptions } from '../addresses/import-options.ts';
import type { AddressBatch, AddressesRead } from '../addresses/staged-rows.ts';
import type { ExclusionInForce } from '../coverage/exclusions/exclusions.ts';
import type { ExportFormat, ExportProgress } from '../coverage/exports/exports.ts';
import type { ExportedTier } from '../coverage/exports/versions.ts';
import type { FoundPremises } from '../coverage/premises/premises-finder.ts';
import type { RegionReport } from '../coverage/regions/layers.ts';
import type { SpeedField, SpeedUnit } from '../coverage/speeds.ts';
import type { TowerGround } from '../coverage/stops/tower-grounds.ts';
import type { AttributeQuestion, InspectedLayer } from '../coverage/submissions/inspection.ts';
import type { ModellingParameters, TowerChanges } from '../coverage/submissions/modelling-parameters.ts';
import type { ModelledWith, ModellingReport } from '../coverage/submissions/modelling-report.ts';
import type { PathProfile } from '../coverage/submissions/path-profile.ts';
import type { Example, IngestReport, Problem } from '../coverage/submissions/report.ts';
import type { Tower } from '../coverage/submissions/towers.ts';
import type { TriedOffer, TriedPremises } from '../coverage/submissions/trials.ts';
import type { ErrorReport } from '../platform/errors.ts';
import type { TierRules } from './attributes/attributes.ts';
import type { Offer } from './attributes/contradictions.ts';
import type { KnownTechnology } from './attributes/words.ts';
import type { DropReason } from './drop-reasons.ts';
import type { UncoveredArea } from './report/uncovered.ts';

export type ReaderWork =
  | CoverageWork
  | InspectionWork
  | TowersWork
  | TerrainWork
  | PredictionWork
  | ProfileWork
  | SpeedTrialWork
  | AddressWork
  | ExportWork
  | RegionWork;

interface FileToRead {
  file: string;
}

/** The reply is rows, and the result at the end. */
export interface CoverageWork extends FileToRead {
  kind: 'coverage';
  name: string;
  options: ReadOptions;
  rules: TierRules;
  serviceArea: Bounds;
  crs: string | undefined;
  /** The file of all premises (`coverage/premises/premises-list.ts`); without it, none are looked for. */
  premises?: string | undefined;
  /** Subtracted from all rows of their technologies. */
  exclusions: readonly ExclusionInForce[];
}

export interface InspectionWork extends FileToRead {
  kind: 'inspection';
  name: string;
  technologies: KnownTechnology[];
  /** As YYYY-MM-DD, in the service's time zone. */
  today: string;
  serviceArea: Bounds;
}

export interface TowersWork extends FileToRead {
  kind: 'towers';
  /** For towers without speeds in the file. */
  speeds: Partial<Record<SpeedField, number | undefined>>;
  serviceArea: Bounds;
}

/** The reply is the models of a folder, which is `file`. */
export interface TerrainWork extends FileToRead {
  kind: 'terrain';
  /** The number of models, the finest first, whose share of void pixels is measured. */
  measured: number;
}

interface TowersOnTerrain extends FileToRead {
  serviceArea: Bounds;
  terrain: { folder: string; models: readonly ElevationModel[] };
  /** A folder of land cover, if the signal depends on it. */
  clutter?: string | undefined;
}

/** A list of towers. The reply is the profile from one of them to a place. */
export interface ProfileWork extends TowersOnTerrain {
  kind: 'profile';
  parameters: ModelledWith;
  changes: TowerChanges;
  /** By its number in the list, from 1. */
  tower: number;
  lat: number;
  lng: number;
}

/** A list of towers. The reply is each site when done, and the outcome. */
export interface PredictionWork extends TowersOnTerrain {
  kind: 'prediction';
  parameters: ModellingParameters;
  /** What is asked of a trial, in place of the outcome. */
  trial?: TriedOffer | undefined;
  maxTowers: number;
  threads: number;
}

/** A list of towers, and the signal that was modelled from it. The reply is what other speeds by received power would give. */
export interface SpeedTrialWork extends FileToRead, TriedOffer {
  kind: 'speed-trial';
  /** The GeoTIFF. */
  signal: string;
  parameters: ModelledWith;
  serviceArea: Bounds;
}

/** A list of addresses, ids of another system for them, or postcodes. The reply is rows, and what was found at the end. */
export interface AddressWork extends FileToRead, Pick<ImportOptions, 'columns' | 'system'> {
  kind: 'addresses';
  name: string;
  form: 'list' | 'aliases' | 'postcodes';
  serviceArea: Bounds;
}

/** Coverage to write as a file: `file` has its areas (`exports/rows-file.ts`). The reply is how far it is, and the file. */
export interface ExportWork extends FileToRead {
  kind: 'export';
  format: ExportFormat;
  tiers: readonly ExportedTier[];
  areas: number;
  /** A file of premises; absent where there are no addresses. */
  premises?: string | undefined;
  addresses: number;
}

export type ExportTask = ExportWork & Task;

/** A layer of regions. The reply is areas, and what was read at the end. */
export interface RegionWork extends FileToRead {
  kind: 'regions';
  name: string;
  /** The attribute with the names. */
  column: string | undefined;
  /** In place of what the file says. */
  crs: string | undefined;
  /** `dropped`: areas that cannot be used. `overlap`: regions that share ground. */
  accept: readonly string[];
  serviceArea: Bounds;
}

export interface RegionsRead {
  names: string[];
  /** By region: the coordinates of a GeoJSON MultiPolygon. */
  outlines: number[][][][][];
  report: RegionReport;
}

export type ReaderTask = ReaderWork & Task & { memoryMb: number };

/** The results of tasks with a single answer. */
export interface ResultOf {
  inspection: Inspection;
  towers: Tower[];
  terrain: TerrainListing;
  profile: PathProfile;
  'speed-trial': TriedPremises;
}

/** Rows of one or several tiers, ready for COPY. */
export interface RowsMessage {
  type: 'rows';
  /** In COPY's binary format: each row's tier, as an index into all `newTiers` so far, and its geometry. */
  copy: Uint8Array<ArrayBuffer>;
  rows: number;
  /** Tiers that are in no earlier batch. */
  newTiers: Offer[];
  progress: ReadProgress;
}

export interface CoverageRead extends Pick<IngestReport, 'layers' | 'vertices' | 'warnings'> {
  features: Omit<IngestReport['features'], 'dropped'> & { dropped: Partial<Record<DropReason, number>> };
  /** Dropped first, then repaired, then clipped; the most frequent of each first. */
  problems: Problem[];
  rows: number;
  /** West, south, east, north. */
  box: Box;
  /** By tier, in the order of all `newTiers`. */
  tiers: { rows: number; areaM2: number }[];
  /** What the tiers cover, by the same order. */
  premises?: FoundPremises | undefined;
  /** Features that cross the 180th meridian, loaded or not. */
  crossing: number;
  outsideM2: number;
  /** Layers with dropped features that may be coverage: name, and dropped share of the area, 0 to 1. */
  droppedAreas: { layer: string; share: number }[];
  /** Dropped features that may be coverage of any size, as their area is unknown. */
  droppedUnmeasured: Loss;
  /** Dropped features that are no coverage. */
  uncovered: UncoveredArea[];
  /** Features that a repair made smaller by more than a hundredth. */
  lostByRepair: Loss;
  /** What exclusions took, by tier: m2. */
  excluded: { tier: number; exclusion: number; m2: number }[];
  progress: ReadProgress;
}

export interface Loss {
  count: number;
  /** 0 if unknown. */
  areaM2: number;
  /** The first of them. */
  examples: Pick<Example, 'layer' | 'feature' | 'name'>[];
}

/** The contents of a file, for the form that describes it. See docs/operator/operator-api.md. */
export interface Inspection {
  kind: 'coverage' | 'towers';
  layers: InspectedLayer[];
  manifest: SuggestedManifest;
  /** Required, and without an attribute. */
  speeds_missing: SpeedField[];
  warnings: Warning[];
  questions: AttributeQuestion[];
  towers: { count: number; problems: string[] } | null;
}

export interface SuggestedManifest {
  technology?: string;
  attributes?: Record<string, { field: string; unit?: SpeedUnit }>;
  layers?: string[];
  classes?: object[];
  /** As the operator answered for earlier files. */
  ignore?: string[];
}

export interface ReadProgress {
  bytesRead: number;
  bytesTotal: number;
  featuresRead: number;
}

export type ReaderMessage =
  | RowsMessage
  | { type: 'coverage'; read: CoverageRead }
  | { type: 'addressRows'; batch: AddressBatch }
  | { type: 'addresses'; read: AddressesRead }
  | { type: 'exporting'; progress: ExportProgress }
  /** In the scratch folder, valid until the next message is requested. */
  | { type: 'exported'; file: string }
  /** Polygons of a region in degrees, as well-known binary. */
  | { type: 'regionAreas'; region: number; areas: Uint8Array }
  | { type: 'regions'; read: RegionsRead }
  | { type: 'result'; result: ResultOf[keyof ResultOf] }
  | { type: 'site'; digest: string; sites: SitesDone }
  /** A site is done. `file`: to keep; absent if already kept. */
  | { type: 'siteDone'; digest: string; file?: Uint8Array; sites: SitesDone }
  /** Where the towers of a place serve. */
  | { type: 'ground'; ground: TowerGround; served: Uint8Array }
  /** Files in the scratch folder, valid until the next message is requested. */
  | { type: 'predicted'; areas: string; signal: string; picture: string; report: ModellingReport }
  | { type: 'tried'; tried: TriedPremises };

/** Where the thread of the reading process sends its messages. */
export type ReaderSink = Sink<ReaderMessage, GoOn>;

/** The fault that ends a reading. `choices`: of `WhichReferenceSystem` (errors.ts). */
export interface ReaderFault extends Fault {
  choices?: ErrorReport['choices'];
}

export interface SitesDone {
  done: number;
  total: number;
}

/** Tells the reader that it may send another message. */
export interface GoOn {
  site?: Uint8Array | undefined;
}
