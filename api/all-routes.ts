import type { Route } from './define-route.ts';
import type { DescribedLimits } from './openapi/types.ts';
import { addressAvailability2 } from './routes/availability/address-availability-2.0.ts';
import { addresses2 } from './routes/availability/addresses-2.0.ts';
import { availability1 } from './routes/availability/availability-1.0.ts';
import { availability2 } from './routes/availability/availability-2.0.ts';
import { bulk2 } from './routes/availability/bulk-2.0.ts';
import { bulkJobs2 } from './routes/availability/bulk-jobs-2.0.ts';
import { providers2 } from './routes/availability/providers-2.0.ts';
import { usage2 } from './routes/availability/usage-2.0.ts';
import { account } from './routes/customer/account.ts';
import { caps } from './routes/customer/caps.ts';
import { creditNotes } from './routes/customer/credit-notes.ts';
import { invoices } from './routes/customer/invoices.ts';
import { keys } from './routes/customer/keys.ts';
import { mailSettingsRoutes } from './routes/customer/mail-settings.ts';
import { receipts } from './routes/customer/receipts.ts';
import { statement } from './routes/customer/statement.ts';
import { usages } from './routes/customer/usage.ts';
import { operatorCatalog } from './routes/operator/catalog.ts';
import { datasets } from './routes/operator/datasets.ts';
import { exclusions } from './routes/operator/exclusions.ts';
import { operatorExports } from './routes/operator/exports.ts';
import { files } from './routes/operator/files.ts';
import { modelled } from './routes/operator/modelled.ts';
import { operatorProviders } from './routes/operator/providers.ts';
import { stops } from './routes/operator/stops.ts';
import { submissionEvents } from './routes/operator/submission-events.ts';
import { submissionPremises } from './routes/operator/submission-premises.ts';
import { submissionTiles } from './routes/operator/submission-tiles.ts';
import { submissions } from './routes/operator/submissions.ts';
import { towerTemplate } from './routes/operator/tower-template.ts';
import { uploads } from './routes/operator/uploads.ts';
import { basemap } from './routes/public/basemap.ts';
import { health } from './routes/public/health.ts';
import { mailOff } from './routes/public/mail-off.ts';
import { mapAddresses } from './routes/public/map-addresses.ts';
import { mapLookup } from './routes/public/map-lookup.ts';
import { mapSettings } from './routes/public/map-settings.ts';
import { metrics } from './routes/public/metrics.ts';
import { openapi } from './routes/public/openapi.ts';
import { session } from './routes/public/session.ts';
import { tiles } from './routes/public/tiles.ts';
import { registryAvailability1 } from './routes/registry/availability-1.0.ts';
import { registryDroplist1 } from './routes/registry/droplist-1.0.ts';
import { registryZones1 } from './routes/registry/zones-1.0.ts';
import { addressImports } from './routes/staff/address-imports.ts';
import { audit } from './routes/staff/audit.ts';
import { bank } from './routes/staff/bank.ts';
import { close } from './routes/staff/close.ts';
import { customers } from './routes/staff/customers.ts';
import { desk } from './routes/staff/desk.ts';
import { gst } from './routes/staff/gst.ts';
import { invoiceMail } from './routes/staff/invoice-mail.ts';
import { ledger } from './routes/staff/ledger.ts';
import { mail } from './routes/staff/mail.ts';
import { payments } from './routes/staff/payments.ts';
import { processingFees } from './routes/staff/processing-fees.ts';
import { receivables } from './routes/staff/receivables.ts';
import { rehearsal } from './routes/staff/rehearsal.ts';
import { search } from './routes/staff/search.ts';
import { billingSettings } from './routes/staff/settings.ts';
import { statistics } from './routes/staff/statistics.ts';
import { towerWork } from './routes/staff/tower-work.ts';
import { work } from './routes/staff/work.ts';
import { xero } from './routes/staff/xero.ts';

/** Every route of the API, in the order of its description. The hot path comes first. @param limits settings that descriptions name */
export function routes(limits: DescribedLimits): Route[] {
  return [
    ...availability2(limits),
    ...addressAvailability2,
    ...addresses2(limits),
    ...bulk2,
    ...bulkJobs2,
    ...providers2,
    ...usage2,
    ...availability1(limits),
    ...registryAvailability1(limits),
    ...registryDroplist1,
    ...registryZones1,
    ...submissions,
    ...submissionPremises,
    ...modelled,
    ...submissionEvents,
    ...submissionTiles,
    ...towerTemplate,
    ...operatorCatalog,
    ...operatorProviders,
    ...files,
    ...uploads,
    ...datasets,
    ...stops,
    ...exclusions,
    ...operatorExports,
    ...session,
    ...towerWork,
    ...tiles,
    ...basemap,
    ...mapLookup,
    ...mapAddresses,
    ...mapSettings,
    ...audit,
    ...work,
    ...addressImports,
    ...statistics,
    ...processingFees,
    ...close,
    ...rehearsal,
    ...bank,
    ...desk,
    ...mail,
    ...mailOff,
    ...invoiceMail,
    ...mailSettingsRoutes,
    ...search,
    ...invoices,
    ...creditNotes,
    ...ledger,
    ...payments,
    ...gst,
    ...xero,
    ...receivables,
    ...billingSettings,
    ...statement,
    ...receipts,
    ...customers,
    ...usages,
    ...caps,
    ...keys,
    ...account,
    ...openapi,
    ...health,
    ...metrics,
  ];
}
