import {
  answer,
  list,
  object,
  plainError,
  query,
  ref,
  registrarRateHeaders,
  security,
  text,
  tooManyNames,
} from '../../openapi/parts.ts';
import type { DescribedLimits, Description } from '../../openapi/types.ts';

export function describeRegistryAvailability({ registryMaxNames }: DescribedLimits): Description {
  return {
    paths: {
      '/1.0/availability': {
        get: {
          operationId: 'getNames',
          tags: ['Registry'],
          summary: 'The status of domain names',
          description:
            'Either `string`, which is looked up in every zone, or `domains[]`: full names, each answered in its place. ' +
            'The parameters may also be form-encoded in the body of the GET. A name that is wrong gets its entry with a code of its own; ' +
            'the answer is a 200 all the same. Each entry of the answer takes one from the registrar’s rate. Answered to the registered addresses of registrars only.',
          security: security.nobody,
          parameters: [
            query('string', 'One label, without a zone', text(), 'kauri'),
            {
              ...query(
                'domains[]',
                `Full names, at most ${registryMaxNames}; \`domains\` and \`domains[0]\` are the same`,
                list(text()),
              ),
              style: 'form',
              explode: true,
            },
          ],
          responses: {
            200: {
              ...answer('An entry for each zone, or for each name in its order.', list(ref('NameStatus')), [
                { status: 'Active', code: '200', domain: 'xn--phutukawa-vxb.nz', original: 'pōhutukawa.nz' },
                { status: 'Available', code: '220', domain: 'free.nz' },
              ]),
              headers: { ...anyOrigin, ...registrarRateHeaders },
            },
            400: plainError(
              400,
              'Neither parameter, both, `string` twice, or too many names.',
              'Give either string or domains[], not both.',
            ),
            403: notARegistrar,
            413: plainError(413, 'A body that is too large.', 'The body has more than 1024000 bytes.'),
            415: plainError(
              415,
              'A body that is not form-encoded, or compressed.',
              'Parameters in the body have to be form-encoded (application/x-www-form-urlencoded).',
            ),
            429: tooManyNames(),
            500: plainError(500, 'The register could not be read.', 'The register could not be read.'),
          },
        },
      },
    },
    schemas: {
      NameStatus: object(
        {
          status: text('What the code means, in words.'),
          code: text(
            'As the whois protocol has them: 200 Active, 210 PendingRelease (until the end of the window of the run that releases it), 220 Available, 440 Request Denied (a zone itself), 500 Invalid characters, 501 Invalid domain name, 502 not in a managed zone.',
            { pattern: '^[2-5]\\d\\d$' },
          ),
          domain: text(
            'As the register stores it, or would: lower case, Punycode where the name has other letters. Always ASCII.',
          ),
          original: text('What was meant, where that has other letters than ASCII.'),
        },
        { optional: ['original'] },
      ),
    },
  };
}

export const anyOrigin = {
  'Access-Control-Allow-Origin': { description: 'Pages of any origin may read it.', schema: text() },
};

export const notARegistrar = plainError(
  403,
  'The address is on no registrar’s list.',
  'Calls are taken from the registered addresses of registrars only.',
);
