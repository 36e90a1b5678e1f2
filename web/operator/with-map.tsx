import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { set } from '../shared/field-value.ts';
import type { CoverageMap, MapOptions } from '../shared/map/map.ts';
import { MapPlace } from '../shared/map/map-place.tsx';
import { Card } from '../shared/ui/view.tsx';
import { catalog } from './context.ts';

interface WithMapProps {
  title: string;
  map: ComponentChildren;
  below?: ComponentChildren;
  children: ComponentChildren;
}

/** A card with a map beside it; on narrow screens the map is between the card and `below`. */
export function WithMap({ title, map, below, children }: WithMapProps) {
  return (
    <div class="columns submission">
      <div class="state">
        <Card title={title} silent>
          {children}
        </Card>
      </div>
      {map}
      {below}
    </div>
  );
}

export type MapSignal = Signal<CoverageMap | undefined>;

/** The map of a card, once it is loaded. */
export function useMap(): MapSignal {
  return useSignal<CoverageMap | undefined>(undefined);
}

interface MapCardProps {
  label: string;
  map: MapSignal;
  options?: MapOptions;
  /** A title above the map, or a choice. */
  caption?: ComponentChildren;
  legend?: ComponentChildren;
  cardRef?: RefObject<HTMLElement | null> | null;
}

export function MapCard({ label, map, options = {}, caption, legend, cardRef = null }: MapCardProps) {
  return (
    <section class="box map-card" aria-label="On the map" ref={cardRef}>
      {caption && <div class="map-caption">{caption}</div>}
      <MapPlace label={label} settings={catalog()} options={options} onReady={(made) => set(map, made)} />
      {legend && <div class="map-legend">{legend}</div>}
    </section>
  );
}
