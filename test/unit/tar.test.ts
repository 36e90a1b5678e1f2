import { expect, test } from 'vitest';
import { filterTar } from '../../platform/database/embedded/tar.ts';

const file = (name: string, text: string) => {
  const bytes = Buffer.from(text);
  const header = Buffer.alloc(512);
  header.write(name, 'latin1');
  header.write(bytes.length.toString(8).padStart(11, '0'), 124, 'latin1');
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
};
const end = Buffer.alloc(1024);

test('an archive keeps some of its files as they are', () => {
  const [a, b, c] = [file('a', 'one'), file('b', 'b'.repeat(1300)), file('c', 'c'.repeat(512))];
  const archive = Buffer.concat([a, b, c, end]);
  expect(filterTar(archive, (name) => name !== 'b')).toEqual(Buffer.concat([a, c, end]));
  expect(filterTar(archive, () => true)).toEqual(archive);
  expect(() => filterTar(archive, () => false)).toThrow('another form');
});
