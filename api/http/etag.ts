import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the caller has what would be answered (RFC 9110, section 13.2.2): its entity tag says so or, where it names
 * none, the date it was last changed.
 */
export function isNotModified(headers: IncomingHttpHeaders, etag: string, modified: Date): boolean {
  if (headers['if-none-match'] !== undefined) return matches(headers['if-none-match'], etag);
  const since = readHttpDate(headers['if-modified-since']);
  return since !== undefined && modified.getTime() <= since;
}

/** RFC 9110, section 13.1.2: a list of entity tags compared weakly, or `*`. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const clock = '\\d\\d:\\d\\d:\\d\\d';
const httpDateForms = [
  new RegExp(`^${day}, \\d\\d ${month} \\d{4} ${clock} GMT$`),
  new RegExp(`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \\d\\d-${month}-\\d\\d ${clock} GMT$`),
  new RegExp(`^${day} ${month} [ \\d]\\d ${clock} \\d{4}$`),
];

/**
 * RFC 9110, section 5.6.7, in the three forms that a recipient takes.
 * @returns milliseconds since 1970; undefined where the text is none of them, and the header does not count
 */
function readHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !httpDateForms.some((form) => form.test(text))) return undefined;
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(instant) ? undefined : instant;
}
