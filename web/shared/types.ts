/* What the API answers, as docs/operator-api.md says. Field names are the API's. */

export interface ErrorReport {
  code: string;
  message: string;
  hint?: string;
  /** Of `reference_system_missing`. */
  choices?: SystemChoice[];
}

export interface Session {
  role: 'operator' | 'staff' | 'customer';
  name: string;
  /** Of an operator. */
  provider: { id: number; name: string } | null;
  /** Of a customer. */
  customer?: { id: number; name: string } | null;
  expires_at: string;
  /** When the token ends that it was begun with. */
  token_expires_at: string;
}

export type Availability = 'available' | 'underway' | 'planned';

export const speedFields = [
  'bandwidth_min_mbps',
  'bandwidth_max_mbps',
  'bandwidth_up_min_mbps',
  'bandwidth_up_max_mbps',
] as const;
export type SpeedField = (typeof speedFields)[number];
export type Speeds = Partial<Record<SpeedField, number>>;

export interface Catalog {
  provider: { id: number; name: string } | null;
  providers: { id: number; name: string }[];
  technologies: { name: string; label: string; set_id: number }[];
  /** What lookups answer from now: an operator's own; of all for staff. */
  published: PublishedCoverage[];
  upload_limit_bytes: number;
  service_area: { south: number; west: number; north: number; east: number };
  basemap_style_url: string | null;
  /** YYYY-MM-DD, in the service's own time zone. */
  today: string;
  /** What working coverage out from towers costs, without GST. */
  processing_fees: { first_cents: number; later_cents: number; next_cents: number | null };
}

export interface PublishedCoverage {
  provider_id: number;
  technology: string;
  scope: string;
  area_km2: number | null;
  published_at: string;
}

export interface FileReference {
  name: string;
  size_bytes: number;
}

export type SpeedUnit = 'kbps' | 'mbps' | 'gbps';
export type AttributeUse =
  | string
  | { field: string; unit?: SpeedUnit; values?: Record<string, string> }
  | null;

export interface Meaning {
  coverage?: boolean;
  speeds?: Speeds;
  availability?: Availability;
  planned_date?: string;
}

export interface PixelClass extends Meaning {
  colour?: string;
  tolerance?: number;
  value?: number;
  min?: number;
  max?: number;
}

/** What is said of a file. Fields that the page does not know are kept as they are. */
export interface Manifest {
  provider?: string | { name: string; url?: string };
  technology?: string;
  availability?: Availability;
  planned_date?: string;
  speeds?: Speeds;
  attributes?: Partial<Record<SpeedField | 'technology' | 'availability' | 'planned_date', AttributeUse>>;
  tiers?: { field: string; values: Record<string, Meaning> };
  classes?: PixelClass[];
  /** Areas of fewer pixels take the class around them. */
  sieve?: number;
  layers?: string[];
  crs?: string;
  processed_by?: 'operator' | 'service';
  publish?: 'auto' | 'review';
  [field: string]: unknown;
}

export interface InspectedLayer {
  name: string;
  format: string;
  reference_system: string | null;
  attributes: string[];
  examples: Record<string, string[]>;
  mapping: { to: string; attribute: string; unit?: SpeedUnit; from: string }[];
  /** What the pixels of a raster hold. */
  pixels?: PixelSummary;
  /** Where nothing says which reference system it is in: those under which it has a place. */
  reference_system_choices?: SystemChoice[];
}

interface CountedPixels {
  /** Pixels that were counted, and how many there are: fewer are a sample. */
  counted: number;
  total: number;
  /** The share that is transparent or no data. All shares are 0 to 1. */
  empty: number;
}

export interface ValueSummary extends CountedPixels {
  kind: 'values';
  min: number | null;
  max: number | null;
  unit: 'dBm' | null;
  values: { value: number; share: number }[] | null;
  histogram: { from: number; step: number; shares: number[] } | null;
  doubtful: { value: number; share: number }[];
}

export interface ColourSummary extends CountedPixels {
  kind: 'colours';
  colours: { colour: string; tolerance: number; share: number }[];
  others: number;
}

export type PixelSummary = ValueSummary | ColourSummary;

/** A reference system that a file may be in, and where it would lie then. */
export interface SystemChoice {
  crs: string;
  name: string;
  bbox: [west: number, south: number, east: number, north: number];
  likely: boolean;
}

export interface Inspection {
  kind: 'coverage' | 'towers';
  layers: InspectedLayer[];
  manifest: Manifest;
  speeds_missing: SpeedField[];
  warnings: { code: string; message: string }[];
  towers: { count: number; problems: unknown[] } | null;
}

/** A file that came by a resumable upload. */
export interface WaitingFile {
  id: string;
  file: FileReference;
  state: 'receiving' | 'inspecting' | 'inspected' | 'unreadable' | 'submitted';
  received_bytes: number;
  inspection?: Inspection | null;
  error: ErrorReport | null;
  /** What was said of it before. */
  answers?: Manifest | null;
  /** That was said with the answers. */
  note: string;
  /** Whether it is submitted with these answers by itself. */
  submits: boolean;
  /** Of a single file: false where it is known to fail. */
  can_submit?: boolean;
  earlier_classes?: { file_name: string; classes: PixelClass[] }[];
  submission_id: string | null;
  expires_at: string;
}

export type Status =
  | 'received'
  | 'reading'
  | 'loading'
  | 'checking'
  | 'ready'
  | 'published'
  | 'superseded'
  | 'failed'
  | 'withdrawn';

export interface Change {
  compared_with: number;
  current: boolean;
  gained_km2: number;
  lost_km2: number;
  unchanged_km2: number;
  /** Of what is lost: what other scopes still cover. */
  still_covered_km2: number;
  /** Of what is unchanged: what is available now, and would only be planned. */
  downgraded_km2: number;
}

export interface SubmissionDataset {
  id: number;
  technology: string;
  /** Empty: the coverage that has none. */
  scope: string;
  state: string;
  area_km2: number | null;
  published_at: string | null;
  superseded_at: string | null;
  can_roll_back: boolean;
  replaces: number | null;
  change: Change | null;
}

export interface Progress {
  step: 'reading' | 'loading' | 'checking';
  percent: number;
  bytes_read: number;
  bytes_total: number;
  features_read: number;
  rows_loaded: number;
}

export interface Example {
  layer: string;
  feature: number;
  name?: string;
  lat?: number;
  lng?: number;
}

export interface Problem {
  kind: 'dropped' | 'repaired' | 'clipped';
  reason: string;
  text: string;
  count: number;
  examples: Example[];
}

export interface Tier extends Record<SpeedField, number> {
  technology: string;
  availability: Availability;
  planned_date: string | null;
  area_km2: number;
}

export interface Report {
  /** As sentences; absent from reports of before they were kept. */
  text?: string[];
  features: { read: number; loaded: number; repaired: number; clipped: number };
  problems: Problem[];
  tiers: Tier[];
  warnings: { code: string; message: string }[];
  layers: { name: string; format: string; reference_system: string; reference_system_from: string }[];
  area_km2: number;
  bbox: [west: number, south: number, east: number, north: number] | null;
}

export interface Submission {
  id: string;
  status: Status;
  finished: boolean;
  waiting_for: 'publish' | 'prediction' | null;
  revision: number;
  provider: { id: number; name: string };
  technologies: string[];
  processed_by: 'operator' | 'service';
  publish: 'auto' | 'review';
  file: FileReference;
  submitted_by: string | null;
  /** The operator's own words. */
  note: string;
  kind: 'coverage' | 'towers';
  towers: { count: number } | null;
  prediction: { file: FileReference; attached_at: string; error: ErrorReport | null } | null;
  received_at: string;
  started_at: string | null;
  finished_at: string | null;
  progress: Progress | null;
  error: ErrorReport | null;
  blocking: { code: string; message: string }[];
  /** What publishing it names, to say that this was seen; null until it is compared with what is live. */
  comparison: string | null;
  comparing: boolean;
  /** It was to publish itself, and waits because of `blocking`. */
  held_back: boolean;
  datasets: SubmissionDataset[];
  can: { publish: boolean; withdraw: boolean; attach_prediction: boolean };
  /** Only where a submission is asked for by itself. */
  manifest?: Manifest;
  report?: Report | null;
}

export interface Dataset {
  id: number;
  submission_id: string;
  provider: { id: number; name: string };
  technology: string;
  scope: string;
  /** What is live of the same coverage, where that is another version. */
  replaces: number | null;
  state: 'ready' | 'published' | 'superseded' | 'restoring' | 'withdrawn';
  area_km2: number | null;
  file_name: string;
  received_at: string;
  published_at: string | null;
  superseded_at: string | null;
  can_roll_back: boolean;
  /** The operator's own words about its file. */
  note: string;
}

/** What answers say of a provider. */
export interface ProviderProfile {
  id: number;
  name: string;
  /** Empty where none was given. */
  url: string;
  wholesale_network: 'Yes' | 'No' | 'Both';
  description: string;
  area_served: string[];
  revision: number;
  profile_saved_at: string | null;
}

/** The answer to a file that was submitted. */
export interface Accepted {
  id: string;
  status: Status;
  duplicate: boolean;
}
