import type { Answer } from '../../client/client.ts';
import type { Manifest, Modelling, ProcessingFee } from '../../client/schema.ts';

/* The API's answers, by the names in its description. Money is in cents without GST. */

export type * from '../../client/schema.ts';

export type MapSettings = Answer<'/api/map/settings'>;
export type TileSets = Answer<'/tiles.json'>;

export type Account = Answer<'/api/account'>;
export type Billing = Answer<'/api/staff/billing'>;
/** Null for keys without a limit. */
export type MailList = Answer<'/api/staff/mail'>;
export type Limit = Account['limit'];
export type MonthUsage = Answer<'/api/staff/usage'>;
export type Invoices = Answer<'/api/staff/invoices'>;
/** The invoices that closing a month would make. */
export type Preview = Answer<'/api/staff/invoices/preview'>;
export type HeldBack = Answer<'/api/staff/invoices/held-back'>;
/** The invoices that starting or changing a plan would issue. */
export type PlanPreview = Answer<'/api/staff/plans/preview'>;
export type FeeState = ProcessingFee['state'];
export type ProcessingFees = Answer<'/api/staff/processing-fees'>;

export type ModellingReport = NonNullable<Modelling['report']>;

/** The meaning of some areas of a file. */
export type Meaning = NonNullable<Manifest['tiers']>['values'][string];
export type Availability = NonNullable<Manifest['availability']>;
export type Speeds = NonNullable<Manifest['speeds']>;
export type SpeedUnit = 'kbps' | 'mbps' | 'gbps';

export const speedFields = [
  'bandwidth_min_mbps',
  'bandwidth_max_mbps',
  'bandwidth_up_min_mbps',
  'bandwidth_up_max_mbps',
] as const;
export type SpeedField = (typeof speedFields)[number];
