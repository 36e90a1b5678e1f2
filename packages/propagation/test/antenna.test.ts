import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { antennaOf, sectorPattern } from '../antenna.ts';
import { parseMsi } from '../msi.ts';

const tower = {
  ...{ name: 'A', lat: -41, lng: 174, height_m: 30, azimuth_deg: 90, beam_width_deg: 65 },
  ...{ power_dbm: 40, frequency_mhz: 3500, speeds: {} },
};

describe('a sector', () => {
  test('radiates most along its axis, half at its beam widths, the front-to-back ratio less behind', () => {
    const antenna = antennaOf({ ...tower, antenna: { vertical_beam_width_deg: 8, front_to_back_db: 30 } });
    expect(antenna.towards(90)(0)).toBe(0);
    expect(antenna.towards(90 + 32.5)(0)).toBeCloseTo(3, 1);
    expect(antenna.towards(90)(4)).toBeCloseTo(3, 1);
    expect(antenna.towards(270)(0)).toBeCloseTo(30, 5);
  });

  test('never radiates more than along its axis, and is the same on both sides', () => {
    const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    fc.assert(
      fc.property(
        ...([degrees(1, 360), degrees(1, 90), degrees(-720, 720), degrees(-90, 90)] as const),
        (beam_width_deg, vertical_beam_width_deg, off, elevation) => {
          const antenna = antennaOf({ ...tower, beam_width_deg, antenna: { vertical_beam_width_deg } });
          const right = antenna.towards(90 + off)(elevation);
          expect(right).toBeGreaterThanOrEqual(0);
          expect(right).toBeLessThanOrEqual(25);
          expect(antenna.towards(90 - off)(elevation)).toBeCloseTo(right, 6);
        },
      ),
    );
  });

  test('an electrical tilt lowers the beam all around, a mechanical one in front only', () => {
    const electrical = antennaOf({ ...tower, antenna: { electrical_tilt_deg: 5 } });
    const mechanical = antennaOf({ ...tower, antenna: { mechanical_tilt_deg: 5 } });
    for (const antenna of [electrical, mechanical]) {
      expect(antenna.towards(90)(-5)).toBe(0);
      expect(antenna.towards(90)(0)).toBeGreaterThan(2);
    }
    expect(mechanical.towards(0)(0)).toBeLessThan(electrical.towards(0)(0));
  });

  test('power is radiated, or of the transmitter where the gain is given', () => {
    expect(antennaOf(tower).eirp).toBe(40);
    expect(antennaOf({ ...tower, antenna: { gain_dbi: 17, feeder_loss_db: 2 } }).eirp).toBe(55);
  });
});

describe('a pattern file', () => {
  const { horizontal, vertical } = sectorPattern(65, 10, 25);
  const plane = (name: string, losses: Float64Array) =>
    [`${name} 360`, ...Array.from(losses, (loss, degree) => `${degree}\t${loss.toFixed(2)}`)].join('\r\n');
  const lines = ['NAME Panel', 'FREQUENCY 3500', 'GAIN 17 dBi', plane('HORIZONTAL', horizontal)];
  const file = [...lines, plane('VERTICAL', vertical)].join('\r\n');

  test('takes the place of the beam widths', () => {
    const read = parseMsi(file, 'panel.msi');
    const [given, built] = [antennaOf(tower, read), antennaOf(tower)];
    expect(given.towards(110)(-3)).toBeCloseTo(built.towards(110)(-3), 1);
  });

  const counted = (from: number, count: number) => {
    const values = (losses: Float64Array) =>
      Array.from({ length: count }, (_, i) => `${from + i}.0 ${losses[(from + i + 360) % 360]?.toFixed(2)}`);
    return ['HORIZONTAL', ...values(horizontal), 'VERTICAL', ...values(vertical)].join('\n');
  };
  test.each([
    ['from -180 to 179', counted(-180, 360)],
    ['from -179 to 180', counted(-179, 360)],
    ['to 360', counted(0, 361).replaceAll('TAL', 'TAL 361')],
    ['with decimal commas', file.replaceAll('.', ',')],
    ['after a comment of two lines', file.replace('FREQUENCY', 'COMMENT tilt\n6 degrees\nFREQUENCY')],
  ])('is the same %s', (_, text) => {
    expect(parseMsi(text, 'panel.msi')).toEqual(parseMsi(file, 'panel.msi'));
  });

  test.each([
    [1, 6],
    [2, 0],
    [358, 0],
    [359, 6],
  ])(
    'whose beam is strongest at %i degrees down gets %i degrees of the electrical tilt, and the mechanical one',
    (degree, tilt) => {
      const flat = new Float64Array(360);
      const read = { horizontal: flat, vertical: flat.map((_, i) => (i === degree ? 0 : 10)) };
      const tilts = { electrical_tilt_deg: 6, mechanical_tilt_deg: 4 };
      const antenna = antennaOf({ ...tower, antenna: tilts }, read);
      expect(antenna.towards(90)(-degree - tilt - 4)).toBe(0);
    },
  );

  test('takes 60 dB at most, both planes together', () => {
    const read = { horizontal: new Float64Array(360).fill(40), vertical: new Float64Array(360).fill(19) };
    expect(antennaOf(tower, read).towards(0)(0)).toBe(59);
    read.vertical.fill(30);
    expect(antennaOf(tower, read).towards(0)(0)).toBe(60);
  });

  const losses = (...first: number[]) => {
    const all = [...first, ...Array<number>(360 - first.length).fill(100)];
    return ['HORIZONTAL', 'VERTICAL'].flatMap((name) => [name, ...all.map((loss, i) => `${i} ${loss}`)]);
  };
  test('may have losses below zero, of 100 dB at most, and comes within 3 dB of the strongest', () => {
    const read = parseMsi(losses(3, 20).join('\n'), 'panel.msi');
    expect([...read.vertical.slice(0, 3)]).toEqual([3, 20, 100]);
    const below = losses(3, 20).map((line) => line.replace(/ (?=\d)/, ' -'));
    expect(parseMsi(below.join('\n'), 'panel.msi')).toEqual(read);
  });

  test.each([
    ['that never comes near its strongest direction', losses(3.1), 'it says 3.1 dB'],
    ['with a plane twice', [...losses(0), 'VERTICAL'], 'line 723 has VERTICAL again'],
    ['that takes too much', losses(0, 100.1), 'line 3 is not a whole degree'],
    ['with a degree too far left', [...losses(0), '-181 0'], 'line 723 is not a whole degree'],
    ['with a degree too far right', [...losses(0), '361 0'], 'line 723 is not a whole degree'],
    ['without a plane', lines, 'VERTICAL has no value at 0 degrees'],
    ['with a degree twice', [file.replace('\n7\t', '\n6\t')], 'has 6 degrees again'],
    ['with other than 360 values', [file.replace('VERTICAL 360', 'VERTICAL 180')], '180 values and not 360'],
    ['that amplifies', [file.replace('\n0\t0.00', '\n0\t-30')], 'above and below 0 dB'],
    ['with what is no number', [file.replace('\n9\t', '\n9.5\t')], 'not a whole degree'],
    ['too large', [' '.repeat(2e6)], 'larger'],
  ])('%s is refused', (_, lines, message) => {
    expect(() => parseMsi(lines.join('\n'), 'panel.msi')).toThrow(message);
  });
});
