import type { Pattern } from './antenna.ts';
import { PropagationError } from './errors.ts';

/* Antenna patterns in the format of MSI Planet (.msi, .pln): keywords, and for each plane 360 lines of degrees and dB below the strongest. */

/** Usual files have 12 kB. */
export const maxPatternBytes = 1024 * 1024;
export const isPatternFile = (name: string): boolean => /\.(msi|pln)$/i.test(name);
const numberOf = (text = '') => Number(text.replace(',', '.') || Number.NaN);
/** The max attenuation of a measurement, in dB. */
const maxLoss = 100;
/** In dB: each plane reaches the strongest direction to within this, also if the beam is tilted. */
const maxPeakLoss = 3;

/** Parses a pattern file. @param name for messages @throws PropagationError `pattern_unusable` */
export function parseMsi(text: string, name: string): Pattern {
  if (text.length > maxPatternBytes) throw unusable(name, 'it is larger than a pattern can be');
  const planes = new Map<string, Float64Array>();
  let plane: Float64Array | undefined;
  for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    if (word === '') continue;
    const keyword = word.toUpperCase();
    if (keyword === 'HORIZONTAL' || keyword === 'VERTICAL') {
      if (planes.has(keyword)) throw unusable(name, `line ${i + 1} has ${keyword} again`);
      if (rest[0] !== undefined && ![360, 361].includes(Number(rest[0])))
        throw unusable(name, `line ${i + 1} says ${rest[0].slice(0, 20)} values and not 360`);
      plane = new Float64Array(360).fill(Number.NaN);
      planes.set(keyword, plane);
    } else if (plane && /^[-+.\d]/.test(word)) {
      const [degree, loss] = [numberOf(word), numberOf(rest[0])];
      // Some files count from -180, and some end with 360, which is 0 again.
      if (!(Number.isInteger(degree) && degree >= -180 && degree <= 360 && Math.abs(loss) <= maxLoss))
        throw unusable(name, `line ${i + 1} is not a whole degree from -180 to 360 and 0 to ${maxLoss} dB`);
      const at = (degree + 360) % 360;
      if (!Number.isNaN(plane[at]) && plane[at] !== loss)
        throw unusable(name, `line ${i + 1} has ${degree} degrees again, with another value`);
      plane[at] = loss;
    }
  }
  const lossesOf = (keyword: string) => {
    const found = planes.get(keyword);
    const missing = found ? found.findIndex(Number.isNaN) : 0;
    if (!found || missing >= 0) throw unusable(name, `${keyword} has no value at ${missing} degrees`);
    // Some programs write losses below zero.
    const losses = found.every((loss) => loss <= 0) ? found.map((loss) => Math.abs(loss)) : found;
    const min = Math.min(...losses);
    if (min < 0) throw unusable(name, `${keyword} has values above and below 0 dB`);
    if (min <= maxPeakLoss) return losses;
    const message = `${keyword} never comes within ${maxPeakLoss} dB of the strongest: it says ${min} dB`;
    throw unusable(name, message);
  };
  return { horizontal: lossesOf('HORIZONTAL'), vertical: lossesOf('VERTICAL') };
}

function unusable(name: string, reason: string): PropagationError {
  return new PropagationError('pattern_unusable', `The antenna pattern ${name} cannot be used: ${reason}.`);
}
