import { createServer } from 'node:http';
import { faultCodes } from '@covermap/coverage-files/errors.ts';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { unexpectedError } from '../../api/errors.ts';
import { csv } from '../../api/http/csv.ts';
import { errorCatalogue, statusOf } from '../../platform/error-catalogue.ts';
import { CovermapError, storableJson } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { contents } from '../../web/build/contents.ts';
import { listening } from '../setup/listen.ts';
import { readText, sourcesIn } from '../setup/project.ts';

test('what is stored as JSON holds nothing that PostgreSQL refuses, neither in texts nor in names', () => {
  const odd = {
    'a\u0000b': ['x\u0000', { '\ud800': 'y\udfff' }],
    when: new Date(0),
    none: null,
    number: 1.5,
  };
  const text = storableJson(odd);
  expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/i);
  expect(JSON.parse(text)).toEqual({
    'a\ufffdb': ['x\ufffd', { '\ufffd': 'y\ufffd' }],
    ...{ when: '1970-01-01T00:00:00.000Z', none: null, number: 1.5 },
  });
});

test('a CSV answer that fails after its first rows is logged, and cut off', async () => {
  const logged: unknown[] = [];
  const app = express();
  app.get('/ledger', (_request, response) => csv('ledger', [['id', ({ id }) => id]], rows())(response));
  app.use(unexpectedError({ error: (entry: unknown) => logged.push(entry) } as unknown as Logger));
  async function* rows() {
    // More than the stream buffers, so that the answer has begun.
    for (let id = 1; id <= 20_000; id++) yield { id };
    throw new Error('the database is away');
  }
  const server = createServer(app);
  onTestFinished(() => void server.close());
  const response = await fetch(`${await listening(server)}/ledger`);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  const request_id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const err = new Error('the database is away');
  expect(logged).toEqual([{ err, method: 'GET', path: '/ledger', request_id }]);
});

const codes = Object.values(errorCatalogue).flatMap((group) => Object.keys(group));

test('the catalogue of errors has every code once', () => expect(new Set(codes).size).toBe(codes.length));

test('every code of a request has a status, and none of a file', () => {
  const ofFiles = Object.keys(errorCatalogue.Files);
  expect(codes.filter((code) => statusOf(code) === undefined)).toEqual(ofFiles);
  expect(statusOf('configuration_invalid')).toBeUndefined();
});

test('the catalogue has every code of a file', () => {
  const sources = sourcesIn('ingest', 'packages/propagation').map(readText).join();
  const thrown = [...sources.matchAll(/Error\(\s*'([a-z]+_[a-z_]+)'/g)].map(([, code = '']) => code);
  expect(thrown.length).toBeGreaterThan(10);
  expect([...thrown, ...faultCodes].filter((code) => !codes.includes(code))).toEqual([]);
});

test('the hints of errors lead to pages that there are', () => {
  const addresses = JSON.stringify(errorCatalogue).match(/\/docs#\/[a-z0-9-]+/g) ?? [];
  expect(addresses.length).toBeGreaterThan(2);
  const chapters = contents.flatMap(({ pages }) => pages.map(({ name }) => `/docs#/${name}`));
  expect(addresses.filter((address) => !chapters.includes(address))).toEqual([]);
});

test('an error has the sentence and hint of its code where none are given', () => {
  const { message, hint } = errorCatalogue['Customers, plans and keys'].customer_unknown;
  const error = new CovermapError('customer_unknown');
  expect(error.toJSON()).toEqual({ code: 'customer_unknown', message, hint });
});
