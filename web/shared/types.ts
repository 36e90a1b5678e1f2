/* What the API answers, as docs/operator-api.md says. Field names are the API's. */

export interface ErrorReport {
  code: string;
  message: string;
  hint?: string;
  /** Of `reference_system_missing`. */
  choices?: SystemChoice[];
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
