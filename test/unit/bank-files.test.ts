import { describe, expect, test } from 'vitest';
import { maxFileRows } from '../../billing/bank/csv-rows.ts';
import { readBankFile } from '../../billing/bank/read-file.ts';

/* Files as New Zealand's banks export them. */

const read = (text: string | Uint8Array, told = {}) =>
  readBankFile(typeof text === 'string' ? Buffer.from(text) : text, {
    layouts: [],
    today: '2026-11-29',
    ...told,
  });
const refusal = async (text: string | Uint8Array, told = {}) => {
  const error = await read(text, told).then(
    () => undefined,
    (reason) => reason as { code: string; message: string },
  );
  return error && `${error.code}: ${error.message}`;
};

const anz = 'Type,Details,Particulars,Code,Reference,Amount,Date,ForeignCurrencyAmount,ConversionCharge';
const asb = [
  'Created date / time : 27 November 2026 / 17:21:57',
  'Bank 12; Branch 3405; Account 0123456-50 (Streamline)',
  ...[
    'From date 20261101',
    'To date 20261127',
    'Avail Bal : 5694.05 as of 20261127',
    'Ledger Balance : 5694.05 as of 20261127',
  ],
  'Date,Unique Id,Tran Type,Cheque Number,Payee,Memo,Amount',
  '',
].join('\r\n');
const bnz =
  'Date,Amount,Payee,Particulars,Code,Reference,Tran Type,This Party Account,Other Party Account,Serial,Transaction Code,Batch Number,Originating Bank/Branch,Processed Date';
const westpac = 'Date,Amount,Other Party,Description,Reference,Particulars,Analysis Code';
const kiwibank =
  'Account number,Date,Memo/Description,Source Code (payment type),TP ref,TP part,TP code,OP ref,OP part,OP code,OP name,OP Bank Account Number,Amount (credit),Amount (debit),Amount,Balance';

describe('a bank’s file is read by its headings', () => {
  test.each([
    ['ANZ', `${anz}\nDirect Credit,Kea Networks,NOV,KEA,INV 12,"1,115.00",03/11/2026,,`, '', { code: 'KEA' }],
    [
      'ASB',
      `${asb}\r\n2026/11/03,2026110301,D/C,,"D/C FROM KEA NETWORKS","INV 12",1115.00`,
      '12-3405-0123456-50',
      { payer: 'D/C FROM KEA NETWORKS' },
    ],
    [
      'BNZ',
      `${bnz}\n03/11/26,1115.00,Kea Networks,NOV,,INV 12,DC,02-0820-0660426-00,---,,"50",0000,"02-1255",03/11/26`,
      '02-0820-0660426-00',
      { payer: 'Kea Networks' },
    ],
    [
      'Westpac',
      `${westpac}\n03/11/2026,1115.00,Kea Networks,DEPOSIT,INV 12,NOV,`,
      '',
      { particulars: 'NOV' },
    ],
    [
      'Kiwibank',
      `${kiwibank}\n38-9000-0123456-00,03-11-2026,KEA NETWORKS ;,DC,INV 12,NOV,,,,,Kea Networks,,1115.00,,1115.00,9000.00`,
      '38-9000-0123456-00',
      { particulars: 'NOV' },
    ],
  ])('of %s', async (bank, text, account, more) => {
    const file = await read(text);
    expect(file).toMatchObject({ bank, account, debits: 0, zeros: 0 });
    expect(file.lines).toMatchObject([
      { on_day: '2026-11-03', amount_cents: 111_500, reference: 'INV 12', ...more },
    ]);
  });

  test('in UTF-8 with a mark, UTF-16 and Windows-1252 alike, with lines of CR LF', async () => {
    const text = `${anz}\r\nDirect Credit,"Café ""Tūī""",,,INV 12,5.00,03/11/2026,,\r\n`;
    const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
    const narrow = Buffer.from(text.replace('ū', 'u').replace('ī', 'i'), 'latin1');
    expect((await read(`\ufeff${text}`)).lines[0]?.payer).toBe('Café "Tūī"');
    expect((await read(wide)).lines[0]?.payer).toBe('Café "Tūī"');
    expect((await read(narrow)).lines[0]?.payer).toBe('Café "Tui"');
  });

  test('what went out and what is nothing is counted', async () => {
    const rows = [
      'Eft-Pos,Shop,,,,-5.20,03/11/2026,,',
      'Fee,,,,,0.00,03/11/2026,,',
      'Direct Credit,Kea,,,,5.20,03/11/2026,,',
    ];
    expect(await read([anz, ...rows].join('\n'))).toMatchObject({
      debits: 1,
      zeros: 1,
      lines: [{ line: 4 }],
    });
  });

  test('equal lines of a day are told apart by their number, the same in a file that overlaps', async () => {
    const row = (day: string) => `Direct Credit,Kea,,,,5.20,${day}/11/2026,,`;
    const first = await read([anz, row('02'), row('03'), row('03')].join('\n'));
    const second = await read([anz, row('03'), row('03'), row('03'), row('04')].join('\n'));
    const known = new Set(first.lines.map(({ identity }) => identity));
    expect(known.size).toBe(3);
    expect(second.lines.filter(({ identity }) => known.has(identity))).toHaveLength(2);
  });

  test('a character at the end of what is kept of a text is whole or not there', async () => {
    const text = `${'x'.repeat(199)}😀`;
    const { lines } = await read(`${anz}\nDirect Credit,,,,${text},1.00,27/11/2026,,`);
    expect(lines[0]?.reference).toBe('x'.repeat(199));
  });

  test('the bank’s own id is the line, whatever the texts become', async () => {
    const [before, after] = await Promise.all(
      ['KEA NETWORKS', 'Kea Networks'].map((payer) =>
        read(`${asb}\n2026/11/03,2026110301,D/C,,${payer},INV 12,5.00`),
      ),
    );
    expect(before?.lines[0]?.identity).toBe(after?.lines[0]?.identity);
  });
});

describe('another file', () => {
  const own = 'Posted;Who;What;In;Out\n';
  const named = {
    bank: 'Co-operative',
    columns: { date: 'Posted', payer: 'Who', reference: 'What', credit: 'In', debit: 'Out' },
  };

  test('is read by the columns that somebody names', async () => {
    const file = await read(`${own}13/11/2026;Kea Networks;INV 12;1.115,00;`.replace('1.115,00', '1115.00'), {
      named,
    });
    expect(file).toMatchObject({
      bank: 'Co-operative',
      lines: [{ on_day: '2026-11-13', amount_cents: 111_500 }],
    });
  });

  test('without them is refused with its headings', async () => {
    expect(await refusal(`${own}13/11/2026;Kea;INV 12;5;`)).toMatch(
      /^bank_headings_unknown: .*Posted, Who, What, In, Out/,
    );
  });

  test('whose dates may be of either order is asked about, never guessed', async () => {
    const text = `${own}03/04/2026;Kea;INV 12;5;`;
    expect(await refusal(text, { named })).toMatch(/^bank_dates_ambiguous/);
    expect((await read(text, { named, dates: 'dmy' })).lines[0]?.on_day).toBe('2026-04-03');
    expect((await read(text, { named, dates: 'mdy' })).lines[0]?.on_day).toBe('2026-03-04');
    expect((await read(`${own}03/13/2026;Kea;x;5;\n03/04/2026;Kea;x;5;`, { named })).lines[1]?.on_day).toBe(
      '2026-03-04',
    );
  });
});

describe('a file is refused with the line that is wrong', () => {
  test.each([
    [
      'a day to come',
      `${anz}\nDirect Credit,Kea,,,,5,30/11/2026,,`,
      /Line 2 is of a day to come: 2026-11-30/,
    ],
    ['an American date', `${anz}\nDirect Credit,Kea,,,,5,11/13/2026,,`, /Line 2 has a date that is none/],
    ['no date', `${anz}\nDirect Credit,Kea,,,,5,,,`, /Line 2 has no date/],
    [
      'an amount in words',
      `${anz}\nDirect Credit,Kea,,,,five,03/11/2026,,`,
      /Line 2 has an amount that is none/,
    ],
    [
      'another currency',
      `${anz}\nDirect Credit,Kea,,,,US$5.00,03/11/2026,,`,
      /Line 2 has an amount that is none of New Zealand dollars/,
    ],
    ['a currency column', `Day,Amount,Currency\n2026-11-03,5,AUD`, /Line 2 is in AUD/],
    [
      'too large an amount',
      `${anz}\nDirect Credit,Kea,,,,99999999999,03/11/2026,,`,
      /Line 2 has an amount above/,
    ],
    ['too few columns', `${anz}\nDirect Credit,Kea`, /Line 2 has 2 columns/],
    [
      'no account lines of ASB',
      'Date,Unique Id,Tran Type,Cheque Number,Payee,Memo,Amount\n2026/11/03,1,D/C,,Kea,x,5',
      /which account of ASB/,
    ],
    ['no lines', anz, /headings and no lines/],
    ['nothing', '', /is empty/],
    ['an image', '\u0000\u0001PNG', /is not a CSV file/],
    ['an endless quotation', `${anz}\n"${'x'.repeat(30_000)}`, /cannot be read/],
    ['many columns', `${anz}\n${','.repeat(500)}`, /more than 100 columns/],
    [
      'several accounts',
      `${bnz}\n03/11/26,1,A,,,,DC,02-1,-,,"50",0,"02",x\n03/11/26,1,A,,,,DC,02-2,-,,"50",0,"02",x`,
      /several accounts/,
    ],
    [
      'many lines',
      `${anz}\n${'Direct Credit,Kea,,,,5,03/11/2026,,\n'.repeat(maxFileRows + 1)}`,
      /more than 5,000 lines/,
    ],
    ['2 MB', `${anz}\n${'x'.repeat(2_100_000)}`, /more than 2 MB/],
  ])('%s', async (_, text, message) => {
    const named = { bank: 'Own', columns: { date: 'Day', amount: 'Amount', currency: 'Currency' } };
    const refused = await refusal(text, text.startsWith('Day') ? { named } : {});
    expect(refused).toMatch(message);
  });
});
