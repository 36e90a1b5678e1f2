import type { Answer } from '../../client/client.ts';
import type { components } from '../../client/schema.ts';

/* What the API answers, by the names that its description has. Money is in cents without GST. */

type Schemas = components['schemas'];

export type Session = Schemas['Session'];
export type Catalog = Answer<'/api/operator/catalog'>;

export type MapSettings = Answer<'/api/map/settings'>;
export type MapLookup = Answer<'/api/map/lookup'>;

export type Account = Answer<'/api/account'>;
export type Billing = Answer<'/api/staff/billing'>;
export type Plan = Schemas['Plan'];
/** Null where keys may ask as often as they like. */
export type Limit = Account['limit'];
export type Customer = Schemas['Customer'];
export type ListedCustomer = Schemas['ListedCustomer'];
export type Contact = Schemas['BillingContact'];
export type CustomerToken = Schemas['CustomerToken'];
export type Key = Schemas['Key'];
export type CustomerUsage = Schemas['CustomerUsage'];
export type MonthUsage = Answer<'/api/staff/usage'>;
export type DayUsage = Schemas['DayQueries'];
export type Invoice = Schemas['Invoice'];
export type Invoices = Answer<'/api/staff/invoices'>;
export type InvoiceDetail = Schemas['InvoiceDetail'];
export type OwnInvoiceDetail = Schemas['OwnInvoiceDetail'];
/** What closing a month would make. */
export type Preview = Answer<'/api/staff/invoices/preview'>;
export type LedgerEntry = Schemas['LedgerEntry'];
export type OwnStatement = Schemas['OwnStatement'];
export type ProcessingFee = Schemas['ProcessingFee'];
export type ProcessingFees = Answer<'/api/staff/processing-fees'>;
/** What a figure was calculated from; which fields there are depends on the kind of its entry. */
export type EntrySource = LedgerEntry['source'];

export type Dataset = Schemas['Dataset'];
export type Problem = Schemas['Problem'];
/** A feature of which there was a problem. */
export type Example = Schemas['Example'];
export type ProviderProfile = Schemas['ProviderProfile'];
export type PublishedCoverage = Schemas['PublishedCoverage'];
export type Report = Schemas['Report'];
export type Status = Schemas['SubmissionStatus'];
export type Submission = Schemas['Submission'];
export type SubmissionDataset = Schemas['SubmissionDataset'];
export type SystemChoice = Schemas['ReferenceSystemChoice'];
export type Tier = Schemas['Tier'];
/** A file that came by a resumable upload. */
export type WaitingFile = Schemas['UploadedFile'];
export type PixelSummary = Schemas['PixelSummary'];
export type ValueSummary = Schemas['ValueSummary'];
/** What is said of a file. */
export type Manifest = Schemas['Manifest'];
export type Inspection = Schemas['Inspection'];
export type PixelClass = Schemas['PixelClass'];
/** What some areas of a file stand for. */
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
