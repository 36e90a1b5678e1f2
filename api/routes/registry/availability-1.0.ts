import type { RequestHandler } from 'express';
import { z } from 'zod';
import { turnTaker } from '../../../platform/event-loop.ts';
import { onceForEach } from '../../../platform/once-for-each.ts';
import { named } from '../../../platform/schemas.ts';
import {
  isFault,
  type NameFault,
  nameInZone,
  type RegistryName,
  readLabel,
  readName,
  showFaulty,
  zoneNamed,
} from '../../../registry/names.ts';
import { type Finding, findingOf, type Register, type RegistryTerms } from '../../../registry/register.ts';
import type { ApiContext } from '../../context.ts';
import { answer, type Route, routesFor } from '../../define-route.ts';
import { Refusal } from '../../errors.ts';
import { givenOnce, type Parameter, readParameters } from '../../http/parameters.ts';
import { limitNames, requireRegistrar } from '../../middleware/registrars.ts';
import type { DescribedLimits } from '../../openapi/types.ts';
import { anyOriginHeaders, notARegistrar, plainError, tooManyNames } from '../../schemas/document-errors.ts';

const NameStatus = named('NameStatus', {
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

/** The max bytes of a name and its parameter in a form, fully percent-encoded. */
const maxNameBytes = 1024;

/** The status of domain names: `GET /1.0/availability?string=example`, `?domains[]=example.nz&domains[]=example.co.nz`. */
export function registryAvailability1({ registryMaxNames }: DescribedLimits): Route[] {
  return [
    routesFor({ who: 'registrar', tag: 'Registry', anyOrigin: true }).get('/1.0/availability', {
      id: 'getNames',
      summary: 'Check domain names',
      description:
        'Give either `string`, a label to check in every zone, or `domains[]`, full names that are answered in order. ' +
        'The parameters may also be form-encoded in the body of the GET. An invalid name gets an entry with an error code; ' +
        'the status is still 200. Each entry of the answer counts against the registrar’s rate limit. Only the registered IP addresses of registrars have access.',
      query: z.object({
        string: z.string().optional().meta({ description: 'A label, without a zone', example: 'kauri' }),
        'domains[]': z
          .array(z.string())
          .optional()
          .describe(`Full names, at most ${registryMaxNames}; \`domains\` and \`domains[0]\` are the same`),
      }),
      answers: {
        200: answer('An entry for each zone, or for each name in the order given.', z.array(NameStatus), {
          example: [
            { status: 'Active', code: '200', domain: 'xn--phutukawa-vxb.nz', original: 'pōhutukawa.nz' },
            { status: 'Available', code: '220', domain: 'free.nz' },
          ],
          headers: anyOriginHeaders,
        }),
        400: plainError(
          400,
          'Neither or both of the parameters are given, `string` is given twice, or there are too many names.',
          'Give either string or domains[], not both.',
        ),
        403: notARegistrar,
        413: plainError(413, 'The body is too large.', 'The body has more than 1024000 bytes.'),
        415: plainError(
          415,
          'The body is compressed, or is not form-encoded.',
          'Parameters in the body have to be form-encoded (application/x-www-form-urlencoded).',
        ),
        429: tooManyNames,
        500: plainError(500, 'The register could not be read.', 'The register could not be read.'),
      },
      serve: (context) => [requireRegistrar(context), answerNames(context)],
    }),
  ];
}

function answerNames({ register, registryLimit, config }: ApiContext): RequestHandler {
  const { registryMaxNames } = config;
  const takeNames = limitNames(registryLimit);
  const unreadable = (cause: unknown) => {
    throw new Refusal(500, 'The register could not be read.', { cause });
  };
  return async (request, response) => {
    const parameters = await readParameters(request, registryMaxNames * maxNameBytes);
    const question = readQuestion(parameters, registryMaxNames);
    if (typeof question === 'string') {
      await takeNames(request, response, 1);
      throw new Refusal(400, question);
    }
    const terms = await register.terms().catch(unreadable);
    await takeNames(request, response, question.domains?.length ?? terms.zones.length);
    const body = Buffer.from(await writeEntries(register, terms, question).catch(unreadable), 'latin1');
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    // True for the moment only.
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Length', body.length);
    response.end(body);
  };
}

type Question = { string: string; domains?: never } | { string?: undefined; domains: string[] };

/** @returns the question, or the sentence of its refusal */
function readQuestion(parameters: Parameter[], maxNames: number): Question | string {
  const strings: string[] = [];
  const domains: string[] = [];
  for (const [name, value] of parameters) {
    // The most frequent first: a list has a thousand.
    if (name === 'domains[]') domains.push(value);
    else if (name === 'string') strings.push(value);
    else if (name.startsWith('string[')) return givenOnce('string');
    else if (name === 'domains' || /^domains\[\d*\]$/.test(name)) domains.push(value);
    else if (name.startsWith('domains[')) return otherParameter(name);
  }
  if (domains.length > maxNames)
    return `A request can have ${maxNames} names at most, this one has ${domains.length}.`;
  if (strings.length > 0 && domains.length > 0) return 'Give either string or domains[], not both.';
  if (domains.length > 0) return { domains };
  const [string, ...more] = strings;
  if (string === undefined || string === '')
    return 'Give string, a name without its zone, or domains[], one or more full names.';
  return more.length > 0 ? 'Give string once. Several names can be given as domains[].' : { string };
}

/** The name of a parameter that is nearly known; ignored, its names would have no entry. */
const otherParameter = (name: string) =>
  `${JSON.stringify(name.slice(0, 40))} is not a parameter of this request. Give string=<label>, or domains[]=<name> for each name.`;

/** The answer as JSON: the bytes of its UTF-8, a character each. */
async function writeEntries(register: Register, terms: RegistryTerms, question: Question): Promise<string> {
  const names =
    question.string === undefined
      ? await readNames(question.domains, terms)
      : namesOf(question.string, terms);
  const wanted: string[] = [];
  for (const { name, fault } of names) if (!fault) wanted.push(name.domain);
  const taken = wanted.length > 0 ? await register.taken(wanted) : undefined;
  const beginnings = beginningsOf(terms);
  let entries = '';
  for (const { name, fault } of names) {
    const finding = fault ?? findingOf(name, taken, terms.letters);
    const beginning = beginnings[finding];
    if (beginning === undefined) throw new Error(`the table domain_status has no row for ${finding}`);
    entries += entries === '' ? '[' : ',';
    entries += beginning;
    // A stored name has nothing to escape.
    entries += fault ? bytesOf(JSON.stringify(name.domain).slice(1, -1)) : name.domain;
    entries += name.original === undefined ? '"}' : `","original":${bytesOf(JSON.stringify(name.original))}}`;
  }
  return `${entries || '['}]`;
}

/** A single wider character makes the whole string several times as slow to send. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

/** A name; an invalid one in its shown form, with its fault. */
interface AskedName {
  name: RegistryName;
  fault?: NameFault;
}

async function readNames(domains: string[], { letters }: RegistryTerms): Promise<AskedName[]> {
  const names: AskedName[] = [];
  // A thousand texts that are hard to convert take a second; others are answered meanwhile.
  const othersTurn = turnTaker();
  for (const asked of domains) {
    const name = readName(asked, letters);
    names.push(isFault(name) ? { name: showFaulty(asked), fault: name } : { name });
    const wait = othersTurn();
    if (wait) await wait;
  }
  return names;
}

function namesOf(string: string, { zones, letters }: RegistryTerms): AskedName[] {
  const label = readLabel(string);
  if (isFault(label)) {
    const { domain, original } = showFaulty(string);
    return zones.map((zone) => ({
      name: nameInZone({ ascii: domain, unicode: original }, zone),
      fault: label,
    }));
  }
  return zones.map((zone) => {
    const name = nameInZone(label, zone);
    return zoneNamed(name.domain, letters) !== undefined ? { name, fault: 'zone_itself' } : { name };
  });
}

/** The beginning of an entry by its finding. Written by hand for speed: a request may have a thousand, which begin alike. */
const beginningsOf = onceForEach(
  ({ statuses }: RegistryTerms): Partial<Record<Finding, string>> =>
    Object.fromEntries(
      Object.entries(statuses).map(([finding, { status, code }]) => [
        finding,
        bytesOf(`{"status":${JSON.stringify(status)},"code":${JSON.stringify(code)},"domain":"`),
      ]),
    ),
);
