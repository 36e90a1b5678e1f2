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
