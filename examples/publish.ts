import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../client/client.ts';

// Uploads a file of coverage with its manifest, and waits until it is live: for a job of CI. Ends with 1 where it failed, and with 2 where
// a person has to look at it first. The same file again is not processed twice, unless another has replaced it meanwhile: then it is published anew.

const { COVERMAP_URL = 'http://127.0.0.1:3000', COVERMAP_TOKEN = 'operator-demo' } = process.env;
const [file = '', manifest = ''] = process.argv.slice(2);
const covermap = createClient({ url: COVERMAP_URL, token: COVERMAP_TOKEN });

const form = new FormData();
form.append('file', await openAsBlob(file), path.basename(file));
form.append('manifest', JSON.stringify({ ...JSON.parse(await readFile(manifest, 'utf8')), publish: 'auto' }));
const submit = () => covermap.post('/api/operator/submissions', { body: form });
let sent = await submit();
if (sent.duplicate && sent.status === 'superseded') {
  form.append('again', 'true');
  sent = await submit();
}
const { id } = sent;

const look = () => covermap.get('/api/operator/submissions/{id}', { path: { id } });
let submission = await look();
for (; !submission.finished && !submission.held_back; submission = await look()) await sleep(1_000);

const { status, report, blocking, error } = submission;
const where = `${COVERMAP_URL}/operator#/submission/${id}`;
for (const line of report?.text ?? []) console.log(line);
if (status === 'published') console.log(`Live: ${where}`);
else if (error) {
  console.error(`${error.code}: ${error.message} ${error.hint ?? ''}`);
  process.exitCode = 1;
} else {
  for (const { message } of blocking) console.error(message);
  const isLate = status === 'superseded';
  console.error(`${isLate ? 'Not published: a later submission is live.' : 'It waits for you:'} ${where}`);
  process.exitCode = 2;
}
