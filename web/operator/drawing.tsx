import { type ReadonlySignal, type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { set } from '../shared/field-value.ts';
import { areaOfCorners, type Corner, drawnOverlay, isRadius } from '../shared/map/draw-area.ts';
import type { DrawnArea } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { NumberField, RadioGroup } from '../shared/ui/fields.tsx';
import type { MapSignal } from './with-map.tsx';

/** An area that is drawn on a map by clicks, and how. */
export interface Drawing {
  /** What was clicked: the middle of a circle, or the corners of a polygon. */
  corners: Signal<readonly Corner[]>;
  shape: Signal<'circle' | 'polygon'>;
  /** Metres. */
  radius: Signal<number | undefined>;
  /** Undefined while it has too few corners or no radius. */
  area: ReadonlySignal<DrawnArea | undefined>;
}

const shapes = [
  ['circle', 'A circle', 'Click its middle on the map.'],
  ['polygon', 'An area', 'Click its corners on the map, one after the other.'],
] as const;

/** @param metres the radius at first */
export function useDrawing(metres: number): Drawing {
  const corners = useSignal<readonly Corner[]>([]);
  const shape = useSignal<'circle' | 'polygon'>('circle');
  const radius = useSignal<number | undefined>(metres);
  const area = useComputed(() =>
    areaOfCorners(corners.value, shape.value === 'circle' ? { radius: radius.value } : undefined),
  );
  return { corners, shape, radius, area };
}

/** What is missing of an area, for who wants to go on. @param or another way, as in ", or choose an address" */
export function missingOf({ corners, shape, radius }: Drawing, or = ''): string {
  if (shape.value === 'circle' && !isRadius(radius.value)) return 'Type a radius from 1 to 100,000 metres.';
  if (corners.value.length === 0) return `Click the map first${or}.`;
  return 'An area has at least three corners: click the map again.';
}

export function DrawingFields({ corners, shape, radius }: Drawing) {
  return (
    <>
      <RadioGroup
        legend="On the map"
        name="shape"
        options={shapes}
        value={{
          get value() {
            return shape.value;
          },
          set value(chosen) {
            shape.value = chosen;
            corners.value = [];
          },
        }}
      />
      {shape.value === 'circle' && (
        <NumberField label="Radius in metres" name="radius" class="short" value={radius} />
      )}
      {shape.value === 'polygon' && corners.value.length > 1 && (
        <div class="actions">
          <Button kind="quiet" icon="undo" onClick={() => set(corners, corners.value.slice(0, -1))}>
            Undo last corner
          </Button>
        </div>
      )}
    </>
  );
}

/** Adds each click on a map to a drawing, and shows it there. */
export function useDrawingOnMap(map: MapSignal, { corners, shape, area }: Drawing): void {
  useEffect(
    () =>
      map.value?.onChosen(({ lat, lng }) => {
        const before = shape.value === 'circle' ? [] : corners.value;
        set(corners, [...before, [lng, lat]]);
      }),
    [map.value],
  );
  useEffect(() => {
    if (corners.value.length === 0) map.value?.hide('drawn-area');
    else map.value?.show('drawn-area', drawnOverlay(area.value, corners.value));
  }, [map.value, corners.value, area.value]);
}
