import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createToken } from '../../core/access/tokens.ts';
import { commandActor } from '../../core/actor.ts';
import { comparisonKey } from '../../core/coverage/datasets/comparisons.ts';
import type { Database } from '../../core/database/database.ts';

/** What tests say of most files. */
export const manifest = {
  technology: 'fibre',
  speeds: { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 },
  publish: 'review',
};

/** Expects an answer of this status, with this code in its body. */
export async function expectCode(answer: Response | Promise<Response>, status: number, code: string) {
  const response = await answer;
  const body = (await response.json()) as { code: string };
  expect([response.status, body.code], JSON.stringify(body)).toEqual([status, code]);
}

/** What the operators' interface says of a submission, as far as tests look at it. */
export interface ShownSubmission {
  id: string;
  status: string;
  finished: boolean;
  waiting_for: string | null;
  revision: number;
  duplicate?: boolean;
  technologies: string[];
  processing_fee_cents: number | null;
  file: { name: string; size_bytes: number; sha256: string };
  towers: { count: number } | null;
  prediction: { error: { code: string } | null } | null;
  modelling?: { state: string; reason: { code: string } | null } | null;
  progress: { step: string; percent: number } | null;
  error: { code: string; message: string } | null;
  blocking: { code: string; message: string }[];
  comparison: string | null;
  comparing: boolean;
  held_back: boolean;
  datasets: {
    id: number;
    technology: string;
    scope: string;
    state: string;
    can_roll_back: boolean;
    replaces: number | null;
    change: {
      compared_with: number;
      current: boolean;
      gained_km2: number;
      lost_km2: number;
      unchanged_km2: number;
      still_covered_km2: number;
      downgraded_km2: number;
    } | null;
  }[];
  lost_areas: {
    dataset_id: number;
    areas: { km2: number; west: number; south: number; east: number; north: number }[];
  }[];
  report: { text: string[]; problems: { text: string; examples: { lat?: number }[] }[] } | null;
  links: Record<string, string>;
}

/** A client of the operators' interface, with a token of its own. */
export interface Client {
  token: string;
  headers: Record<string, string>;
  call(path: string, options?: RequestInit): Promise<Response>;
  /** The body of a GET, or of a POST where there is something to send; anything but a 2xx is an error. */
  json<T = ShownSubmission>(path: string, body?: object): Promise<T>;
  /** With a body of JSON; whatever the answer is. */
  post(path: string, body?: object, method?: string): Promise<Response>;
  /** Hands a file in with a form. */
  send(
    file: { name: string; bytes: Uint8Array },
    manifest: object | string,
    fields?: object,
  ): Promise<Response>;
  /** The same, which is accepted. */
  sent(...given: Parameters<Client['send']>): Promise<ShownSubmission>;
  /** The same, and waits until the submission is finished. */
  handIn(file: { name: string; bytes: Uint8Array }, manifest: object): Promise<ShownSubmission>;
  /** Announces a file that comes piece by piece (tus), of so many bytes, or of nobody knows how many. */
  beginUpload(bytes: number | undefined, metadata: Record<string, string>): Promise<Response>;
  submission(id: string): Promise<ShownSubmission>;
  until(id: string, good: (submission: ShownSubmission) => boolean): Promise<ShownSubmission>;
}

/** @param provider whose operator it is; undefined: staff */
export async function client(url: string, database: Database, provider?: string): Promise<Client> {
  const owner =
    provider === undefined
      ? ({ role: 'staff' } as const)
      : ({ role: 'operator', provider, url: 'https://operator.example/' } as const);
  const token = await createToken(database, owner, `Test ${owner.role}`, commandActor);
  return clientWith(url, token);
}

/** Does something as while comparisons of what a provider has ready go on for long: no others are made of it. */
export async function whileComparing(
  database: Database,
  provider: string,
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await database.query<{ id: string }>(
    `select s.id from submission s join provider p on p.id = s.provider_id where p.name = $1 and s.state = 'ready'`,
    [provider],
  );
  const holding = rows.reduce(
    (inner, { id }) =>
      async () => {
        while (!(await database.withExclusiveKey(comparisonKey(id), () => inner().then(() => true))))
          await sleep(50);
      },
    work,
  );
  await holding();
}

export function clientWith(url: string, token: string): Client {
  const headers = { authorization: `Bearer ${token}` };
  const call: Client['call'] = (path, options = {}) =>
    fetch(`${url}${path}`, { ...options, headers: { ...headers, ...options.headers } });
  const post: Client['post'] = (path, body = {}, method = 'POST') =>
    call(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  const json = async <T>(path: string, body?: object): Promise<T> => {
    const response = await (body ? post(path, body) : call(path));
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const submission = (id: string) => json<ShownSubmission>(`/api/operator/submissions/${id}`);
  const until: Client['until'] = async (id, good) => {
    for (const deadline = Date.now() + 100_000; ; await sleep(100)) {
      const now = await submission(id);
      if (good(now)) return now;
      if (Date.now() > deadline) throw new Error(`still ${JSON.stringify({ ...now, report: undefined })}`);
    }
  };
  const send: Client['send'] = (file, manifest, fields = {}) =>
    call('/api/operator/submissions', { method: 'POST', body: form(file, { manifest, ...fields }) });
  const sent: Client['sent'] = async (...given) => {
    const response = await send(...given);
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as ShownSubmission;
  };
  return {
    token,
    headers,
    call,
    json,
    post,
    send,
    submission,
    until,
    sent,
    beginUpload: (bytes, metadata) => {
      const length = bytes === undefined ? { 'upload-defer-length': '1' } : { 'upload-length': `${bytes}` };
      const described = { ...length, 'upload-metadata': uploadMetadata(metadata) };
      return call('/api/operator/uploads', {
        method: 'POST',
        headers: { 'tus-resumable': '1.0.0', ...described },
      });
    },
    handIn: async (file, said) =>
      until((await sent(file, said)).id, ({ finished, comparing }) => finished && !comparing),
  };
}

export const uploadMetadata = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

/** A form with a file and fields; objects among those go as JSON. */
export function form(file: { name: string; bytes: Uint8Array } | undefined, fields: object): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    data.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  if (file) data.append('file', new Blob([new Uint8Array(file.bytes)]), file.name);
  return data;
}
