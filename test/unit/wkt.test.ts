import { nztmPrj } from '@covermap/testing/shapes.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findNode, parseWktList } from '../../ingest/systems/wkt.ts';

const parseWkt = (text: string) => {
  const list = parseWktList(text);
  return list?.length === 1 ? list[0]?.node : undefined;
};

test('nodes, texts, numbers and words are distinguished, with either brackets', () => {
  const axis = { keyword: 'AXIS', items: ['east (E)', 'east', { keyword: 'ORDER', items: [1] }] };
  const system = parseWkt(' CS[Cartesian, 2, AXIS("east (E)",east,ORDER[1])] \n');
  expect(system).toEqual({ keyword: 'CS', items: ['Cartesian', 2, axis] });
});

test('numbers have signs, points and exponents', () => {
  expect(parseWkt('A[-1.5,+2,1e3,6.02E-2,.5]')?.items).toEqual([-1.5, 2, 1000, 0.0602, 0.5]);
});

test('a node is found wherever it is', () => {
  const root = parseWkt(nztmPrj);
  expect(root && findNode(root, 'SPHEROID')?.items).toEqual(['GRS_1980', 6378137, 298.257222101]);
  expect(root && findNode(root, 'ELLIPSOID')).toBeUndefined();
});

test.each([
  ...['', '  ', 'A', 'A[', 'A[]', 'A[1', 'A[1,]', 'A[,1]', 'A[1)', 'A[1]B[2]', 'A[1]]', '"A"[1]', 'A["x]'],
  ...['A[1 2]', '[1]', 'A[B[]]', '+proj=longlat', 'A[x;y]', 'A[é]'],
])('a text that is not well-formed gives nothing: %j', (text) => {
  expect(parseWkt(text)).toBeUndefined();
});

test('a definition cut short anywhere is nothing', () => {
  for (let length = 0; length < nztmPrj.length; length++)
    expect(parseWkt(nztmPrj.slice(0, length))).toBeUndefined();
});

test('brackets without end are nothing, and take no time or stack', () => {
  expect(parseWkt('A['.repeat(30_000))).toBeUndefined();
  expect(parseWkt('A["'.padEnd(60_000, '"'))).toBeUndefined();
});

test('more nodes than any system has are nothing', () => {
  const withNodes = (count: number) => parseWkt(`A[${Array.from({ length: count - 1 }, () => 'B[1]')}]`);
  expect(withNodes(5000)?.items).toHaveLength(4999);
  expect(withNodes(5001)).toBeUndefined();
});

test('any text parses or does not, and none is an error', () => {
  const text = fc.string({ unit: fc.constantFrom(...'A[](),"1 .-e'), maxLength: 40 });
  fc.assert(fc.property(text, (any) => parseWkt(any)?.items.length !== 0));
});
