import { h } from '../dom.ts';
import type { CoverageMap, MapOptions, MapSettings } from './map.ts';

export interface MapPlace {
  element: HTMLElement;
  /** Undefined where this browser cannot draw maps; the place says so then. */
  ready: Promise<CoverageMap | undefined>;
  remove(): void;
}

/**
 * A place with a map in it, as soon as that is loaded: the map is most of what a page has to load, and everything else is
 * there before it.
 */
export function showMap(label: string, settings: MapSettings, options: MapOptions = {}): MapPlace {
  const message = h('p', { class: 'map-message' }, 'Loading the map …');
  const element = h('div', { class: 'map', role: 'region', 'aria-label': label }, message);
  let removed = false;
  let map: CoverageMap | undefined;
  const ready = (async () => {
    try {
      const [{ CoverageMap }] = await Promise.all([
        import('./map.ts'),
        // The names on the map are drawn with the page's font.
        document.fonts.load('16px "Inter Variable"').catch(() => undefined),
      ]);
      if (removed) return undefined;
      map = new CoverageMap(element, label, settings, options);
      message.remove();
      return map;
    } catch (error) {
      console.warn('map:', error);
      message.textContent = 'This browser cannot draw the map. Everything else works without it.';
      return undefined;
    }
  })();
  return {
    element,
    ready,
    remove() {
      removed = true;
      map?.remove();
    },
  };
}
