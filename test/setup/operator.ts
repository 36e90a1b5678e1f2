import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import type { Submission } from '../../client/schema.ts';
import { operatorOf } from '../../coverage/providers/providers.ts';
import { type Database, withKeyInTurn } from '../../platform/database/database.ts';

/** The manifest of most files in tests. */
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

/** A submission as the operators' interface shows it by itself. */
export type ShownSubmission = Required<Submission> & { duplicate?: boolean; links: Record<string, string> };

/** A client of the operators' interface, with a token of its own. */
export type Client = ReturnType<typeof clientWith>;

/** @param provider whose operator it is; undefined: staff */
export async function client(url: string, database: Database, provider?: string): Promise<Client> {
  const owner =
    provider === undefined ? ({ role: 'staff' } as const) : operatorOf(provider, 'https://operator.example/');
  const token = await createToken(database, owner, `Test ${owner.role}`, commandActor);
  return clientWith(url, token);
}

/** Makes a customer whose lookups go on past the free ones, with a key, as staff do. */
export async function customerWithKey(staff: Client, name: string) {
  const { id } = await staff.json<{ id: number }>('/api/staff/customers', { name });
  await staff.json(`/api/staff/customers/${id}/overage`, { allowed: true });
  type Made = { key: { id: number }; secret: string };
  const { key, secret } = await staff.json<Made>(`/api/staff/customers/${id}/keys`, { label: name });
  return { id, keyId: key.id, key: secret };
}

/** Does something while comparisons of a provider's ready submissions seem to be under way: workers begin no others. */
export async function whileComparing(database: Database, provider: string, work: () => Promise<void>) {
  const { rows } = await database.query<{ id: string }>(
    `select s.id from submission s join provider p on p.id = s.provider_id where p.name = $1 and s.state = 'ready'`,
    [provider],
  );
  const inTurn =
    (inner: () => Promise<void>, { id }: { id: string }) =>
    () =>
      withKeyInTurn(database, `compare ${id}`, inner);
  await rows.reduce(inTurn, work)();
}

export function clientWith(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const call = (path: string, options: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...options, headers: { ...headers, ...options.headers } });
  /** Sends a body of JSON, and gives the answer whatever its status. */
  const post = (path: string, body: object = {}, method = 'POST') =>
    call(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  /** The body of a GET, or of a POST where there is something to send; anything but a 2xx is an error. */
  const json = async <T = ShownSubmission>(path: string, body?: object): Promise<T> => {
    const response = await (body ? post(path, body) : call(path));
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const submission = (id: string) => json(`/api/operator/submissions/${id}`);
  const until = async (id: string, good: (submission: ShownSubmission) => boolean) => {
    // For the message: a test's own limit is longer.
    for (const deadline = Date.now() + 300_000; ; await sleep(200)) {
      const now = await submission(id);
      if (good(now)) return now;
      if (Date.now() > deadline) throw new Error(`still ${JSON.stringify({ ...now, report: undefined })}`);
    }
  };
  type File = { name: string; bytes: Uint8Array };
  /** Submits a file with a form. */
  const send = (file: File, manifest: object | string, fields: object = {}) =>
    call('/api/operator/submissions', { method: 'POST', body: form(file, { manifest, ...fields }) });
  /** The same, which is accepted. */
  const sent = async (...given: Parameters<typeof send>) => {
    const response = await send(...given);
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as ShownSubmission;
  };
  /** The same, and waits until the submission is finished. */
  const handIn = async (file: File, manifest: object) =>
    until((await sent(file, manifest)).id, ({ finished, comparing }) => finished && !comparing);
  /** Announces an upload in pieces (tus), of so many bytes; undefined: of unknown length. */
  const beginUpload = (bytes: number | undefined, metadata: object) => {
    const length = bytes === undefined ? { 'upload-defer-length': '1' } : { 'upload-length': `${bytes}` };
    return tus('POST', '/api/operator/uploads', { ...length, 'upload-metadata': uploadMetadata(metadata) });
  };
  /** A request of the protocol for uploads in pieces. */
  const tus = (method: string, path: string, headers: Record<string, string> = {}, body?: Uint8Array) =>
    call(path, {
      method,
      headers: { 'tus-resumable': '1.0.0', ...headers },
      ...(body ? { body: new Uint8Array(body) } : {}),
    });
  /** Sends a piece of an upload, which begins so many bytes into it. */
  const sendPiece = (path: string, offset: number, bytes: Uint8Array) =>
    tus('PATCH', path, pieceAt(offset), bytes);
  /** How much of an upload is there. */
  const offsetOf = async (path: string) => Number((await tus('HEAD', path)).headers.get('upload-offset'));
  /** Uploads a whole file. @returns its id, and its submission's, which it has where it came with a manifest */
  const upload = async ({ name, bytes }: File, metadata: object = {}) => {
    const begun = await beginUpload(bytes.length, { filename: name, ...metadata });
    const path = begun.headers.get('location') as string;
    const { status, headers } = await sendPiece(path, 0, bytes);
    if (status !== 204) throw new Error(`${path}: ${status}`);
    return { id: path.split('/').at(-1) as string, submission: headers.get('submission') };
  };
  const uploading = { beginUpload, tus, sendPiece, offsetOf, upload };
  return { token, headers, call, json, post, send, submission, until, sent, handIn, ...uploading };
}

/** The headers of a piece of an upload that begins so many bytes into it. */
export const pieceAt = (offset: number) => ({
  'upload-offset': String(offset),
  'content-type': 'application/offset+octet-stream',
});

/** Signs in with a token, as a page does. */
export const signIn = (url: string, token: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ token }),
  });

/** The cookie of a session that begins, as it is sent back. */
export const cookieOf = ({ headers }: Response): string =>
  (headers.get('set-cookie') ?? '').split(';')[0] as string;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Fields of an upload; objects among those go as JSON. */
export const uploadMetadata = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(textOf(value)).toString('base64')}`)
    .join(',');

/** A form with a file and fields; objects among those go as JSON. */
export function form(file: { name: string; bytes: Uint8Array } | undefined, fields: object): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, textOf(value));
  if (file) data.append('file', new Blob([new Uint8Array(file.bytes)]), file.name);
  return data;
}
