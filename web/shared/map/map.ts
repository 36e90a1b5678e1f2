import 'maplibre-gl/dist/maplibre-gl.css';
import './map.css';
import {
  type AddLayerObject,
  type CanvasSourceSpecification,
  FullscreenControl,
  type LayerSpecification,
  Map as LibreMap,
  type LngLatBoundsLike,
  type MapMouseEvent,
  Marker,
  NavigationControl,
  ScaleControl,
  type SourceSpecification,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import type { Catalog } from '../schemas.ts';
import { builtInLayers, builtInSources } from './basemap.ts';
import type { Box } from './box.ts';
import { type MapColours, mapColours, onColoursChanged } from './colours.ts';
import type * as Streets from './streets.ts';

// Served by this server: the pages' Content-Security-Policy allows no other workers.
setWorkerUrl(workerUrl);

export type MapSettings = Pick<Catalog, 'basemap_style_url' | 'basemap_file' | 'service_area'>;

export interface MapOptions {
  /** The first view; the service area by default. */
  start?: Box | undefined;
  /** True where the map is the whole page: then one finger moves it on a phone. */
  isPage?: boolean | undefined;
  /** Draws the settings' `basemap_file`; loaded only if there is one. */
  streets?: typeof Streets | undefined;
}

export type ThemedLayers = (colours: MapColours) => AddLayerObject[];

/** Content above the basemap: sources and their layers, coloured for light or dark. */
export interface Overlay {
  sources: Record<string, SourceSpecification | CanvasSourceSpecification>;
  layers: ThemedLayers;
}

/** The duration of fades: MapLibre respects reduced motion only for movements. */
function fadeMs(): number {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 300;
}

const idsOf = (layers: ThemedLayers) => layers(mapColours()).map(({ id }) => id);

/** A map with a basemap and overlays, in the page's light or dark colours. */
export class CoverageMap {
  readonly map: LibreMap;
  readonly #overlays = new Map<string, Overlay>();
  readonly #hidden = new Set<string>();
  readonly #endColours: () => void;
  /** The basemap's own layers, in the page's colours; undefined for an external style. */
  #baseLayers: ((colours: MapColours) => LayerSpecification[]) | undefined;
  #isStyled = false;
  #markers: Marker[] = [];

  /** @throws where the browser cannot draw maps */
  constructor(
    container: HTMLElement,
    label: string,
    settings: MapSettings,
    { start, isPage = false, streets }: MapOptions = {},
  ) {
    const { basemap_style_url: styleUrl, basemap_file: file } = settings;
    const isOfStreets = file !== null && streets !== undefined;
    const ownLayers = (colours: MapColours) =>
      isOfStreets ? streets.streetLayers(file.tile_schema, colours) : builtInLayers(colours);
    const ownStyle = (): StyleSpecification => ({
      version: 8,
      transition: { duration: fadeMs(), delay: 0 },
      sources: isOfStreets ? streets.streetSources(file) : builtInSources,
      layers: ownLayers(mapColours()),
    });
    if (styleUrl === null) this.#baseLayers = ownLayers;
    const { south, west, north, east } = settings.service_area;
    this.map = new LibreMap({
      container,
      style: styleUrl ?? ownStyle(),
      bounds: start ?? [west, south, east, north],
      fitBoundsOptions: { padding: 24, maxZoom: 13 },
      maxZoom: 18,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      // Two fingers on a phone, Ctrl and the wheel elsewhere: people who scroll the page are not caught by the map.
      cooperativeGestures: !isPage && window.matchMedia('(max-width: 760px)').matches,
      attributionControl: { compact: true },
      fadeDuration: fadeMs(),
    });
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    this.map.getCanvas().setAttribute('aria-label', `${label}. Arrow keys move it, plus and minus zoom.`);
    this.map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
    this.map.addControl(new FullscreenControl(), 'top-right');
    this.map.addControl(new ScaleControl({ maxWidth: 96 }), 'bottom-left');
    if (container.clientWidth <= 640) {
      // Collapsed from the start: open, it would cover the scale, and a third of a phone's map.
      container.querySelector('.maplibregl-ctrl-attrib')?.classList.add('maplibregl-compact');
    }
    this.map.on('style.load', () => {
      this.#isStyled = true;
      for (const overlay of this.#overlays.values()) this.#draw(overlay);
    });
    this.map.on('error', ({ error }) => {
      // If an external style is unavailable, the built-in one is shown.
      if (!this.#baseLayers && !this.#isStyled) {
        this.#baseLayers = ownLayers;
        this.map.setStyle(ownStyle());
      } else console.warn('map:', error?.message);
    });
    // Tells tests, which see no colours, that the map is drawn, and its layers.
    this.map.on('idle', () => {
      const layers = [...this.#overlays].map(([name, { layers }]) => [name, idsOf(layers)]);
      const detail = { map: this.map, layers };
      container.dispatchEvent(new CustomEvent('drawn', { bubbles: true, detail }));
    });
    this.#endColours = onColoursChanged(() => this.#recolour());
  }

  /** Adds an overlay, or replaces the one of that name. */
  show(name: string, overlay: Overlay): void {
    this.hide(name);
    this.#overlays.set(name, overlay);
    if (this.#isStyled) this.#draw(overlay);
  }

  hide(name: string): void {
    const overlay = this.#overlays.get(name);
    this.#overlays.delete(name);
    if (!overlay || !this.#isStyled) return;
    for (const id of idsOf(overlay.layers)) if (this.map.getLayer(id)) this.map.removeLayer(id);
    for (const id of Object.keys(overlay.sources)) if (this.map.getSource(id)) this.map.removeSource(id);
  }

  setVisible(layers: readonly string[], isVisible: boolean): void {
    for (const id of layers) {
      if (isVisible) this.#hidden.delete(id);
      else this.#hidden.add(id);
      if (this.map.getLayer(id)) this.map.setLayoutProperty(id, 'visibility', isVisible ? 'visible' : 'none');
    }
  }

  fit(box: Box, maxZoom = 13): void {
    this.map.fitBounds(box as LngLatBoundsLike, { padding: 32, maxZoom, duration: 600 });
  }

  /** Marks positions, in place of earlier ones. @param letters one for each, where there are several */
  mark(positions: readonly { lat: number; lng: number }[] = [], letters: readonly string[] = []): void {
    for (const marker of this.#markers) marker.remove();
    this.#markers = positions.map((position, i) => {
      const element = document.createElement('div');
      element.className = letters[i] ? 'map-letter' : 'map-mark';
      element.textContent = letters[i] ?? '';
      const marker = new Marker({ element, anchor: 'center' }).setLngLat(position).addTo(this.map);
      // Hidden from screen readers: the place is described beside the map.
      for (const name of ['role', 'aria-label', 'tabindex']) element.removeAttribute(name);
      element.setAttribute('aria-hidden', 'true');
      return marker;
    });
  }

  /** Calls back with each clicked place, or the middle on Enter, which is marked while the map has the focus. @returns stops it */
  onChosen(chosen: (place: { lat: number; lng: number }) => void): () => void {
    const canvas = this.map.getCanvas();
    const label = canvas.getAttribute('aria-label') ?? '';
    const clicked = ({ lngLat }: MapMouseEvent) => {
      // East of 180 degrees it counts on.
      const { lat, lng } = lngLat.wrap();
      chosen({ lat, lng });
    };
    const pressed = (event: KeyboardEvent) => {
      const { lat, lng } = this.map.getCenter();
      if (event.key === 'Enter') chosen({ lat, lng });
    };
    canvas.setAttribute('aria-label', `${label} Enter tells what there is in the middle.`);
    this.map.getContainer().classList.add('with-middle');
    this.map.on('click', clicked);
    canvas.addEventListener('keydown', pressed);
    return () => {
      canvas.setAttribute('aria-label', label);
      this.map.getContainer().classList.remove('with-middle');
      this.map.off('click', clicked);
      canvas.removeEventListener('keydown', pressed);
    };
  }

  remove(): void {
    this.#endColours();
    this.map.remove();
  }

  #draw(overlay: Overlay): void {
    const colours = mapColours();
    for (const [id, source] of Object.entries(overlay.sources)) {
      if (!this.map.getSource(id)) this.map.addSource(id, source);
    }
    // Coastlines, streets and names stay on top. Overlays are stacked in the order of their addition.
    const overlayLayers = new Set([...this.#overlays.values()].flatMap(({ layers }) => idsOf(layers)));
    const below = this.map
      .getStyle()
      .layers.find(({ id, type }) => !overlayLayers.has(id) && (type === 'line' || type === 'symbol'))?.id;
    for (const layer of overlay.layers(colours)) {
      if (this.map.getLayer(layer.id)) continue;
      this.map.addLayer(layer, layer.type === 'circle' ? undefined : below);
      if (this.#hidden.has(layer.id)) this.map.setLayoutProperty(layer.id, 'visibility', 'none');
    }
  }

  #recolour(): void {
    const colours = mapColours();
    const overlays = [...this.#overlays.values()];
    const layers = [
      ...(this.#baseLayers?.(colours) ?? []),
      ...overlays.flatMap((overlay) => overlay.layers(colours)),
    ];
    for (const layer of layers) {
      for (const [property, value] of Object.entries(('paint' in layer && layer.paint) || {})) {
        if (this.map.getLayer(layer.id))
          this.map.setPaintProperty(layer.id, property as never, value as never);
      }
    }
  }
}
