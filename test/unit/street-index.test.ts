import { describe, expect, test } from 'vitest';
import { askedText } from '../../addresses/asked-text.ts';
import { readStreets } from '../../addresses/reading.ts';
import { StreetIndex, type StreetRow } from '../../addresses/street-index.ts';
import { joined, typedText, wordsOf } from '../../addresses/words.ts';

/* The streets in memory, and which of them a text surely says. */

const place = { suburb: 'Stoneleigh', town: 'Kauri', authority: 'Kauri District', lat: -36.9, lng: 174.8 };
const row = (id: number, road: string, more: Partial<StreetRow> = {}): StreetRow => ({
  ...{ id, road, addresses: 10, postcodes: [], ...place, ...more },
});
const indexOf = (...rows: StreetRow[]) => {
  const index = new StreetIndex();
  for (const one of rows) index.set(one);
  return index;
};
const begun = (index: StreetIndex, text: string) =>
  index.roadsFrom(typedText(wordsOf(text)), 10).map(({ name }) => name);

describe('streets that change', () => {
  test('a street without addresses is gone, and comes back', () => {
    const index = indexOf(row(1, 'Rata Street'), row(2, 'Nikau Lane'));
    index.set(row(1, 'Rata Street', { addresses: 0 }));
    expect([index.size, begun(index, 'rat'), index.roads(joined(wordsOf('Rata Street')))]).toEqual([
      1,
      [],
      [],
    ]);
    index.set(row(1, 'Rata Street'));
    expect([index.size, begun(index, 'rat')]).toEqual([2, ['Rata Street']]);
  });

  test('names that differ by marks alone are both found, and each goes by itself', () => {
    const index = indexOf(row(1, 'Pātaka Street'), row(2, 'Pataka Street'));
    expect(begun(index, 'patak').sort()).toEqual(['Pataka Street', 'Pātaka Street']);
    index.set(row(2, 'Pataka Street', { addresses: 0 }));
    expect(begun(index, 'patak')).toEqual(['Pātaka Street']);
  });

  test('a place is gone with its last street, its words too', () => {
    const index = indexOf(
      row(1, 'Rata Street'),
      row(2, 'Nikau Lane', { suburb: 'Fernleigh', town: 'Yarrow' }),
    );
    index.set(row(2, 'Nikau Lane', { addresses: 0 }));
    const [word] = wordsOf('Fernleigh');
    expect(index.localities('fernleigh')).toEqual([]);
    expect(index.localitiesFrom('fern', 10)).toEqual([]);
    expect(word && index.isKnown(word)).toBe(false);
    // Both streets name the district.
    expect(index.localities(joined(wordsOf('Kauri District')))).toHaveLength(1);
  });

  test('the middle of a town is that of its addresses', () => {
    const index = indexOf(
      row(1, 'Rata Street', { lat: -36, addresses: 30 }),
      row(2, 'Nikau Lane', { lat: -40 }),
    );
    const town = () => {
      const [locality] = index.localities('kauri').filter(({ name }) => name === 'Kauri');
      return locality && [...index.areasOf(locality)].map(({ lat, addresses }) => [lat, addresses]);
    };
    expect(town()).toEqual([[-37, 40]]);
    index.set(row(2, 'Nikau Lane', { addresses: 0 }));
    expect(town()).toEqual([[-36, 30]]);
  });
});

describe('a text', () => {
  const index = indexOf(
    row(1, 'Rata Street'),
    row(2, 'Rata Street', { suburb: 'Fernleigh', town: 'Yarrow', authority: 'Kauri District' }),
    row(3, 'Te Atatū Road'),
    row(4, '15th Avenue'),
    row(5, 'State Highway 16'),
  );
  const isSure = (text: string) => readStreets(index, askedText(text, false), 'sure').readings.length === 1;

  test.each([
    '14 Rata Street, Stoneleigh, Kauri',
    '14 RATA ST STONELEIGH',
    'Mrs J Harrow, 14 Rata St, Stoneleigh',
    'Kererū Bakery Ltd\n14 Rata St\nStoneleigh',
    'Attn: Accounts, 14 Rata Street, Stoneleigh 0610, New Zealand',
    'Yarrow, Fernleigh, Rata Street 14',
    // The only one of its name.
    '14 Te Aatatuu Rd',
    '8 Fifteenth Ave',
    '1183 State Highway No. 16',
    '2 S.H. 16',
  ])('surely says a street: %s', (text) => {
    expect(isSure(text)).toBe(true);
  });

  test('with more words than are read surely says nothing', () => {
    const names = `${'Ann Bay, '.repeat(20)}14 Rata Street, Stoneleigh`;
    const asked = askedText(names, false);
    expect([asked.isWhole, readStreets(index, asked, 'sure').isWhole]).toEqual([false, false]);
  });

  test.each([
    // The kind, or the place, is missing or another; a letter is wrong; something is left over.
    '14 Rata, Stoneleigh',
    '14 Rata Road, Stoneleigh',
    '14 Rata Street',
    '14 Rata Street, Kauri District, Fernwood',
    '14 Ratta Street, Stoneleigh',
    '14 Rata Street, Stoneleigh, beside the shop',
    // A district with the name of a town in which the road is as well.
    '14 Rata Street, Kauri, Yarrow',
    // What stands in front may be a part of the house, or another place.
    'A 14 Rata Street Stoneleigh',
    'A, 14 Rata Street, Stoneleigh',
    'two/14 Rata Street, Stoneleigh',
    'Two, 14 Rata Street, Stoneleigh',
    'Unit One, 14 Rata Street, Stoneleigh',
    'Tower B, 14 Rata Street, Stoneleigh',
    'Kauri B, 14 Rata Street, Stoneleigh',
    'Penthouse, 14 Rata Street, Stoneleigh',
    'Rear 14 Rata Street, Stoneleigh',
    'near 14 Rata Street, Stoneleigh',
    'across from 14 Rata Street, Stoneleigh',
    'not 14 Rata Street, Stoneleigh',
    'Harrow 14 Rata Street, Stoneleigh',
    "1'4 Rata Street, Stoneleigh",
  ])('does not surely say a street, or its number: %s', (text) => {
    const { readings } = readStreets(index, askedText(text, false), 'sure');
    expect(readings.map(({ street, house }) => [street.id, house?.number])).not.toEqual([[1, 14]]);
  });
});
