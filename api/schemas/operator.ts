import { z } from 'zod';
import { versionStates } from '../../core/coverage/datasets/versions.ts';
import { speedFields, speedUnits } from '../../core/coverage/speeds.ts';
import {
  colourSummary,
  inspectedLayer,
  pixelSummary,
  referenceSystemChoice,
  valueSummary,
} from '../../core/coverage/submissions/inspection.ts';
import {
  availabilities,
  manifestFields,
  pixelClass,
  profile,
  wholesaleKinds,
} from '../../core/coverage/submissions/manifest.ts';
import { modellingStates } from '../../core/coverage/submissions/modelling.ts';
import { modelledSpeeds, modellingParameters } from '../../core/coverage/submissions/modelling-parameters.ts';
import { modellingReportFields } from '../../core/coverage/submissions/modelling-report.ts';
import { pathProfileFields } from '../../core/coverage/submissions/path-profile.ts';
import {
  codedMessage,
  differences,
  example,
  mappedAttribute,
  problem,
  reportedLayer,
  reportFields,
  tier,
} from '../../core/coverage/submissions/report.ts';
import { submissionStates } from '../../core/coverage/submissions/states.ts';
import { maxNoteLength } from '../../core/coverage/submissions/submissions.ts';
import { ProcessingFee } from './billing.ts';
import { NamedProvider, named } from './named.ts';
import { cents, day, rowId, time } from './values.ts';

/* Operators' routes. Areas are km2, speeds Mbps, boxes [west, south, east, north] in degrees. */

const id = () => z.int();
const uuid = () => z.uuid();
const km2 = () => z.number();
const bytes = () => z.int();
const note = () =>
  z.string().describe('The operator’s note, on one line.').meta({ maxLength: maxNoteLength });
const scope = () => z.string().describe('Empty for coverage without a scope.');
const processedBy = () => z.enum(['operator', 'service']);
const fileKind = () => z.enum(['coverage', 'towers']);

/** Parameters of paths. `api/access.ts` checks that they exist, and who owns them. */
export const submissionId = {
  id: uuid().meta({
    description: 'The submission’s ID',
    example: '0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f',
  }),
};
export const datasetId = { id: rowId('The ID of the version', 29) };
export const fileId = {
  id: uuid().meta({
    description: 'The upload’s ID, from its URL',
    example: '5f0c8d7e-1a2b-4c3d-8e9f-0a1b2c3d4e5f',
  }),
};

export const filter = (description: string, example?: string) =>
  z
    .string()
    .max(300)
    .optional()
    .meta({ description, ...(example ? { example } : {}) });

/** A value that the route's own code checks, described as the schema of that name. */
export const describedAs = (name: string) => z.unknown().meta({ $ref: `#/components/schemas/${name}` });

export const Links = named('Links', z.record(z.string(), z.string()).describe('URLs of related resources.'));

/** What is said of a file: see docs/operator/coverage-files.md. Operators may leave the provider out. */
export const Manifest = named(
  'Manifest',
  z.strictObject({ ...manifestFields, provider: manifestFields.provider.optional() }),
);
export const PixelClass = named('PixelClass', pixelClass);

export const ReferenceSystemChoice = named('ReferenceSystemChoice', referenceSystemChoice);

/** Why a submission, an inspection or a prediction failed. */
export const ErrorReport = named('ErrorReport', {
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  choices: z.array(ReferenceSystemChoice).describe('With `reference_system_missing`: choose one.').optional(),
});

// What a submission is and how far it has come.

export const SubmissionStatus = named('SubmissionStatus', z.enum(submissionStates));
export const DatasetState = named('DatasetState', z.enum(versionStates));

export const Progress = named('Progress', {
  step: z.enum(['predicting', 'reading', 'loading', 'checking']),
  percent: z.int().min(0).max(100),
  bytes_read: bytes(),
  bytes_total: bytes(),
  features_read: z.int(),
  rows_loaded: z.int(),
  sites_done: z.int().optional().describe('With `predicting`: the sites whose signal is worked out.'),
  sites_total: z.int().optional(),
});

/** A ready or published dataset beside the one that it replaces. */
export const Change = named('Change', {
  compared_with: id().nullable(),
  current: z.boolean().describe('Whether `compared_with` is still live.'),
  ...differences,
});

export const LostArea = named('LostArea', {
  km2: km2(),
  west: z.number(),
  south: z.number(),
  east: z.number(),
  north: z.number(),
});

export const SubmissionDataset = named('SubmissionDataset', {
  id: id(),
  technology: z.string(),
  scope: scope(),
  state: DatasetState,
  area_km2: km2().nullable(),
  published_at: time().nullable(),
  superseded_at: time().nullable(),
  can_roll_back: z.boolean(),
  replaces: id().nullable().describe('The live version with the same technology and scope.'),
  /** Null where nothing is published, or the difference is not known. */
  change: Change.nullable(),
});

/** What a file holds, and what became of it: `core/coverage/submissions/report.ts` and `inspection.ts`. */
export const Example = named('Example', example);
export const Problem = named('Problem', problem);
export const Tier = named('Tier', tier);
export const MappedAttribute = named('MappedAttribute', mappedAttribute);
export const ReportedLayer = named('ReportedLayer', reportedLayer);
export const Report = named(
  'Report',
  z
    .looseObject(reportFields)
    .partial({ text: true, change: true, seconds: true })
    .describe('The validation report: what was read, repaired and dropped, and why.'),
);

export const Prediction = named('Prediction', {
  file: z.object({ name: z.string(), size_bytes: bytes() }),
  attached_at: time(),
  error: ErrorReport.nullable(),
});

export const PathProfile = named('PathProfile', pathProfileFields);

export const ModelledSpeeds = named('ModelledSpeeds', modelledSpeeds);

export const ModellingParameters = named('ModellingParameters', modellingParameters);

export const Modelling = named('Modelling', {
  state: z
    .enum(modellingStates)
    .describe(
      '`waiting`: a worker models it, or will. `done`: the prediction is the service’s. `declined`: staff decide, for the reason. `cancelled`: staff attached a prediction or refused the towers, or the submission was withdrawn.',
    ),
  reason: ErrorReport.nullable().describe('Why staff have to decide.'),
  parameters: ModellingParameters.describe('As they were asked for.'),
  report: z
    .object(modellingReportFields)
    .nullable()
    .describe('What was modelled, and of what; where one submission is asked for.')
    .optional(),
  signal: z.object({ size_bytes: bytes() }).nullable().describe('The strongest signal, at `links.signal`.'),
  requested_at: time(),
  finished_at: time().nullable(),
});

export const Submission = named('Submission', {
  id: uuid(),
  status: SubmissionStatus,
  finished: z.boolean().describe('Whether processing is finished until somebody acts.'),
  waiting_for: z.enum(['prediction', 'publish']).nullable(),
  revision: z.int().describe('Increases with every change.'),
  provider: NamedProvider,
  technologies: z.array(z.string()),
  kind: fileKind(),
  processed_by: processedBy(),
  processing_fee_cents: cents(
    'The fee that publishing charges. Cents, excluding GST; null if none.',
  ).nullable(),
  publish: z.enum(['auto', 'review']),
  file: z.object({ name: z.string(), size_bytes: bytes(), sha256: z.string() }),
  towers: z.object({ count: z.int() }).nullable(),
  prediction: Prediction.nullable(),
  modelling: Modelling.nullable().describe('What the service models of towers; null where only staff do.'),
  submitted_by: z.string().nullable(),
  note: note(),
  received_at: time(),
  started_at: time().nullable(),
  finished_at: time().nullable(),
  progress: Progress.nullable(),
  error: ErrorReport.nullable(),
  blocking: z.array(codedMessage).describe('To confirm before publication: large losses, warnings.'),
  comparison: z
    .string()
    .nullable()
    .describe(
      'The ID of the comparison with the live coverage. Send it when publishing, to confirm `blocking`. Null if there is none yet.',
    ),
  comparing: z.boolean().describe('Whether the comparison with the live coverage is running.'),
  held_back: z.boolean().describe('Whether automatic publication waits because of `blocking`.'),
  datasets: z.array(SubmissionDataset),
  can: z.object({
    publish: z.boolean(),
    withdraw: z.boolean(),
    attach_prediction: z.boolean(),
    profile_paths: z.boolean().describe('Whether this server gives profiles from its towers to a place.'),
  }),
  /** This and what follows where one submission is asked for. */
  manifest: Manifest.optional(),
  lost_areas: z
    .array(z.object({ dataset_id: id(), areas: z.array(LostArea) }))
    .optional()
    .describe(
      'Where lookups would lose coverage, by cells of a tenth of a degree: the largest 500 of each version, the largest first, each with the box around what is lost.',
    ),
  report: Report.nullable().optional(),
  links: Links,
});

export const Accepted = named('Accepted', {
  id: uuid(),
  status: SubmissionStatus,
  duplicate: z.boolean(),
  links: Links,
});

export const PublishingRefused = named(
  'PublishingRefused',
  z
    .object({
      code: z.string(),
      message: z.string(),
      hint: z.string().optional(),
      docs: z.string(),
      submission: Submission.optional(),
    })
    .describe(
      'Why a submission is not published. If what it would change has changed, includes the current submission.',
    ),
);

// Files that were uploaded, and what is in them.

export const ValueSummary = named('ValueSummary', valueSummary);
export const ColourSummary = named('ColourSummary', colourSummary);
export const PixelSummary = named('PixelSummary', pixelSummary);
export const InspectedLayer = named('InspectedLayer', inspectedLayer);

/** What an uploaded file says of itself. */
export const Inspection = named('Inspection', {
  kind: fileKind(),
  layers: z.array(InspectedLayer),
  /** What the file says itself, for the form to begin with. */
  manifest: Manifest,
  speeds_missing: z.array(z.enum(speedFields)).describe('The speeds that no attribute of the file has.'),
  warnings: z.array(codedMessage),
  towers: z
    .object({ count: z.int(), problems: z.array(z.string()) })
    .nullable()
    .describe('For tower data. `problems` describe the rows that cannot be used.'),
});

export const EarlierClasses = named(
  'EarlierClasses',
  z.object({ file_name: z.string(), classes: z.array(PixelClass) }),
);

export const UploadedFile = named('UploadedFile', {
  id: uuid(),
  file: z.object({ name: z.string(), size_bytes: bytes().nullable(), sha256: z.string().nullable() }),
  state: z.enum(['receiving', 'inspecting', 'inspected', 'unreadable', 'submitted']),
  received_bytes: bytes(),
  inspection: Inspection.nullable().optional(),
  error: ErrorReport.nullable(),
  /** The manifest kept for it before it was complete, or that of the submission whose file it is. */
  answers: Manifest.nullable().optional(),
  note: z.string().describe('The operator’s note, which the submission takes over.'),
  can_submit: z
    .boolean()
    .describe('False if the file would fail. An inspection that only timed out does not count.')
    .optional(),
  submits: z.boolean().describe('Whether the file is submitted with these answers after its inspection.'),
  earlier_classes: z
    .array(EarlierClasses)
    .describe('The pixel classes of the provider’s last submissions with values and with colours.')
    .optional(),
  submission_id: uuid().nullable(),
  expires_at: time().nullable().describe('When the file expires unless it is submitted.'),
  links: Links,
});

// Versions, providers, and what forms need.

export const Dataset = named('Dataset', {
  id: id(),
  submission_id: uuid(),
  provider: NamedProvider,
  technology: z.string(),
  scope: scope(),
  state: DatasetState,
  area_km2: km2().nullable(),
  replaces: id().nullable().describe('The live version with the same technology and scope.'),
  file_name: z.string(),
  received_at: time(),
  published_at: time().nullable().describe('When the version last went live.'),
  superseded_at: time().nullable(),
  can_roll_back: z.boolean(),
  note: note(),
  processed_by: processedBy(),
  processing_fee_cents: cents(
    'The fee that rolling back charges. Cents, excluding GST; null if none.',
  ).nullable(),
});

const profileFields = {
  url: z.string().describe('An absolute HTTP or HTTPS URL.').meta({ maxLength: 500 }),
  wholesale_network: profile.wholesale_network.describe('Sells wholesale (`Yes`), directly (`No`), or both.'),
  description: z.string().describe('A short description; may be empty.').meta({ maxLength: 2000 }),
  area_served: z
    .array(z.string().meta({ maxLength: 200 }))
    .describe('Regions served.')
    .meta({ maxItems: 100 }),
};

export const SavedProfile = named('SavedProfile', {
  ...profileFields,
  name: z.string().describe('The name of the provider. Only staff can change it.').optional(),
});

export const ProviderProfile = named('ProviderProfile', {
  id: id(),
  name: z.string(),
  ...profileFields,
  url: profileFields.url.describe('The provider’s website. If empty, nothing more can be published.'),
  revision: z.int().describe('Increases with every change.'),
  profile_saved_at: time().nullable().describe('If null, manifests still change the profile.'),
});

export const PublishedCoverage = named('PublishedCoverage', {
  provider_id: id(),
  technology: z.string(),
  scope: scope(),
  dataset_id: id(),
  area_km2: km2().nullable().describe('Overlapping areas each count.'),
  published_at: time(),
});

export const Catalog = named('Catalog', {
  /** The operator’s own; null for staff. */
  provider: ProviderProfile.nullable(),
  providers: z.array(NamedProvider).describe('The providers that a manifest may name.'),
  technologies: z.array(z.object({ name: z.string(), label: z.string(), set_id: id() })),
  published: z
    .array(PublishedCoverage)
    .describe(
      'The provider’s live coverage; for staff, everyone’s. A publication replaces the live coverage of the same technology and scope, ignoring case.',
    ),
  processing_fees: z
    .object({ first_cents: z.int(), later_cents: z.int(), next_cents: z.int().nullable() })
    .describe(
      'The fees for modelling coverage from towers: an operator’s first, each later one, and this operator’s next (null for staff). Cents, excluding GST.',
    ),
  availabilities: z.array(z.enum(availabilities)),
  wholesale_networks: z.array(z.enum(wholesaleKinds)),
  speed_fields: z.array(z.enum(speedFields)),
  speed_units: z.array(z.enum(speedUnits)),
  tower_fields: z.array(z.string()),
  upload_limit_bytes: bytes().describe('The maximum size of a file.'),
  service_area: z.object({ south: z.number(), west: z.number(), north: z.number(), east: z.number() }),
  basemap_style_url: z.string().nullable(),
  today: day().describe('Today in New Zealand. Earlier planned dates are refused.'),
});

/** A fee without who of the staff changed its state, and why. */
export const OwnProcessingFee = named(
  'OwnProcessingFee',
  ProcessingFee.omit({ changed_by: true, reason: true }),
);
