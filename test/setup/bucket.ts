import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { listening } from './listen.ts';

export type Bucket = Awaited<ReturnType<typeof startBucket>>;

/** A bucket of the tests' own, served by s3rver from a folder, which goes with it: a temporary one unless another is given. */
export async function startBucket({
  folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-bucket-')),
  port = 0,
} = {}) {
  const name = 'coverage';
  const s3rver = new S3rver({ directory: folder, silent: true, configureBuckets: [{ name, configs: [] }] });
  await s3rver.configureBuckets();
  const serve = s3rver.callback();
  const parts = path.join(folder, name, '._S3rver_uploads');
  const server = createServer((request, response) => {
    if (bucket.full && refuseBytes(request, response)) return;
    if (!answerUploads(parts, request, response)) serve(request, response);
  });
  const endpoint = await listening(server, port);
  const bucket = {
    name,
    endpoint,
    /** True: no space is left, and writes are refused as MinIO refuses them. */
    full: false,
    env: {
      S3_BUCKET: name,
      S3_ENDPOINT: endpoint,
      S3_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    keys: () =>
      readdirSync(path.join(folder, name))
        .filter((file) => file.endsWith('._S3rver_object'))
        .map((file) => file.replace('._S3rver_object', ''))
        .sort(),
    /** Number of uploads in parts that were begun and neither completed nor aborted. */
    openUploads: () => (existsSync(parts) ? readdirSync(parts).length : 0),
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return bucket;
}

function answer(response: ServerResponse, status: number, body = ''): true {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
  return true;
}

/** The beginning of an upload in parts needs no space, its parts do. */
function refuseBytes(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'PUT') return false;
  const full = '<Error><Code>XMinioStorageFull</Code><Message>Storage backend is full.</Message></Error>';
  request.resume().on('end', () => answer(response, 507, full));
  return true;
}

/** Answers two requests about uploads in parts that s3rver lacks: to list the parts, and to abort an upload. */
function answerUploads(parts: string, request: IncomingMessage, response: ServerResponse): boolean {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const id = url.searchParams.get('uploadId');
  if (!id || !/^[\w-]+$/.test(id) || (request.method !== 'GET' && request.method !== 'DELETE')) return false;
  const folder = path.join(parts, id);
  if (!existsSync(folder))
    return answer(response, 404, '<Error><Code>NoSuchUpload</Code><Message>It is gone.</Message></Error>');
  if (request.method === 'DELETE') {
    rmSync(folder, { recursive: true });
    return answer(response, 204);
  }
  const numbers = readdirSync(folder).filter((file) => /^\d+$/.test(file));
  const listed = numbers.map((number) => {
    const size = statSync(path.join(folder, number)).size;
    const etag = readFileSync(path.join(folder, `${number}.md5`), 'utf8');
    return `<Part><PartNumber>${number}</PartNumber><ETag>"${etag}"</ETag><Size>${size}</Size></Part>`;
  });
  const list = `<IsTruncated>false</IsTruncated>${listed.join('')}`;
  return answer(response, 200, `<ListPartsResult>${list}</ListPartsResult>`);
}
