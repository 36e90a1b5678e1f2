import { z } from 'zod';
import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { storableJson } from '../platform/errors.ts';
import { anyObject, named, time } from '../platform/schemas.ts';
import { type Actor, actorKinds } from './actor.ts';

export type Action =
  | 'signed_in'
  | 'sign_ins_refused'
  | `token_${'created' | 'revoked'}`
  | `registrar_${'allowed' | 'denied' | 'removed'}`
  | 'register_imported'
  | 'addresses_imported'
  | 'zone_letters_changed'
  | `address_import_${'received' | 'cancelled'}`
  | 'addresses_imported'
  | `${'provider' | 'note' | 'plan' | 'fee_state' | 'billing_contact' | 'issuer'}_changed`
  | `submission_${'received' | 'published' | 'withdrawn'}`
  | 'submission_remade'
  | `exclusion_${'added' | 'removed'}`
  | `coverage_export_${'requested' | 'removed'}`
  | 'prediction_attached'
  | 'modelling_requested'
  | 'towers_refused'
  | `regions_${'imported' | 'removed'}`
  | `stop_${'made' | 'changed' | 'undone'}`
  | `dataset_${'rolled_back' | 'unpublished' | 'rollback_failed'}`
  | `customer_${'created' | 'cancelled'}`
  | 'cancellation_withdrawn'
  | `key_${'created' | 'rotated' | 'revoked'}`
  | `${'credit' | 'charge'}_booked`
  | 'entry_reversed'
  | `${'payment' | 'refund'}_recorded`
  | 'payment_reversed'
  | `invoice_${'written_off' | 'held_back' | 'issued'}`
  | 'credit_applied'
  | `credit_note_${'issued' | 'undone'}`
  | 'billing_setting_changed'
  | `plan_${'cancelled' | 'invoiced'}`
  | `overage_${'allowed' | 'refused'}`
  | `cap_${'set' | 'removed'}`
  | 'month_closed'
  | `mail_${'decided' | 'settings_changed'}`
  | `reminders_${'stopped' | 'resumed'}`
  | `bank_file_${'taken' | 'taken_back'}`
  | `bank_line_${'confirmed' | 'ignored' | 'restored'}`
  | `xero_files_${'made' | 'taken_back'}`
  | 'xero_payments_taken'
  | `rehearsal_${'begun' | 'taken_back'}`;

interface AuditEntry {
  action: Action;
  providerId?: number | null | undefined;
  customerId?: number | null | undefined;
  submissionId?: string | undefined;
  datasetId?: number | undefined;
  details?: object;
}

/** Writes an audit entry. Call it in the transaction of the action, so that both commit or neither does. */
export async function record(db: Queryable, actor: Actor, entry: AuditEntry): Promise<void> {
  await db.query(sql`
    insert into audit_event (actor_kind, token_id, actor_name, address, action, provider_id, submission_id, dataset_id,
      details, customer_id)
    values (${actor.kind}, ${actor.tokenId}, ${actor.name}, ${actor.address}, ${entry.action}, ${entry.providerId},
      ${entry.submissionId}, ${entry.datasetId}, ${storableJson(entry.details ?? {})}::jsonb, ${entry.customerId})`);
}

export const AuditEvent = named('AuditEvent', {
  id: z.int(),
  at: time(),
  actor: z.object({ kind: z.enum(actorKinds), name: z.string(), token_id: z.int().nullable() }),
  address: z.string().nullable(),
  /** An {@link Action}. */
  action: z.string(),
  provider: z.string().nullable(),
  customer: z.string().nullable(),
  submission_id: z.uuid().nullable(),
  dataset_id: z.int().nullable(),
  details: anyObject(),
});
type AuditEvent = z.output<typeof AuditEvent>;

/** `before`: an id, only older ones; `provider`: a name, ignoring case. */
interface AuditFilter extends Pick<AuditEntry, 'submissionId' | 'datasetId' | 'customerId'> {
  before?: number | undefined;
  provider?: string | undefined;
  limit: number;
}

/** Newest first. */
export async function listAuditEvents(db: Queryable, filter: AuditFilter): Promise<AuditEvent[]> {
  const { rows } = await db.query<AuditEvent>(sql`
    select e.id, e.at, json_build_object('kind', e.actor_kind, 'name', e.actor_name, 'token_id', e.token_id) as actor,
      e.address, e.action, p.name as provider, c.name as customer, e.submission_id, e.dataset_id, e.details
    from audit_event e left join provider p on p.id = e.provider_id left join customer c on c.id = e.customer_id
    where (${filter.before}::bigint is null or e.id < ${filter.before})
      and (${filter.submissionId}::uuid is null or e.submission_id = ${filter.submissionId})
      and (${filter.datasetId}::integer is null or e.dataset_id = ${filter.datasetId})
      and (${filter.provider}::text is null or lower(p.name) = lower(${filter.provider}))
      and (${filter.customerId}::integer is null or e.customer_id = ${filter.customerId})
    order by e.id desc
    limit ${filter.limit}`);
  return rows;
}
