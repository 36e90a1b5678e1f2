import { z } from 'zod';
import { PublishedCoverage } from '../../coverage/datasets/versions.ts';
import { DrawnArea } from '../../coverage/drawn-area.ts';
import { availabilities } from '../../coverage/offer.ts';
import { profile, wholesaleKinds } from '../../coverage/providers/profile.ts';
import { speedFields, speedUnits } from '../../coverage/speeds.ts';
import { Inspection } from '../../coverage/submissions/inspection.ts';
import { GivenManifest, pixelClass } from '../../coverage/submissions/manifest.ts';
import { modelledSpeeds, towerChanges } from '../../coverage/submissions/modelling-parameters.ts';
import { pathProfileFields } from '../../coverage/submissions/path-profile.ts';
import { reportFields } from '../../coverage/submissions/report.ts';
import { towerTrialFields, triedFields } from '../../coverage/submissions/trials.ts';
import { lostAreas, SubmissionStatus, submissionFields } from '../../coverage/submissions/views.ts';
import { ErrorReport } from '../../platform/error-report.ts';
import { day, NamedProvider, named, time } from '../../platform/schemas.ts';
import { BasemapFileView } from './map.ts';
import { rowId } from './values.ts';

/* Operators' routes. Areas are km2, speeds Mbps, boxes [west, south, east, north] in degrees. */

const id = () => z.int();
const uuid = () => z.uuid();
const bytes = () => z.int();

/** Parameters of paths. `api/guards.ts` checks that they exist, and who owns them. */
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

export { DrawnArea };

export const PixelClass = named('PixelClass', pixelClass);

export const Report = named(
  'Report',
  z
    .looseObject(reportFields)
    .describe('The validation report: what was read, repaired and dropped, and why.'),
);

export const PathProfile = named('PathProfile', pathProfileFields);

export const TriedSpeeds = named('TriedSpeeds', triedFields);

export const LastTrial = named('LastTrial', { trial: named('TowerTrial', towerTrialFields).nullable() });

export const ChangedTowers = named('ChangedTowers', towerChanges);

export const ModelledSpeeds = named('ModelledSpeeds', modelledSpeeds);

export const Submission = named('Submission', {
  ...submissionFields,
  can: z.object({
    publish: z.boolean(),
    withdraw: z.boolean(),
    attach_prediction: z.boolean(),
    try_changes: z
      .boolean()
      .describe(
        'Whether other received powers and towers can be tried, with their premises; absent where there are no addresses.',
      )
      .optional(),
    profile_paths: z.boolean().describe('Whether this server gives profiles from its towers to a place.'),
  }),
  /** From here on for single submissions only. */
  manifest: GivenManifest.optional(),
  lost_areas: lostAreas
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

// Uploaded files and their contents.

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
  /** The manifest stored for it before it was complete, or that of the submission whose file it is. */
  answers: GivenManifest.nullable().optional(),
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

// Versions, providers, and the data of forms.

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
  basemap_file: BasemapFileView,
  today: day().describe('Today in New Zealand. Earlier planned dates are refused.'),
});
