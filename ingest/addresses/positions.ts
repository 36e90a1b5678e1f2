import type { Bounds } from '@covermap/geometry/bounds.ts';
import type { DropReason } from '../../addresses/import-report.ts';
import type { ListColumns } from './list-columns.ts';

/*
 * The position of a row. Which of two numbers is the longitude is proved by the service area, never assumed: over WFS the latitude comes first, and
 * columns have been swapped.
 */

export interface Position {
  lng: number;
  lat: number;
}

/** Two positions of a row may differ by this, in degrees: ten metres. */
const maxDifference = 1e-4;

/** WKT of a point, also with a system before it or as a multipoint of one: its first two numbers. */
const point =
  /^(?:SRID=\d{1,9};)?\s{0,9}(?:MULTI)?POINT\s{0,9}(?:ZM|Z|M)?\s{0,9}\(\s{0,9}\(?\s{0,9}([-+\d.eE]{1,40})\s{1,9}([-+\d.eE]{1,40})[\s)]/i;
const decimal = /^[-+]?\d{1,10}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?$/;

/** @returns undefined where it is no number */
function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && decimal.test(text) ? Number(text) : undefined;
}

type Order = 'longitude first' | 'latitude first';

/** Reads the positions of rows, and learns the order of the numbers of each column from the first row that proves it. */
export function positionReader({ positions, separator }: ListColumns, area: Bounds) {
  const orders: (Order | undefined)[] = positions.map(() => undefined);
  const isInside = (lng: number, lat: number) =>
    lng >= area.west && lng <= area.east && lat >= area.south && lat <= area.north;
  // Where the comma is the decimal sign, it does not separate fields.
  const plain = (text: string | undefined) => (separator === ',' ? text : text?.replace(',', '.'));

  /** The position of two numbers in one of the columns. */
  const place = (column: number, first: number, second: number): Position | DropReason => {
    const [straight, swapped] = [isInside(first, second), isInside(second, first)];
    if (!straight && !swapped) return 'outside';
    if (straight !== swapped) {
      const proved = straight ? 'longitude first' : 'latitude first';
      orders[column] ??= proved;
      if (orders[column] !== proved) return 'axes_differ';
    }
    const order = orders[column];
    if (order === undefined) return 'axes_unproved';
    return order === 'longitude first' ? { lng: first, lat: second } : { lng: second, lat: first };
  };

  return {
    read(fields: readonly string[]): Position | DropReason {
      let found: Position | undefined;
      for (let column = 0; column < positions.length; column++) {
        const [a, b] = (positions[column] as (typeof positions)[number]).at;
        const text = fields[a];
        if (!text) continue;
        const parts = b === undefined ? point.exec(text) : undefined;
        const first = numberOf(b === undefined ? parts?.[1] : plain(text));
        const second = numberOf(b === undefined ? parts?.[2] : plain(fields[b]));
        if (first === undefined || second === undefined) return 'no_position';
        const position = place(column, first, second);
        if (typeof position === 'string') return position;
        if (
          found &&
          (Math.abs(found.lng - position.lng) > maxDifference ||
            Math.abs(found.lat - position.lat) > maxDifference)
        )
          return 'positions_differ';
        found ??= position;
      }
      return found ?? 'no_position';
    },

    /** The columns with their proved orders. */
    found: (): string[] => [
      ...new Set(
        positions.flatMap(({ name }, i) => (orders[i] ? [`Positions are in ${name}: ${orders[i]}.`] : [])),
      ),
    ],
  };
}
