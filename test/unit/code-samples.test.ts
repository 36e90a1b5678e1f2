import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type CodeSample, codeSamples } from '../../api/openapi/code-samples.ts';
import { describeApi } from '../../api/openapi/document.ts';
import { readConfig } from '../../platform/config.ts';
import { operationsIn } from '../setup/operations.ts';

/* The examples of the description, made of the operations themselves. That they work is in test/service/openapi.test.ts. */

const operations = operationsIn(describeApi(readConfig({})));
const samples = operations.flatMap(({ path, method, operation }) => codeSamples(path, method, operation));
const of = (lang: CodeSample['lang']) =>
  samples.filter((one) => one.lang === lang).map(({ source }) => source);

test('the examples are as many in each language, and nothing is missing in them', () => {
  expect(of('Shell').length).toBeGreaterThan(60);
  expect([of('TypeScript').length, of('Python').length]).toEqual([of('Shell').length, of('Shell').length]);
  const needed = operations.flatMap(({ operation: { parameters = [] } }) =>
    parameters.filter((one) => one.required),
  );
  for (const one of needed) expect([one.name, one.example]).not.toContain(undefined);
  for (const { source } of samples) expect(source).not.toMatch(/undefined|\[object |\{\w+\}\//);
});
test('the examples in curl are commands of a shell', () => {
  execFileSync('bash', ['-n'], { input: of('Shell').join('\n'), stdio: 'pipe' });
});
test("the examples in Python have Python's constants", () => {
  for (const source of of('Python')) {
    const withoutTexts = source.replaceAll(/"(\\.|[^"\\])*"|'[^']*'/g, '');
    expect(withoutTexts).not.toMatch(/\b(true|false|null)\b/);
  }
});
