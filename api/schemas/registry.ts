import { z } from 'zod';
import { named } from './named.ts';

export const NameStatus = named('NameStatus', {
  status: z.string().describe('What the code means, in words.'),
  code: z
    .string()
    .regex(/^[2-5]\d\d$/)
    .describe(
      'As the whois protocol has them: 200 Active, 210 PendingRelease (until the end of the window of the run that releases it), 220 Available, 440 Request Denied (a zone itself), 500 Invalid characters, 501 Invalid domain name, 502 not in a managed zone.',
    ),
  domain: z
    .string()
    .describe(
      'As the register stores it, or would: lower case, Punycode where the name has other letters. Always ASCII.',
    ),
  original: z.string().optional().describe('The Unicode form, where the name has letters other than ASCII.'),
});

/** New Zealand time with its offset, as in 2026-11-22 18:06:11+13:00. */
const localTime = z.string().regex(/^\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d$/);

export const DroplistEntry = named('DroplistEntry', {
  domain: z.string().describe('As the register stores it.'),
  registered: localTime.describe('When it was registered.'),
  cancel_date: localTime.describe('When it was cancelled.'),
  release_date: localTime.describe('90 days later: it may be released from then on.'),
  drop_date: localTime.describe(
    'When it is expected to be released: the end of the first daily run after that.',
  ),
});
