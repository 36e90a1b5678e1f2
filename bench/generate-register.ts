import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** Names over the zones in realistic shares, one in ten an IDN. */
export function generatedName(number: number): string {
  const zone = number % 10 < 6 ? 'co.nz' : number % 10 < 9 ? 'nz' : 'org.nz';
  return number % 10 === 4 ? `kākā-${number}.${zone}` : `business-${number}.${zone}`;
}

/** Writes a register with a number of names as CSV, in random order, one in 200 of them cancelled. */
export async function generateRegister(file: string, names: number): Promise<void> {
  const out = createWriteStream(file);
  out.write('domain,registered,cancelled\n');
  const day = 86_400_000;
  const now = Math.floor(Date.now() / 1000) * 1000;
  // A stride without a common divisor visits every number once.
  const stride = 7_368_787;
  for (let i = 0; i < names; i++) {
    const number = (i * stride) % names;
    const registered = new Date(now - day * (100 + (number % 5000))).toISOString();
    const cancelled = number % 200 === 0 ? new Date(now - day * ((number / 200) % 89)).toISOString() : '';
    const line = `${generatedName(number)},${registered},${cancelled}\n`;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await finished(out);
}
