import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CoverageMap, MapOptions, MapSettings } from './map.ts';

export interface MapPlaceProps {
  label: string;
  settings: MapSettings;
  options?: MapOptions;
  /** Called with the map once it is loaded, unless this browser cannot draw maps. */
  onReady(map: CoverageMap): void;
}

/** An element with a map. MapLibre is most of the page's code, and everything else is drawn before it has loaded. */
export function MapPlace({ label, settings, options, onReady }: MapPlaceProps) {
  const place = useRef<HTMLDivElement>(null);
  const message = useSignal<string | null>('Loading the map …');
  // A map is created once, then changed by the receiver of onReady.
  useLayoutEffect(() => {
    let removed = false;
    let map: CoverageMap | undefined;
    const load = async () => {
      try {
        const [{ CoverageMap }, streets] = await Promise.all([
          import('./map.ts'),
          settings.basemap_file ? import('./streets.ts') : undefined,
          // The map draws its names with the page's font.
          document.fonts.load('16px "Inter Variable"').catch(() => undefined),
        ]);
        if (removed || !place.current) return;
        map = new CoverageMap(place.current, label, settings, { ...options, streets });
        message.value = null;
        onReady(map);
      } catch (error) {
        console.warn('map:', error);
        message.value = 'This browser cannot draw the map. Everything else works without it.';
      }
    };
    void load();
    return () => {
      removed = true;
      map?.remove();
    };
  }, []);
  return (
    <section class="map" aria-label={label} ref={place}>
      {message.value !== null && <p class="map-message">{message.value}</p>}
    </section>
  );
}
