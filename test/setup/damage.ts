import type { Random } from '@covermap/testing/random.ts';
import { zip } from '@covermap/testing/zip.ts';
import { wildText } from './wild-values.ts';

/* Damage to files, of chance: to their bytes, to what they say, and to the archives they come in. */

const largeNumbers = [0xffffffff, 0x7fffffff, 0x80000000, 0x10000000, 0xffff, 0];
const texts = [
  ...['-1', '1e999', 'NaN', '0', '9'.repeat(400), '-180.0000001', '', 'null'],
  ...['[', '{"a":', '</a>', '&a;', '"'],
];

/** A file with some damage. @param inside its files, unpacked, where it is an archive */
export async function damagedFile(
  whole: Buffer,
  inside: readonly [string, Buffer][] | undefined,
  random: Random,
): Promise<Buffer> {
  if (!inside || random.chance(0.25)) return damaged(whole, random);
  const chosen = random.below(inside.length);
  const files = inside.map(([name, content], i): [string, Buffer] => [
    name,
    i === chosen ? damaged(content, random) : content,
  ]);
  const kept = random.chance(0.1) ? files.filter((_, i) => i !== chosen) : files;
  const archive = await zip(Object.fromEntries(kept));
  switch (random.below(12)) {
    case 0:
      return withOtherSizes(archive, random);
    case 1:
      return withOtherName(archive, inside[chosen]?.[0] ?? '', random);
    case 2:
      return zip({ 'inner.zip': random.chance(0.5) ? await zip({ 'inner.zip': archive }) : archive });
    default:
      return archive;
  }
}

function damaged(bytes: Buffer, random: Random): Buffer {
  const at = () => random.below(bytes.length);
  const copy = Buffer.from(bytes);
  switch (random.below(9)) {
    case 0:
      return bytes.subarray(0, at());
    case 1: {
      const from = at();
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random.below(64))]);
    }
    case 2: {
      // A block twice, or where another was.
      const [from, to] = [at(), at()];
      const block = bytes.subarray(from, from + 1 + random.below(4_096));
      return Buffer.concat([
        bytes.subarray(0, to),
        block,
        bytes.subarray(to + (random.chance(0.5) ? block.length : 0)),
      ]);
    }
    case 3:
    case 4: {
      // Counts and offsets, of which most stand in headers.
      if (bytes.length < 4) return copy;
      const place = random.below(Math.min(bytes.length, random.chance(0.7) ? 512 : bytes.length) - 3);
      const value = random.pick(largeNumbers);
      if (random.chance(0.5)) copy.writeUInt32LE(value, place);
      else copy.writeUInt32BE(value, place);
      return copy;
    }
    case 5:
      return looksLikeText(bytes)
        ? damagedText(bytes.toString('latin1'), random)
        : copy.fill(random.below(256), at());
    default: {
      const flips = 1 + random.below(8);
      for (let i = 0; i < flips; i++) {
        const position = random.chance(0.5) ? random.below(Math.min(bytes.length, 512)) : at();
        copy[position] = random.chance(0.3) ? 255 : random.below(256);
      }
      return copy;
    }
  }
}

const looksLikeText = (bytes: Buffer) => !bytes.subarray(0, 1_000).includes(0);

/** Replaces, repeats or removes a number, a word or an element. */
function damagedText(text: string, random: Random): Buffer {
  const pattern = random.pick([/-?\d+\.?\d*/g, /[A-Za-z]{2,40}/g, /<[^<>]{1,200}>/g, /[[\]{},:"]/g]);
  const found = [...text.matchAll(pattern)];
  const one = found[random.below(found.length)];
  if (!one) return Buffer.from(`${text}${wildText(random)}`);
  const other = random.chance(0.5)
    ? random.pick(texts)
    : random.chance(0.5)
      ? wildText(random)
      : one[0].repeat(random.pick([2, 1_000, 50_000 / one[0].length]));
  return Buffer.from(text.slice(0, one.index) + other + text.slice(one.index + one[0].length), 'latin1');
}

/** Changes a size in the archive's directory. */
function withOtherSizes(archive: Buffer, random: Random): Buffer {
  const copy = Buffer.from(archive);
  const entry = copy.indexOf('PK\x01\x02', 0, 'latin1');
  if (entry >= 0) copy.writeUInt32LE(random.pick(largeNumbers), entry + random.pick([16, 20, 24, 42]));
  return copy;
}

/** Renames a file of the archive to a name of the same length that leads elsewhere or ends early. */
function withOtherName(archive: Buffer, name: string, random: Random): Buffer {
  const start = random.pick(['../../', '/etc/', '\0', 'a\0b', 'C:\\', '..\\..\\', 'con.']);
  const other = Buffer.from((start + name).slice(0, name.length), 'latin1');
  const copy = Buffer.from(archive);
  for (let at = copy.indexOf(name); name && at >= 0; at = copy.indexOf(name, at + name.length))
    other.copy(copy, at);
  return copy;
}
