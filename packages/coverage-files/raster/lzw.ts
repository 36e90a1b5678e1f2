import { Damage } from '../errors.ts';

/**
 * Decompresses LZW (TIFF 6.0, section 13): codes of 9 to 12 bits, widened one code early. Drops bytes beyond `size`.
 * @throws RangeError for impossible codes
 */
export function decompressLzw(input: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const output = new Uint8Array(size);
  // By code: offset and length of its string in earlier output, so that no table of strings is needed.
  const starts = new Uint32Array(4096);
  const lengths = new Uint32Array(4096);
  let next = firstCode;
  let width = 9;
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  let written = 0;
  let previousStart = 0;
  let previousLength = 0;
  while (written < size) {
    while (bitCount < width) {
      if (at >= input.length) return output.subarray(0, written);
      bits = ((bits << 8) | (input[at++] as number)) & 0xffffff;
      bitCount += 8;
    }
    bitCount -= width;
    const code = (bits >>> bitCount) & ((1 << width) - 1);
    if (code === endCode) break;
    if (code === clearCode) {
      next = firstCode;
      width = 9;
      previousLength = 0;
      continue;
    }
    const start = written;
    if (code < clearCode) {
      output[written++] = code;
    } else {
      let from: number;
      let length: number;
      if (code < next) {
        from = starts[code] as number;
        length = lengths[code] as number;
      } else if (code === next && previousLength > 0) {
        // The code being defined: the previous string and its own first byte, which follows it.
        from = previousStart;
        length = previousLength + 1;
      } else {
        throw new Damage(`LZW code ${code} is not defined`);
      }
      const end = Math.min(written + length, size);
      while (written < end) output[written++] = output[from++] as number;
    }
    if (previousLength > 0 && next < 4096) {
      // The previous string and this one's first byte are adjacent in the output.
      starts[next] = previousStart;
      lengths[next] = previousLength + 1;
      next++;
      if (next >= (1 << width) - 1 && width < 12) width++;
    }
    previousStart = start;
    previousLength = written - start;
  }
  return output.subarray(0, written);
}

const clearCode = 256;
const endCode = 257;
const firstCode = 258;
