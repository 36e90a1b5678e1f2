import { describe, expect, test } from 'vitest';
import { namesIn, requestsOf } from '../../web/names/list.ts';
import { csvOf, rowsOf, tabbed } from '../../web/names/rows.ts';

/* The page for lists of names reads what people paste, and makes a table that spreadsheets can take. */

describe('a pasted list', () => {
  test.each([
    ['one a line', 'kauri.nz\nrata.nz\r\nrimu.nz\rtawa.nz\n', ['kauri.nz', 'rata.nz', 'rimu.nz', 'tawa.nz']],
    [
      'commas, semicolons and tabs',
      'kauri.nz, rata.nz;rimu.nz\ttawa.nz',
      ['kauri.nz', 'rata.nz', 'rimu.nz', 'tawa.nz'],
    ],
    ['as a spreadsheet saves it', '\ufeffsep=;\r\n"kauri.nz";"rata.nz"\r\n', ['kauri.nz', 'rata.nz']],
    ['with a separator of its own', 'sep=|\nkauri.nz|rata.nz', ['kauri.nz', 'rata.nz']],
    ['with a name that is none', 'mā ori.nz\n=1+1', ['mā ori.nz', '=1+1']],
    ['of nothing', ' \n,\n"";', []],
  ])('%s', (_, text, names) => expect(namesIn(text)).toEqual({ names, repeated: 0 }));

  test('asks once for a name that is given again in another writing, and says so', () => {
    const text = 'Māori.nz\nma\u0304ori.nz\nMĀORI.nz.\nkauri.nz';
    expect(namesIn(text)).toEqual({ names: ['Māori.nz', 'kauri.nz'], repeated: 2 });
  });
});

test('a request has 250 names, or as many as fit into an address; longer ones than there are lose their end', () => {
  const short = Array.from({ length: 501 }, (_, i) => `kauri${i}.nz`);
  expect(requestsOf(short).map(({ length }) => length)).toEqual([250, 250, 1]);
  expect(requestsOf(short).flat()).toEqual(short);
  const long = Array.from({ length: 100 }, () => '木'.repeat(400));
  const requests = requestsOf(long);
  expect(requests.flat()).toEqual(Array.from({ length: 100 }, () => '木'.repeat(301)));
  for (const names of requests)
    expect(encodeURIComponent(names.map((name) => `domains[]=${name}&`).join('')).length).toBeLessThanOrEqual(
      32_000,
    );
  // Half of a letter, which cannot be percent-encoded.
  expect(requestsOf(['a\ud83d'])).toEqual([['a\ufffd']]);
});

describe('the table', () => {
  const entry = (code: string, domain: string) => ({ status: `S${code}`, code, domain });
  const zones = [
    { zone: 'nz', letters: '', moderated: false },
    { zone: 'iwi.nz', letters: '', moderated: true },
  ];
  const dates = { registered: '', cancel_date: '', release_date: '' };
  const dropping = [{ ...dates, domain: 'soon.nz', drop_date: '2026-11-30 00:00:34+13:00' }];
  const entries = [
    { ...entry('220', 'free.nz'), original: 'frée.nz' },
    entry('220', 'free.iwi.nz'),
    entry('210', 'soon.nz'),
    entry('210', 'later.nz'),
    entry('500', '=1;+2'),
    entry('299', 'other.nz'),
  ];
  const rows = rowsOf(entries, zones, dropping);

  test('says why, when it is free, and where a zone is not for everybody', () => {
    expect(rows.map(({ drop_date, reason }) => [drop_date, reason])).toEqual([
      [undefined, 'Nobody has it.'],
      [
        undefined,
        expect.stringMatching(/^Nobody has it\. Names under iwi\.nz are for those whom the zone is for/),
      ],
      ['2026-11-30 00:00:34+13:00', 'Cancelled, and released soon.'],
      [undefined, 'Cancelled, and released in more than two days.'],
      [undefined, expect.stringMatching(/^It has characters that no name has/)],
      // A code that this page does not know.
      [undefined, 'S299'],
    ]);
  });

  test('is copied and saved without formulas', () => {
    const [heading, first] = csvOf(rows).split('\r\n');
    expect(heading).toBe('domain,original,code,status,drop_date,reason');
    expect(first).toBe('free.nz,frée.nz,220,S220,,Nobody has it.');
    expect(csvOf(rows)).toContain(`\r\n'=1;'+2,,500,S500,,"It has characters`);
    expect(tabbed(rows).split('\n')[3]).toBe(
      'soon.nz\t\t210\tS210\t2026-11-30 00:00:34+13:00\tCancelled, and released soon.',
    );
  });
});
