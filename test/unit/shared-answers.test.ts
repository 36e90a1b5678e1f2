import { expect, test } from 'vitest';
import { describeApi } from '../../api/openapi/document.ts';
import { shareAnswers } from '../../api/openapi/shared-answers.ts';
import type { Answer, Operation } from '../../api/openapi/types.ts';
import { readConfig } from '../../platform/config.ts';
import { withAnswers } from '../setup/operations.ts';

const json = (schema: object): NonNullable<Answer['content']> => ({
  'application/json': { schema: { ...schema } },
});
const signedOut: Answer = { description: '`not_signed_in`.', content: json({ type: 'object' }) };
const closed: Answer = { description: '`staff_only`, `not_same_origin`.', content: json({ type: 'object' }) };
const withoutBody: Answer = { description: '`not_signed_in`.' };
const customer: Answer = { description: 'The customer.', content: json({ type: 'string' }) };
const once: Answer = { description: '`invoice_unknown`.', content: json({ type: 'object' }) };
const operation = (operationId: string, responses: Record<string, Answer>): Operation => ({
  ...{ operationId, tags: ['Billing'], summary: '', security: [], responses },
});
const named = (name: string) => ({ $ref: `#/components/responses/${name}` });

test('answers of several operations are components: errors by their codes, others by their first operation', () => {
  const { paths, responses } = shareAnswers({
    '/a': {
      get: operation('getA', { 200: customer, 401: signedOut, 404: once }),
      put: operation('putA', { 200: customer, 401: signedOut, 403: closed }),
    },
    '/b': {
      post: operation('postB', { 403: closed }),
      head: operation('headB', { 401: withoutBody }),
      delete: operation('deleteB', { 401: withoutBody }),
    },
  });
  expect(responses).toEqual({
    'getA.200': customer,
    not_signed_in: signedOut,
    'staff_only-not_same_origin': closed,
    'headB.401': withoutBody,
  });
  const answersOf = (...of: (Operation<unknown> | undefined)[]) => of.map((one) => one?.responses);
  const { '/a': a, '/b': b } = paths;
  expect(answersOf(a?.get, a?.put, b?.post, b?.head, b?.delete)).toEqual([
    { 200: named('getA.200'), 401: named('not_signed_in'), 404: once },
    { 200: named('getA.200'), 401: named('not_signed_in'), 403: named('staff_only-not_same_origin') },
    { 403: named('staff_only-not_same_origin') },
    { 401: named('headB.401') },
    { 401: named('headB.401') },
  ]);
});

test('the description writes no answer twice, and each reference has its answer', () => {
  const document = describeApi(readConfig({}));
  const answers = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ responses }) => Object.values(responses))
    .filter((one) => !('$ref' in one));
  const written = [...answers, ...Object.values(document.components.responses)].map((one) =>
    JSON.stringify(one),
  );
  expect(written.length).toBeGreaterThan(200);
  expect(new Set(written).size).toBe(written.length);
  for (const item of Object.values(withAnswers(document)))
    for (const { operationId, responses } of Object.values(item))
      for (const [status, answer] of Object.entries(responses))
        expect(answer?.description, `${operationId} ${status}`).toEqual(expect.any(String));
});
