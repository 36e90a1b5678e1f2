import type { Request } from 'express';
import { z } from 'zod';
import { attachmentsOf } from '../../../billing/papers/attachments.ts';
import { bodiesOf, compose, unnamedSender } from '../../../mail/compose.ts';
import { cleaned } from '../../../mail/content.ts';
import {
  countMessages,
  decide,
  decisions,
  findMessage,
  ListedMessage,
  listMessages,
  messageStates,
} from '../../../mail/outbox.ts';
import { type TemplateName, templateNames, templateOf } from '../../../mail/templates/all.ts';
import { named } from '../../../platform/schemas.ts';
import { accountNamed } from '../../billing.ts';
import type { ApiContext } from '../../context.ts';
import { answer, routesFor, type Send } from '../../define-route.ts';
import { attachment } from '../../http/attachment.ts';
import { type Column, csv, fields } from '../../http/csv.ts';
import { accountFilter, namesOneAtMost } from '../../schemas/billing.ts';
import { nextPage, rowId, soughtIfGiven } from '../../schemas/values.ts';
import { originOf } from '../../views/tile-json.ts';

const base = '/api/staff/mail';
const pageSize = 100;
/** Of the CSV file. */
const maxRows = 10_000;
const staff = routesFor({ who: 'staff', tag: 'E-mail' });
const one = routesFor({ who: 'staff', tag: 'E-mail', params: { id: rowId('The ID of the e-mail') } });

const bodies = { text: z.string(), html: z.string() };
const MailDetail = named('MailDetail', { ...ListedMessage.shape, ...bodies });
const MailTemplate = named('MailTemplate', {
  name: z.enum(templateNames),
  title: z.string(),
  when: z.string(),
  optional: z.boolean().describe('Whether its recipient can turn it off.'),
  subject: z.string(),
  ...bodies,
});

const columns: readonly Column<ListedMessage>[] = [
  ...fields('id'),
  ['account', ({ account }) => account.name],
  ...fields('title', 'address', 'subject', 'state', 'reason', 'attempts'),
  ['queued_on', ({ queued_on: at }) => at.toISOString()],
  ['sent_at', ({ sent_at: at }) => at?.toISOString() ?? null],
];

/** The e-mails that the service sends, and what staff decide on them. */
export const mail = [
  staff.get(base, {
    id: 'listMail',
    summary: 'List e-mails',
    formats: ['json', 'csv'],
    query: z
      .object({
        state: z.enum(messageStates).optional().describe('Filter by state'),
        template: z.enum(templateNames).optional().describe('Filter by template'),
        q: soughtIfGiven(),
        before: nextPage(),
        ...accountFilter,
      })
      .refine(...namesOneAtMost),
    answers: {
      200: answer(
        'The e-mails, newest first, at most 100 a page; as CSV at most 10,000.',
        z.object({
          messages: z.array(ListedMessage),
          next: z.string().nullable(),
          counts: z.object(
            Object.fromEntries(messageStates.map((state) => [state, z.int()])) as Record<
              (typeof messageStates)[number],
              z.ZodInt
            >,
          ),
          sends: z.boolean().describe('Whether a mail server is configured; else all wait in the outbox.'),
        }),
      ),
    },
    async handle({ database, config }, { query: { before, customer, provider, ...filter }, format }) {
      const asked = { ...filter, account: accountNamed({ customer, provider }) };
      const from = before === undefined ? undefined : Number(before);
      if (format === 'csv')
        return csv(
          'e-mails',
          columns,
          await listMessages(database, { ...asked, before: from, limit: maxRows }),
        );
      const messages = await listMessages(database, { ...asked, before: from, limit: pageSize + 1 });
      const page = messages.slice(0, pageSize);
      return {
        messages: page,
        next: messages.length > pageSize ? String(page.at(-1)?.id) : null,
        counts: await countMessages(database),
        sends: config.mail !== undefined,
      };
    },
  }),
  routesFor({
    who: 'staff',
    tag: 'E-mail',
    params: { name: z.enum(templateNames).meta({ example: 'invoice' }) },
  }).get('/api/staff/mail-templates/{name}', {
    id: 'getMailTemplate',
    summary: 'Preview the HTML of a template',
    formats: ['html'],
    answers: { 200: answer('The e-mail with example data.', MailTemplate) },
    handle: (context, { params, request }) => page(preview(context, request, params.name).html),
  }),
  staff.get('/api/staff/mail-templates', {
    id: 'listMailTemplates',
    summary: 'Preview the templates of e-mails',
    answers: {
      200: answer('Each template with example data.', z.object({ templates: z.array(MailTemplate) })),
    },
    handle: (context, { request }) => ({
      templates: templateNames.map((name) => preview(context, request, name)),
    }),
  }),
  one.get(`${base}/{id}`, {
    id: 'getMail',
    summary: 'Get an e-mail as it is sent',
    formats: ['json', 'html'],
    unknown: 'mail_unknown',
    answers: { 200: answer('The e-mail with its text and HTML.', MailDetail) },
    async handle({ database, config }, { params, format, request }) {
      const {
        content,
        paper: _,
        message_id: _m,
        off_token,
        queued_at: _q,
        ...message
      } = await findMessage(database, params.id);
      const origin = originOf(request, config.publicUrl);
      const shown = bodiesOf({ ...message, content, off_token }, origin);
      return format === 'html' ? page(shown.html) : { ...message, ...shown };
    },
  }),
  one.get(`${base}/{id}/eml`, {
    id: 'downloadMail',
    summary: 'Download an e-mail as a file of a mail program',
    unknown: 'mail_unknown',
    answers: {
      200: {
        description: 'The e-mail (RFC 5322).',
        content: { 'message/rfc822': { schema: z.string() } },
      },
    },
    async handle(context, { params, request }) {
      const message = await findMessage(context.database, params.id);
      const sender = senderOf(context, originOf(request, context.config.publicUrl));
      const raw = await compose(message, sender, await attachmentsOf(context.database, message));
      return file(`e-mail-${message.id}.eml`, raw);
    },
  }),
  one.post(`${base}/{id}`, {
    id: 'decideMail',
    summary: 'Decide on an e-mail that waits',
    description:
      '`again`: it is sent to the address that the account has now. `arrived`: it counts as sent. `cancel`: it is not sent.',
    body: z.object({ decision: z.enum(decisions) }),
    example: { decision: 'again' },
    unknown: 'mail_unknown',
    answers: { 200: answer('The e-mail.', ListedMessage) },
    errors: ['mail_state', 'mail_address_missing'],
    async handle({ database }, { params, body, actor }) {
      await decide(database, params.id, body.decision, actor);
      const {
        content: _,
        paper: _p,
        message_id: _m,
        off_token: _o,
        queued_at: _q,
        ...message
      } = await findMessage(database, params.id);
      return message;
    },
  }),
];

/** A template with its example. */
function preview({ config }: ApiContext, request: Request, name: TemplateName) {
  const { title, when, topic, write, example } = templateOf(name);
  const { subject, blocks: content } = cleaned(write(example));
  const off_token = '00000000-0000-0000-0000-000000000000';
  const shown = bodiesOf(
    { subject, content, template: name, off_token },
    originOf(request, config.publicUrl),
  );
  return { name, title, when, optional: topic !== null, subject, ...shown };
}

const senderOf = ({ config }: Pick<ApiContext, 'config'>, origin: string) => ({
  from: config.mailFrom ?? unnamedSender,
  origin,
});

/** Its own page, which loads and runs nothing. */
const page =
  (html: string): Send =>
  (response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups",
    );
    response.end(html);
  };

const file =
  (name: string, bytes: Buffer): Send =>
  (response) => {
    response.setHeader('Content-Type', 'message/rfc822');
    response.setHeader('Content-Disposition', attachment(name));
    response.end(bytes);
  };
