import { expect, test } from 'vitest';
import { describeError, withoutSecrets } from '../../platform/described-error.ts';

const secret = 'marked-5ecret';
const all = (error: unknown) => JSON.stringify(describeError(error));
const error = (more: object) => Object.assign(new Error('failed'), { code: '23505' }, more);

test('an error in the log keeps what helps: type, message, stack, codes, causes', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', port: 5432 });
  const error = new TypeError('the work failed', { cause: new AggregateError([cause], 'tried all') });
  expect(describeError(error)).toMatchObject({
    type: 'TypeError',
    message: 'the work failed',
    stack: expect.stringContaining('described-error.test'),
    cause: { type: 'AggregateError', errors: [{ message: 'connect ECONNREFUSED', port: 5432 }] },
  });
});

test.each<[string, unknown]>([
  ['of Redis, with the arguments of AUTH', error({ command: { name: 'auth', args: ['user', secret] } })],
  ['of PostgreSQL, with values', error({ detail: `(hash)=(${secret}) exists.`, where: secret })],
  ['of an address', error({ input: `postgres://a:${secret}@b:c/d` })],
  ['of a bucket', error({ $response: { headers: { authorization: secret } }, config: { secret } })],
  ['that quotes an address', new Error(`cannot reach postgres://covermap:${secret}@10.0.0.7/covermap now`)],
  ['that quotes a query', new Error(`GET /api/1.0/availability/yx/1/2?api_key=${secret}&x=1`)],
  ['whose cause does', new Error('failed', { cause: new Error(`redis://:${secret}@127.0.0.1:6379`) })],
  ['that is none', { token: secret }],
])('an error in the log has no secret: one %s', (_, error) => {
  expect(all(error)).not.toContain(secret);
});

test('the causes of an error are not followed for ever', () => {
  const error = new Error('round');
  error.cause = error;
  expect(all(error).match(/"message":"round"/g)).toHaveLength(5);
});

test('a text without anything of the kind stays as it is', () => {
  const text = 'http://127.0.0.1:3000/readyz and a@b.example, token 12';
  expect(withoutSecrets(text)).toBe(text);
});
