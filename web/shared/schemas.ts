import type { Answer } from '../../client/client.ts';
import type { components } from '../../client/schema.ts';

/* What the API answers, by the names that its description has. Money is in cents without GST. */

type Schemas = components['schemas'];

export type Session = Schemas['Session'];
export type Catalog = Answer<'/api/operator/catalog'>;
export type PublishedCoverage = Catalog['published'][number];
export type ProviderProfile = Schemas['ProviderProfile'];
export type Accepted = Schemas['Accepted'];
export type Status = Schemas['SubmissionStatus'];
export type Submission = Schemas['Submission'];
export type Report = Schemas['Report'];
export type Problem = Schemas['Problem'];
export type Tier = Schemas['Tier'];
export type Dataset = Schemas['Dataset'];
export type SubmissionDataset = Schemas['SubmissionDataset'];

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

/*
 * What the description of the API does not say exactly yet: written here until it does. An answer becomes one of these by
 * `exact`.
 */
export type {
  Availability,
  ColourSummary,
  InspectedLayer,
  Inspection,
  Manifest,
  Meaning,
  PixelClass,
  PixelSummary,
  SpeedField,
  Speeds,
  SpeedUnit,
  SystemChoice,
  ValueSummary,
  WaitingFile,
} from './types.ts';
export { speedFields } from './types.ts';

export function exact<T>(value: unknown): T {
  return value as T;
}
