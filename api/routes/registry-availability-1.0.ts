import { type RequestHandler, Router } from 'express';
import { turnTaker } from '../../core/event-loop.ts';
import {
  isFault,
  type NameFault,
  nameInZone,
  type RegistryName,
  readLabel,
  readName,
} from '../../core/registry/names.ts';
import type { Finding, Register, RegistryTerms } from '../../core/registry/register.ts';
import type { ApiContext } from '../app.ts';
import { BodyError } from '../body.ts';
import { type Parameter, readParameters } from '../form-parameters.ts';
import { allowAnyOrigin } from '../middleware/any-origin.ts';
import { readOnly, sendError } from '../middleware/errors.ts';
import { requireRegistrar } from '../middleware/registrar-address.ts';

/** The longest a name with its parameter may be in a form, each of its letters percent-encoded. Bytes. */
const bytesOfName = 1024;

/**
 * The status codes of domain names, those of the whois protocol.
 *
 *     GET /1.0/availability?string=example
 *     GET /1.0/availability?domains[]=example.nz&domains[]=example.co.nz
 *
 * The parameters may also be form-encoded in the body of the GET; `domains` and `domains[0]` are the same as `domains[]`.
 *
 * 200 `[{status, code, domain, original?}]`: for `string` an entry a zone, for `domains[]` an entry a name, in their
 * order; 400 for neither or both or too many names, 403 from an address that is no registrar's.
 */
export function registryAvailability1(context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.all('/1.0/availability', allowAnyOrigin, readOnly, requireRegistrar(context), answerNames(context));
  return router;
}

function answerNames({ register, registryMaxNames, logger }: ApiContext): RequestHandler {
  return async (request, response) => {
    let question: Question | string;
    try {
      question = readQuestion(
        await readParameters(request, registryMaxNames * bytesOfName),
        registryMaxNames,
      );
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      return sendError(response, error.status, error.message);
    }
    if (typeof question === 'string') return sendError(response, 400, question);
    let body: Buffer;
    try {
      body = Buffer.from(await writeEntries(register, question));
    } catch (error) {
      logger.error({ err: error }, 'names could not be looked up');
      return sendError(response, 500, 'The register could not be read.');
    }
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    // Whether a name can be had is true for the moment, and for the caller's address.
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Length', body.length);
    response.end(body);
  };
}

/** One of the two, as the caller wrote it. */
type Question = { string: string; domains?: never } | { string?: undefined; domains: string[] };

/** @returns the question, or the sentence that says why there is none */
function readQuestion(parameters: Parameter[], mostNames: number): Question | string {
  const strings: string[] = [];
  const domains: string[] = [];
  for (const [name, value] of parameters) {
    if (name === 'string') strings.push(value);
    else if (name === 'domains' || /^domains\[\d*\]$/.test(name)) domains.push(value);
  }
  if (domains.length > mostNames)
    return `A request can have ${mostNames} names at most, this one has ${domains.length}.`;
  if (strings.length > 0 && domains.length > 0) return 'Give either string or domains[], not both.';
  if (domains.length > 0) return { domains };
  const [string, ...more] = strings;
  if (string === undefined || string === '')
    return 'Give string, a name without its zone, or domains[], one or more full names.';
  return more.length > 0 ? 'Give string once. Several names can be given as domains[].' : { string };
}

/** The answer as JSON. */
async function writeEntries(register: Register, question: Question): Promise<string> {
  const terms = await register.terms();
  const names =
    question.string === undefined
      ? await readNames(question.domains, terms)
      : namesOf(question.string, terms);
  const wanted: string[] = [];
  for (const { name } of names) if (!isFault(name)) wanted.push(name.domain);
  const taken = wanted.length > 0 ? await register.taken(wanted) : undefined;
  const write = entryWriter(terms);
  let entries = '';
  for (const { asked, name } of names) {
    if (entries !== '') entries += ',';
    entries += isFault(name) ? write(name, asked) : write(taken?.get(name.domain) ?? 'available', name);
  }
  return `[${entries}]`;
}

/** A name, or what is wrong with it, and the text that it was read from. */
interface AskedName {
  asked: string;
  name: RegistryName | NameFault;
}

async function readNames(domains: string[], { zoneSet }: RegistryTerms): Promise<AskedName[]> {
  const names: AskedName[] = [];
  // A thousand texts that are hard to convert take a second, for which others are not kept waiting.
  const othersTurn = turnTaker();
  for (const asked of domains) {
    names.push({ asked, name: readName(asked, zoneSet) });
    const wait = othersTurn();
    if (wait) await wait;
  }
  return names;
}

function namesOf(string: string, { zones, zoneSet }: RegistryTerms): AskedName[] {
  const label = readLabel(string);
  return zones.map((zone) => {
    if (isFault(label)) return { asked: `${string}.${zone}`, name: label };
    const name = nameInZone(label, zone);
    return { asked: name.domain, name: zoneSet.has(name.domain) ? 'zone_itself' : name };
  });
}

type EntryWriter = (finding: Finding, name: RegistryName | string) => string;

const writers = new WeakMap<RegistryTerms, EntryWriter>();

/**
 * Writes entries as JSON, by hand: a request may have a thousand, which begin alike. A stored name needs no escaping; a
 * text that is no name does.
 */
function entryWriter(terms: RegistryTerms): EntryWriter {
  const known = writers.get(terms);
  if (known) return known;
  const beginnings = new Map(
    Object.entries(terms.statuses).map(([finding, { status, code }]) => [
      finding,
      `{"status":${JSON.stringify(status)},"code":${JSON.stringify(code)},"domain":`,
    ]),
  );
  const write: EntryWriter = (finding, name) => {
    const beginning = beginnings.get(finding);
    if (beginning === undefined) throw new Error(`the table domain_status has no row for ${finding}`);
    if (typeof name === 'string') return `${beginning}${JSON.stringify(name)}}`;
    const { domain, original } = name;
    return original === undefined
      ? `${beginning}"${domain}"}`
      : `${beginning}"${domain}","original":${JSON.stringify(original)}}`;
  };
  writers.set(terms, write);
  return write;
}
