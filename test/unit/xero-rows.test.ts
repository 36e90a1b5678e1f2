import { randomNumbers } from '@covermap/testing/random.ts';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import {
  gstOfLines,
  invoiceOfXero,
  maxLines,
  type XeroSale,
  xeroFiles,
  xeroNumber,
} from '../../billing/books/xero-rows.ts';
import { gstOn } from '../../billing/charges.ts';

/* Xero's files, of papers that there are not. */

const seed = Math.floor(Math.random() * 1e9);
const next = randomNumbers(seed);
const upTo = (most: number) => 1 + Math.floor(next() * most);
const [sales, processing] = ['200', '201'];
const codes = {
  ...{ plan_fee: sales, overage: sales, adjustment: sales, charge: sales, credit: sales },
  ...{ processing_fee: processing, waiver: processing, write_off: '405' },
};

function sale(id: number, lines: number, more: Partial<XeroSale> = {}): XeroSale {
  const entries = Array.from({ length: lines }, (_, i) => {
    const [quantity, unit_price_cents] = [upTo(300), upTo(999) * (i > 0 && next() < 0.2 ? -1 : 1)];
    const kind = (['charge', 'credit', 'plan_fee', 'overage'] as const)[upTo(4) - 1] as 'charge';
    return {
      kind,
      description: `Line ${i}`,
      quantity,
      unit_price_cents,
      amount_cents: quantity * unit_price_cents,
    };
  });
  const subtotal = entries.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const gst_cents = gstOn(subtotal, 15);
  return {
    ...{
      kind: 'invoice',
      id,
      number: xeroNumber(id),
      reference: 'October 2026',
      on_day: '2026-11-01',
      due_on: '2026-12-20',
    },
    ...{
      recipient: `Kea ${id}`,
      address: '1 Queen Street\nAuckland',
      contact: 'kea@example.nz',
      is_registered: true,
    },
    ...{ gst_percent: 15, gst_cents, total_cents: subtotal + gst_cents, lines: entries },
    ...more,
  };
}
const rowsOf = (text: string) => parse(text, { columns: true }) as Record<string, string>[];

test('no file has more lines than Xero takes, and no paper is in two', () => {
  const sales = Array.from({ length: 400 }, (_, id) => sale(id + 1, upTo(id === 7 ? 1 : 9)));
  sales.splice(50, 0, sale(999, maxLines + 3));
  const files = xeroFiles(sales, [], codes);
  const seen = new Map<string, number>();
  for (const [n, { text, lines, documents, kind }] of files.entries()) {
    const rows = rowsOf(text);
    expect([rows.length, documents]).toEqual([lines, new Set(rows.map((row) => row['*InvoiceNumber'])).size]);
    expect(lines <= maxLines || documents === 1, `${lines} lines, seed ${seed}`).toBe(true);
    for (const row of rows) {
      const number = row['*InvoiceNumber'] as string;
      expect(seen.get(number) ?? n).toBe(n);
      seen.set(number, n);
      expect(Number(row.Total) > 0 ? 'invoices' : 'credit_notes').toBe(kind);
    }
  }
  expect([...seen.keys()].sort()).toEqual(sales.map(({ number }) => number).sort());
});

test('the GST of lines is each within a cent, and adds up to the paper’s', () => {
  for (let n = 0; n < 2_000; n++) {
    const one = sale(n, upTo(30));
    // As that of several credit notes is rounded once, it may be a cent aside.
    const gst_cents = one.gst_cents + (n % 3) - 1;
    const parts = gstOfLines({ ...one, gst_cents });
    expect(
      parts.reduce((sum, part) => sum + part, 0),
      `seed ${seed}`,
    ).toBe(gst_cents);
    for (const [i, part] of parts.entries())
      expect(Math.abs(part - ((one.lines[i]?.amount_cents ?? 0) * 15) / 100)).toBeLessThanOrEqual(2);
    if (n % 3 === 1)
      for (const [i, part] of parts.entries())
        expect(Math.abs(part - ((one.lines[i]?.amount_cents ?? 0) * 15) / 100)).toBeLessThan(1);
  }
});

test('a line is as Xero’s template has it, and runs in no spreadsheet', () => {
  const lines = [
    {
      kind: 'plan_fee' as const,
      description: '=2+2',
      quantity: 1,
      unit_price_cents: 50_000,
      amount_cents: 50_000,
    },
  ];
  const figures = { lines, gst_cents: 7_500, total_cents: 57_500, recipient: '@Kea "Tāne", Ltd' };
  const [file] = xeroFiles([sale(12, 1, figures)], [], { ...codes, plan_fee: '210' });
  expect(file?.text).toBe(
    '*ContactName,EmailAddress,POAddressLine1,POAddressLine2,POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode,POCountry,' +
      '*InvoiceNumber,Reference,*InvoiceDate,*DueDate,Total,InventoryItemCode,*Description,*Quantity,*UnitAmount,Discount,*AccountCode,*TaxType,TaxAmount,' +
      'TrackingName1,TrackingOption1,TrackingName2,TrackingOption2,Currency,BrandingTheme\r\n' +
      '"\'@Kea ""Tāne"", Ltd",kea@example.nz,1 Queen Street,Auckland,,,,,,,INV-12,October 2026,01/11/2026,20/12/2026,575.00,,' +
      "'=2+2,1,500.00,,210,15% GST on Income,75.00,,,,,NZD,\r\n",
  );
  const types = [true, false].map((is_registered) =>
    rowsOf(
      xeroFiles([sale(1, 1, { gst_percent: 0, gst_cents: 0, is_registered })], [], codes)[0]?.text ?? '',
    ).map((row) => row['*TaxType']),
  );
  expect(types.flat()).toEqual(['Zero Rated', 'No GST']);
});

test.each([
  ['INV-12', 12],
  [' INV-12 ', 12],
  ['INV-0012', undefined],
  ['INV-0', undefined],
  ['inv-12', undefined],
  ['12', undefined],
  ['INV-12a', undefined],
])('%s is invoice %s', (number, invoice) => {
  expect(invoiceOfXero(number)).toBe(invoice);
});
