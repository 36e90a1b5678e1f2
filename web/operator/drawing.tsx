import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { set } from '../shared/field-value.ts';
import { drawArea } from '../shared/map/draw-area.ts';
import type { DrawnArea } from '../shared/schemas.ts';
import { NumberField, RadioGroup } from '../shared/ui/fields.tsx';
import type { MapSignal } from './with-map.tsx';

/** An area that is drawn on a map, and how. */
export interface Drawing {
  area: Signal<DrawnArea | undefined>;
  shape: Signal<'circle' | 'polygon'>;
  /** Metres. */
  radius: Signal<number | undefined>;
}

const shapes = [
  ['circle', 'A circle', 'Click its middle on the map.'],
  ['polygon', 'An area', 'Click its corners on the map, one after the other.'],
] as const;
const defaultRadius = 1_000;

export function DrawingFields({ shape, radius }: Drawing) {
  return (
    <>
      <RadioGroup legend="On the map" name="shape" options={shapes} value={shape} />
      {shape.value === 'circle' && (
        <NumberField label="Radius in metres" name="radius" class="short" value={radius} />
      )}
    </>
  );
}

/** Draws on a map by clicks, until the area is taken. */
export function useDrawing(map: MapSignal, { area, shape, radius }: Drawing): void {
  useEffect(() => {
    if (!map.value) return undefined;
    const isCircle = shape.value === 'circle';
    return drawArea(map.value, isCircle ? () => radius.value ?? defaultRadius : undefined, (drawn) =>
      set(area, drawn),
    );
  }, [map.value, shape.value, area.value === undefined]);
  useEffect(() => {
    if (!area.value) map.value?.hide('drawn-area');
  }, [map.value, area.value, shape.value]);
}
