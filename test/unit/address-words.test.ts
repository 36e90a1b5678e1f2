import { describe, expect, test } from 'vitest';
import { askedText } from '../../addresses/asked-text.ts';
import { type HouseNumber, readNumber } from '../../addresses/number.ts';
import { joined, spellingOf, wordsOf } from '../../addresses/words.ts';

/* How the words and the numbers of addresses are read. */

const keysOf = (text: string) => wordsOf(text).map(({ key }) => key);

test.each([
  ['14 Rata Street', '14 RATA ST.'],
  ['Mount Eden Terrace', 'mt eden tce'],
  ['State Highway 1', 'SH1'],
  ['State Highway 1', 'S.H. 1'],
  ['State Highway 16', 'sh 16'],
  ['State Highway 1', 'Highway 1'],
  ['Te Atatū Road', 'te atatu rd'],
  ['Te Atatū Road', 'Te Aatatuu Road'],
  ['Saint Heliers', 'St Heliers'],
  ['First Avenue', '1st Ave'],
  ['Kaiwaka-Mangawhai Road', 'Kaiwaka Mangawhai Rd'],
  ['O’Neill Street', 'Oneill Str'],
])('%s and %s have the same words', (listed, asked) => {
  expect(keysOf(asked)).toEqual(keysOf(listed));
});

test('names are the same however their parts are spaced', () => {
  expect(joined(wordsOf('McDonald Street'))).toBe(joined(wordsOf('Mc Donald Street')));
});

test.each([
  ['Reed Street', 'Red Street'],
  ['Moss Road', 'Mos Road'],
])('%s is another name than %s', (one, other) => {
  expect(keysOf(one)).not.toEqual(keysOf(other));
});

test.each([
  ['Pātaka Street', 'Paataka Street', 'same'],
  ['Pātaka Street', 'Pataka St', 'same'],
  ['Pataka Street', 'Paataka Street', 'other length'],
  ['Pataka Street', 'Pātaka Street', 'other length'],
  // English words are made of these vowels.
  ['More Street', 'Moore Street', 'other'],
])('%s, asked as %s, is spelt: %s', (listed, asked, spelling) => {
  expect(spellingOf(wordsOf(asked), wordsOf(listed))).toBe(spelling);
});

describe('the number of a house', () => {
  const none: HouseNumber = { number: 0, suffix: '', high: '', unit: '', level: '' };
  /** As it stands before a road of one word, which ends the text. */
  const read = (text: string) => {
    const words = wordsOf(`${text} Rata`);
    return readNumber(words, () => true, words.length - 1, words.length);
  };

  test.each<[string, Partial<HouseNumber>]>([
    ['14', { number: 14 }],
    ['14B', { number: 14, suffix: 'b' }],
    ['14 b', { number: 14, suffix: 'b' }],
    ['14-16', { number: 14, high: '16' }],
    ['14 – 16', { number: 14, high: '16' }],
    ['2/14A', { number: 14, suffix: 'a', unit: '2' }],
    ['7A/256', { number: 256, unit: '7a' }],
    ['A/14', { number: 14, unit: 'a' }],
    ['1-3/14', { number: 14, unit: '1-3' }],
    ['Flat 2, 14', { number: 14, unit: '2' }],
    ['Flat 2 14', { number: 14, unit: '2' }],
    ['Unit 2/14', { number: 14, unit: '2' }],
    ['Unit B, 14', { number: 14, unit: 'b' }],
    ['Apt 305, 40', { number: 40, unit: '305' }],
    ['U2/33', { number: 33, unit: '2' }],
    ['Level 3, 450', { number: 450, level: '3' }],
    ['L3/450', { number: 450, level: '3' }],
    ['3rd floor, 450', { number: 450, level: '3' }],
    ['Ground floor 450', { number: 450, level: 'g' }],
    ['Level 3, Suite 4, 450', { number: 450, level: '3', unit: '4' }],
    ['No. 14', { number: 14 }],
  ])('%s', (text, house) => {
    expect(read(text)).toMatchObject({ house: { ...none, ...house }, isDoubtful: false });
  });

  test('stands behind the road in some orders, after its unit, too', () => {
    const behind = (text: string) => {
      const words = wordsOf(`Rata ${text}`);
      return readNumber(words, () => true, 0, 1);
    };
    expect(behind('14b').house).toEqual({ ...none, number: 14, suffix: 'b' });
    expect(behind('Unit 2 14').house).toEqual({ ...none, number: 14, unit: '2' });
  });

  test.each<[string, Partial<HouseNumber>]>([
    ['2 14', { number: 14, unit: '2' }],
    ['2, 14', { number: 14, unit: '2' }],
    ['Kauri Shop 14', { number: 14 }],
    ['16-14', { number: 16, high: '14' }],
    ['Flat 3 2/14', { number: 14, unit: '2' }],
  ])('%s is doubtful', (text, house) => {
    expect(read(text)).toMatchObject({ house: { ...none, ...house }, isDoubtful: true });
  });
});

describe('what no list has', () => {
  const plain = (text: string) => {
    const { words, postcode } = askedText(text, false);
    return [words.map((word) => word.plain).join(' '), postcode];
  };
  test.each([
    ['14 Rata Road, RD 2, Kauri 0975, New Zealand', '14 rata road kauri', '0975'],
    ['14 Rata Road RD2 Kauri NZ', '14 rata road kauri', undefined],
    ['14 Rata Road, R.D. 12, Kauri', '14 rata road kauri', undefined],
    ['14 Rata Road, Rural Delivery 6, Kauri', '14 rata road kauri', undefined],
    ['PO Box 45\n14 Rata Road\nKauri', '14 rata road kauri', undefined],
    // Numbers of houses.
    ['Rata Rd 14', 'rata rd 14', undefined],
    ['Rata Rd 2/14', 'rata rd 2 14', undefined],
    ['1240 Rata Road', '1240 rata road', undefined],
    ['Rata Road 1240', 'rata road 1240', undefined],
    ['PO Box 45, Kauri', 'po box 45 kauri', undefined],
  ])('%s', (text, words, postcode) => {
    expect(plain(text)).toEqual([words, postcode]);
  });
});
