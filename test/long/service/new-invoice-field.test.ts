import { expect, test } from 'vitest';
import { commandActor } from '../../../access/actor.ts';
import { CopyOfTree } from '../../setup/copy-of-tree.ts';
import { usePlace } from '../../setup/service.ts';

/* A field of an invoice is a column, its schema, its value at issue, and a fact: queries, CSV, paper and pages take it from there. */

const program = `
import { startApi } from './api/server.ts';
import { createToken } from './access/tokens.ts';
import { commandActor } from './access/actor.ts';
import { createCustomer } from './billing/customers.ts';
import { readConfig } from './platform/config.ts';
import { migrate } from './platform/database/migrate.ts';
import { openDatabase } from './platform/database/open.ts';
import { createLogger } from './platform/logger.ts';
import { openWorkQueue } from './coverage/jobs/queue.ts';
import { openStorage } from './platform/storage/open.ts';

const config = { ...readConfig(), port: 0, host: '127.0.0.1' };
const database = await openDatabase(config);
await migrate(database);
await createCustomer(database, { name: 'Weka', plan: 'low' }, commandActor, new Date('2031-05-28T00:00:00Z'));
const authorization = 'Bearer ' + (await createToken(database, { role: 'staff' }, 'Ana', commandActor));
const queue = openWorkQueue(config, database);
const logger = createLogger('silent');
const api = await startApi({ config, database, logger, queue, storage: await openStorage(config) });
const answers = {};
for (const address of ['', '?format=csv', '/1', '/1?format=html']) {
  answers[address] = await (await fetch(api.url + '/api/staff/invoices' + address, { headers: { authorization } })).text();
}
answers.description = await (await fetch(api.url + '/openapi.json')).json();
await api.close();
await queue.close();
await database.close();
console.log(JSON.stringify(answers));
`;

test('four changes put a field of an invoice into JSON and its description, CSV and paper', async () => {
  const place = await usePlace({}, { onDisk: true });
  const tree = new CopyOfTree([
    'access',
    'addresses',
    'api',
    'billing',
    'coverage',
    'ingest',
    'mail',
    'platform',
    'registry',
    'migrations',
  ]);
  tree.write(
    'migrations/9000_issued_by.sql',
    `alter table invoice add column issued_by text not null default '';`,
  );
  tree.replace('billing/invoices.ts', '  issued_on: day(),', '  issued_by: z.string(),\n  issued_on: day(),');
  tree.replace(
    'billing/invoicing.ts',
    'insert into invoice (number',
    'insert into invoice (issued_by, number',
  );
  tree.replace('billing/invoicing.ts', `values (\${number}`, `values (\${by}, \${number}`);
  tree.replace('billing/invoice-facts.ts', '  issued_on: Day;', '  issued_by: string;\n  issued_on: Day;');
  tree.replace(
    'billing/invoice-facts.ts',
    "  { csv: ['issued_on',",
    "  { csv: ['issued_by', ({ issued_by: by }) => by], shown: ({ issued_by: by }) => ['Issued by', by] },\n  { csv: ['issued_on',",
  );
  tree.write('issue.ts', program);
  const answers = JSON.parse(tree.run(['--import', 'tsx', 'issue.ts'], place.env));
  const by = commandActor.name;
  expect(JSON.parse(answers[''])).toMatchObject({ invoices: [{ number: 1, issued_by: by }] });
  expect(JSON.parse(answers['/1'])).toMatchObject({ number: 1, issued_by: by });
  expect(answers['?format=csv']).toMatch(/^number,month,recipient_kind,recipient,issued_by,issued_on,/);
  expect(answers['?format=csv']).toContain(`,Weka,${by},2031-05-28,`);
  expect(answers['/1?format=html']).toContain(`<dt>Issued by</dt><dd>${by}</dd>`);
  for (const name of ['Invoice', 'InvoiceDetail', 'OwnInvoiceDetail'])
    expect(answers.description.components.schemas[name].properties.issued_by, name).toEqual({
      type: 'string',
    });
});
