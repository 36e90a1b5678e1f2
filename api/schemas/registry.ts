import { z } from 'zod';
import { named } from '../../core/schemas.ts';

export const NameStatus = named('NameStatus', {
  status: z.string().describe('The meaning of the code.'),
  code: z
    .string()
    .regex(/^[2-5]\d\d$/)
    .describe(
      'The code of the whois protocol: 200 Active, 210 PendingRelease (until the end of the release window), 220 Available, 440 Request Denied (a zone itself), 500 Invalid characters, 501 Invalid domain name, 502 not in a managed zone.',
    ),
  domain: z
    .string()
    .describe(
      'The name as the register stores it: lower-case ASCII, in Punycode if the name has other letters.',
    ),
  original: z.string().optional().describe('The Unicode form, if the name has letters other than ASCII.'),
});

/** New Zealand time with its offset, as in 2026-11-22 18:06:11+13:00. */
const localTime = z.string().regex(/^\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d$/);

export const DroplistEntry = named('DroplistEntry', {
  domain: z.string().describe('The name as the register stores it.'),
  registered: localTime.describe('When the name was registered.'),
  cancel_date: localTime.describe('When the name was cancelled.'),
  release_date: localTime.describe('When the name can be released: 90 days after `cancel_date`.'),
  drop_date: localTime.describe(
    'When the name is expected to be released: the end of the first daily run after `release_date`.',
  ),
});
