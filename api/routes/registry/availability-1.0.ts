import { type RequestHandler, Router } from 'express';
import { turnTaker } from '../../../core/event-loop.ts';
import {
  isFault,
  type NameFault,
  nameInZone,
  type RegistryName,
  readLabel,
  readName,
  showFaulty,
} from '../../../core/registry/names.ts';
import type { Finding, Register, RegistryTerms } from '../../../core/registry/register.ts';
import type { ApiContext } from '../../context.ts';
import { BodyError } from '../../http/body.ts';
import { type Parameter, readParameters } from '../../http/form-parameters.ts';
import { allowAnyOrigin } from '../../middleware/any-origin.ts';
import { readOnly, sendError } from '../../middleware/errors.ts';
import { requireRegistrar } from '../../middleware/registrar-address.ts';
import { limitNames } from '../../middleware/registry-rate.ts';

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
 * order; 400 for neither or both or too many names, 403 from an address that is no registrar's, 429 beyond the registrar's
 * rate.
 */
export function registryAvailability1(context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.all('/1.0/availability', allowAnyOrigin, readOnly, requireRegistrar(context), answerNames(context));
  return router;
}

function answerNames({ register, registryLimit, config, logger }: ApiContext): RequestHandler {
  const { registryMaxNames } = config;
  const admits = limitNames(registryLimit);
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
    if (typeof question === 'string') {
      if (await admits(request, response, 1)) sendError(response, 400, question);
      return;
    }
    let body: Buffer;
    try {
      const terms = await register.terms();
      if (!(await admits(request, response, question.domains?.length ?? terms.zones.length))) return;
      body = Buffer.from(await writeEntries(register, terms, question));
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
async function writeEntries(register: Register, terms: RegistryTerms, question: Question): Promise<string> {
  const names =
    question.string === undefined
      ? await readNames(question.domains, terms)
      : namesOf(question.string, terms);
  const wanted: string[] = [];
  for (const { name, fault } of names) if (!fault) wanted.push(name.domain);
  const taken = wanted.length > 0 ? await register.taken(wanted) : undefined;
  const write = entryWriter(terms);
  let entries = '';
  for (const { name, fault } of names) {
    if (entries !== '') entries += ',';
    entries += write(fault ?? taken?.get(name.domain) ?? 'available', name);
  }
  return `[${entries}]`;
}

/** A name, or how what was asked for is shown, with what is wrong with it. */
interface AskedName {
  name: RegistryName;
  fault?: NameFault;
}

async function readNames(domains: string[], { zoneSet }: RegistryTerms): Promise<AskedName[]> {
  const names: AskedName[] = [];
  // A thousand texts that are hard to convert take a second, for which others are not kept waiting.
  const othersTurn = turnTaker();
  for (const asked of domains) {
    const name = readName(asked, zoneSet);
    names.push(isFault(name) ? { name: showFaulty(asked), fault: name } : { name });
    const wait = othersTurn();
    if (wait) await wait;
  }
  return names;
}

function namesOf(string: string, { zones, zoneSet }: RegistryTerms): AskedName[] {
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
    return zoneSet.has(name.domain) ? { name, fault: 'zone_itself' } : { name };
  });
}

type EntryWriter = (finding: Finding, name: RegistryName) => string;

const writers = new WeakMap<RegistryTerms, EntryWriter>();

/** Letters of names in ASCII, which JSON takes as they are. */
const needsNoEscaping = /^[a-z0-9.-]*$/;

/** Writes entries as JSON, by hand: a request may have a thousand, which begin alike. */
function entryWriter(terms: RegistryTerms): EntryWriter {
  const known = writers.get(terms);
  if (known) return known;
  const beginnings = new Map(
    Object.entries(terms.statuses).map(([finding, { status, code }]) => [
      finding,
      `{"status":${JSON.stringify(status)},"code":${JSON.stringify(code)},"domain":`,
    ]),
  );
  const write: EntryWriter = (finding, { domain, original }) => {
    const beginning = beginnings.get(finding);
    if (beginning === undefined) throw new Error(`the table domain_status has no row for ${finding}`);
    const written = needsNoEscaping.test(domain) ? `"${domain}"` : JSON.stringify(domain);
    return original === undefined
      ? `${beginning}${written}}`
      : `${beginning}${written},"original":${JSON.stringify(original)}}`;
  };
  writers.set(terms, write);
  return write;
}
