import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LineFault, type RegisterRow, readRegisterFile } from '../../registry/register-file.ts';

/* The files of the provisioning system: CSV and JSON lines. */

const zones = new Set(['nz', 'co.nz']);
const latest = Date.UTC(2026, 10, 21) * 1000;
const header = 'domain,registered,cancelled\n';
const time = '2020-01-31T11:00:00Z';

async function read(text: string | Uint8Array, chunkSize = 1_000_000) {
  const bytes = Buffer.from(text as string);
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  })();
  const rows: RegisterRow[] = [];
  const faults: LineFault[] = [];
  let bytesRead = 0;
  for await (const batch of readRegisterFile({ name: 'x', size: bytes.length, chunks }, zones, latest)) {
    rows.push(...batch.rows);
    faults.push(...batch.faults);
    bytesRead = batch.bytesRead;
  }
  return { rows, faults, bytesRead, bytes: bytes.length };
}
const faultOf = async (line: string) =>
  (await read(line.startsWith('{') ? line : header + line)).faults[0]?.message;

describe('a line', () => {
  const registered = Date.parse(time) * 1000;
  const cancelled = Date.UTC(2026, 9, 1) * 1000 + 5;
  const expected = [
    { line: 2, name: 'one.nz', registered, cancelled: null },
    { line: 3, name: 'xn--mori-qsa.co.nz', registered, cancelled },
  ];
  const end = '2026-10-01T00:00:00.000005Z';
  const plain = `${header}one.nz,${time},\nmāori.co.nz,${time},${end}\n`;
  const quoted = `"domain","registered","cancelled"\n"one.nz","${time}",""\n"MĀORI.CO.NZ.","${time}","${end}"\n`;
  const others = `cancelled,holder,Registered,domain\n,"Smith, ""Jo""",${time},one.nz\n2026-10-01 13:00:00.000005+13:00,,${time},xn--mori-qsa.co.nz\n`;
  const windows = `\ufeff${plain.trim().replaceAll('\n', '\r\n')}`;
  const otherTimes = plain.replace(`nz,${time},2`, 'nz,2020-02-01 00:00:00+13,2').replace(/Z\n$/, '+0000');
  const wide = Buffer.from(`\ufeff${plain}`, 'utf16le');
  test.each<[string, string | Buffer]>([
    ['plain', plain],
    ['in UTF-16 with its byte order mark', wide],
    ['in UTF-16 with the higher byte first', Buffer.from(wide).swap16()],
    ['with line ends of Windows, and a mark of the byte order', windows],
    ['with carriage returns alone', plain.replaceAll('\n', '\r')],
    ['with semicolons, as a spreadsheet writes it', plain.replaceAll(',', ';')],
    ['with tabs', plain.replaceAll(',', '\t')],
    ['with quotes', quoted],
    ['with other columns and another order', others],
    ['with other times', otherTimes],
  ])('of CSV, %s', async (_, text) => {
    const { rows, faults, bytes, bytesRead } = await read(text);
    expect(faults).toEqual([]);
    expect(rows).toEqual(expected);
    expect(bytesRead).toBe(bytes);
  });
  test('of JSON', async () => {
    const text = `\n{"domain":"one.nz","registered":"${time}","cancelled":null,"holder":{"name":"x"}}\n{"cancelled":"${end}","domain":"m\\u0101ori.co.nz","registered":"${time}"}`;
    expect((await read(text)).rows).toEqual(expected);
  });
  test('is the same however the bytes arrive', async () => {
    const text = `${header}one.nz,${time},\nbad_.nz,${time},\nmāori.co.nz,${time},\n\nlast.nz,${time},`;
    const whole = await read(text);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (size) => {
        expect(await read(text, size)).toEqual(whole);
      }),
    );
    expect(whole.rows.map(({ line }) => line)).toEqual([2, 4, 6]);
    expect(whole.faults.map(({ line }) => line)).toEqual([3]);
  });
});

test.each<[string, RegExp]>([
  [`,${time},`, /domain is missing/],
  ['one.nz,,', /registered is missing/],
  [`one.nz,${time}`, /2 fields, the header has 3/],
  [`one.nz,${time},,`, /4 fields/],
  [`"one.nz,${time},`, /quotation mark/],
  [`on"e".nz,${time},`, /quotation mark/],
  [`one_.nz,${time},`, /"one_\.nz" has characters that no name has/],
  [`-one.nz,${time},`, /form of a name/],
  [`one.com,${time},`, /not right under a managed zone/],
  [`www.one.nz,${time},`, /not right under a managed zone/],
  [`co.nz,${time},`, /is a zone/],
  [`\u001b[2J.nz,${time},`, /^"\ufffd\[2J\.nz" has/],
  ['one.nz,yesterday,', /registered is not a time with an offset/],
  ['one.nz,2020-01-31,', /registered is not a time with an offset/],
  ['one.nz,2020-01-31 00:00:00,', /registered is not a time with an offset/],
  ['one.nz,2020-02-30T00:00:00Z,', /does not exist/],
  ['one.nz,2020-01-31T24:00:00Z,', /does not exist/],
  ['one.nz,2020-01-31T00:00:00+99:00,', /does not exist/],
  ['one.nz,1900-01-31T00:00:00Z,', /before 1980/],
  ['one.nz,2026-11-21T00:00:00.000001Z,', /registered is in the future/],
  [`one.nz,${time},9999-01-01T00:00:00Z`, /cancelled is in the future/],
  [`one.nz,${time},2020-01-31T10:59:59Z`, /cancelled is before registered/],
  ['{"domain":"one.nz"}', /registered is missing/],
  [`{"domain":1,"registered":"${time}"}`, /domain is not a text/],
  [`{"domain":"one.nz","registered":1700000000}`, /registered is not a text/],
  ['{"domain":', /not JSON/],
])('%s: %s', async (line, message) => {
  expect(await faultOf(line)).toMatch(message);
});

test('times are taken from 1980 to now, with offsets that exist, and a name may go when it came', async () => {
  const now = '2026-11-21T00:00:00Z';
  const lines = [
    ...[`a.nz,1980-01-01T00:00:00Z,${now}`, `b.nz,${now},${now}`],
    ...['c.nz,2020-01-31T11:59:59.123456789+15:59,', 'd.nz,1979-12-31T23:59:59.999999Z,'],
    ...[
      'g.nz,2020-01-31T00:00:00-03:30,',
      'e.nz,2020-01-31T00:00:00+16:00,',
      'f.nz,2020-01-31T00:00:00+01:60,',
    ],
  ];
  const { rows, faults } = await read(header + lines.join('\n'));
  expect(rows.map(({ name }) => name)).toEqual(['a.nz', 'b.nz', 'c.nz', 'g.nz']);
  expect(rows[2]?.registered).toBe(Date.UTC(2020, 0, 30, 20, 0, 59) * 1000 + 123_456);
  expect(rows[3]?.registered).toBe(Date.UTC(2020, 0, 31, 3, 30) * 1000);
  expect(faults.map(({ message }) => message.split(' ').slice(1).join(' '))).toEqual([
    ...['is before 1980', 'is a time that does not exist', 'is a time that does not exist'],
  ]);
});

test('a line may be as long as 65536 bytes, and 80 characters of it are shown', async () => {
  const long = `${header}one.nz,${time},\n`;
  const line = (length: number) => read(`${long}${'x'.repeat(length)}`, 100_000);
  expect((await line(65_536)).faults).toHaveLength(1);
  await expect(line(65_537)).rejects.toThrow('a line of more than 65536 bytes');
  for (const [length, shown] of [
    [80, 'x'.repeat(80)],
    [81, `${'x'.repeat(80)}...`],
  ] as const)
    expect(await faultOf(`${'x'.repeat(length)},${time},`)).toContain(`"${shown}" `);
});

test('a line of JSON that is no object is wrong', async () => {
  const { faults } = await read(`{"domain":"one.nz","registered":"${time}"}\n[]\nnull\n"x"`);
  expect(faults.map(({ line }) => line)).toEqual([2, 3, 4]);
});

test('bytes that are not UTF-8 are wrong where they are a name', async () => {
  const bytes = Buffer.from(`${header}m\xe4ori.nz,${time},\n`, 'latin1');
  expect((await read(bytes)).faults).toEqual([{ line: 2, message: expect.stringContaining('characters') }]);
});

test.each([
  ['nothing', ''],
  ['empty lines', '\n\n'],
  ['another header', 'name,date\n'],
  ['no header', `one.nz,${time},\n`],
  ['a broken header', '"domain,registered\n'],
  ['a picture', Buffer.alloc(200_000, 0x89)],
])('a file of %s is no register', async (_, text) => {
  await expect(read(text, 4096)).rejects.toMatchObject({ code: 'register_unreadable' });
});
