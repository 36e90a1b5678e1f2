import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Pattern } from './antenna.ts';
import { PropagationError } from './errors.ts';
import { isPatternFile, maxPatternBytes, parseMsi } from './msi.ts';
import { nameOfTower } from './sites.ts';
import type { Tower } from './tower.ts';

/** In dB: an antenna without azimuth may be that much weaker to a side. */
const maxOmniRipple = 6;

/** Reads the pattern files named by towers, with or without extension and in any case; keyed by that name. @throws PropagationError `pattern_unusable` */
export async function readPatterns(towers: readonly Tower[], folder: string): Promise<Map<string, Pattern>> {
  const found = new Map<string, Pattern>();
  const names = new Set(towers.flatMap(({ antenna }) => antenna?.pattern ?? []));
  if (names.size === 0) return found;
  const files = (await readdir(folder)).filter(isPatternFile);
  for (const name of names) {
    const file = files.find((one) =>
      [one, path.parse(one).name].some((fileName) => isSameName(fileName, name)),
    );
    if (!file) {
      const message = `The antenna pattern ${name} is not beside the list of towers.`;
      const hint =
        'Send the list in a zip archive with the files of its patterns. npm run predict takes them from --patterns.';
      throw new PropagationError('pattern_unusable', message, hint);
    }
    // At most one byte more than a pattern may have: that is refused.
    const read = createReadStream(path.join(folder, file), { end: maxPatternBytes });
    const pattern = parseMsi(await text(read), file);
    const omni = towers.find(
      ({ antenna, azimuth_deg }) => antenna?.pattern === name && azimuth_deg === undefined,
    );
    if (omni && Math.max(...pattern.horizontal) > maxOmniRipple) {
      const message = `The tower ${nameOfTower(omni)} has no azimuth_deg, and its antenna pattern ${file} is not the same all round.`;
      throw new PropagationError('pattern_unusable', message);
    }
    found.set(name, pattern);
  }
  return found;
}

const isSameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
