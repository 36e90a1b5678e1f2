import { expect, test } from 'vitest';
import { storableJson } from '../../core/errors.ts';

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
    when: '1970-01-01T00:00:00.000Z',
    none: null,
    number: 1.5,
  });
});
