import { describe, expect, test } from 'vitest';
import { countQuery, limitQueries } from '../../api/middleware/key.ts';
import { CovermapError } from '../../platform/errors.ts';
import { keyedRequest } from '../setup/keyed-request.ts';

/** How often a request with this status of its answer is counted, over a connection in this state. */
function countedOf(statusCode: number, socket: object): number {
  let counted = 0;
  const { request, response } = keyedRequest({ answer: { statusCode }, socket });
  countQuery({ count: () => void counted++ })(request, response, () => undefined);
  response.emit('finish');
  return counted;
}

const open = { destroyed: false, errored: null, readableEnded: false };

test.each<[string, number, object, number]>([
  ['was sent', 200, open, 1],
  ['is a 304', 304, open, 0],
  ['is an error', 400, open, 0],
  // The end of the caller's requests can be read while the answer still waits in a buffer.
  ['was sent to who has ended their half meanwhile', 200, { ...open, readableEnded: true }, 1],
  ['could not be sent, as the connection was cut', 200, { ...open, destroyed: true }, 0],
  ['could not be sent, as writing failed', 200, { ...open, errored: new Error('write EPIPE') }, 0],
])('an answer that %s', (_, status, socket, expected) => {
  expect(countedOf(status, socket)).toBe(expected);
});

describe('a free query is used by an answer that counts, and given back by any other', () => {
  /** How the query of a key without a plan ends. */
  async function endsOf(
    statusCode: number,
    { hold = {}, closed = false, limits = ' ' as string | null, cut = false } = {},
  ) {
    const seen: unknown[] = [];
    const key = { customerId: 7, limits };
    const socket = { ...open, destroyed: cut };
    const { request, response } = keyedRequest({ key, answer: { statusCode, closed }, socket });
    const queryHolds = {
      take: async ({ customerId }: { customerId: number }) => {
        seen.push(customerId);
        return hold;
      },
      end: (_hold: object, isUsed: boolean) => seen.push(isUsed),
    };
    const limit = limitQueries(
      { queryHolds, now: () => new Date() } as never,
      { refuse: () => seen.push('refused') } as never,
    );
    await limit(request, response, () => seen.push('passed'));
    countQuery({ count: () => undefined })(request, response, () => undefined);
    response.emit('finish');
    seen.push('sent');
    response.emit('close');
    return seen;
  }

  test.each<[string, number, Parameters<typeof endsOf>[1], unknown[]]>([
    ['used', 200, {}, [7, 'passed', 'sent', true]],
    ['given back after an error', 400, {}, [7, 'passed', 'sent', false]],
    ['given back after an answer that was cut off', 200, { cut: true }, [7, 'passed', 'sent', false]],
    ['given back at once where the caller has left', 200, { closed: true }, [7, false, 'passed', 'sent']],
    [
      'none is left',
      200,
      { hold: new CovermapError('free_queries_used_up', 'None is left.') },
      [7, 'refused', 'sent'],
    ],
    ['not needed with a plan', 200, { limits: null }, ['passed', 'sent']],
  ])('%s', async (_, status, given, expected) => {
    expect(await endsOf(status, given)).toEqual(expected);
  });
});
