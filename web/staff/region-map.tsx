import './region-map.css';
import { useSignal } from '@preact/signals';
import type { ExpressionSpecification } from 'maplibre-gl';
import { useEffect } from 'preact/hooks';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import { Swatch } from '../shared/map/legend.tsx';
import type { CoverageMap, Overlay } from '../shared/map/map.ts';
import { MapPlace } from '../shared/map/map-place.tsx';
import type { PremisesStatistics, RegionLayer } from '../shared/schemas.ts';
import { Card } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { number } from '../shared/words.ts';

/** The lower limits of classes, in percent of a region's premises. */
const steps = [0, 25, 50, 75, 95] as const;

interface RegionMapProps {
  layer: RegionLayer;
  of: PremisesStatistics;
  /** The place of a threshold. */
  speed: number;
}

/** Regions in the colour of the share of their premises where something is available. The table below says the same. */
export function RegionMap({ layer, of, speed }: RegionMapProps) {
  const settings = useResource(() => api.get('/api/map/settings'));
  const path = { layer: layer.id };
  const outlines = useResource(() => api.get('/api/staff/regions/{layer}/outlines', { path }));
  const map = useSignal<CoverageMap | undefined>(undefined);
  const named = useSignal('');
  const shapes = outlines.data.value;
  useEffect(() => {
    if (!map.value || !shapes) return;
    const rows = new Map(of.regions.map((row) => [row.region, row]));
    const features = shapes.features.map(({ geometry, properties: { region } }) => {
      const { premises = 0, at_least: served = [] } = rows.get(region) ?? {};
      const available = served[speed] ?? 0;
      const text = `${region}: ${number(available)} of ${number(premises)} premises`;
      return {
        type: 'Feature' as const,
        geometry: geometry as GeoJSON.MultiPolygon,
        properties: { text, share: premises === 0 ? -1 : (100 * available) / premises },
      };
    });
    map.value.show('regions', overlayOf({ type: 'FeatureCollection', features }));
  }, [map.value, shapes, of, speed]);
  useEffect(() => {
    const view = map.value?.map;
    view?.on('click', 'regions', ({ features }) => set(named, String(features?.[0]?.properties.text ?? '')));
  }, [map.value]);
  return (
    <Card title="On the map">
      <div class="region-map">
        <Loaded of={settings}>
          {(known) =>
            // Not before the outlines: the first view shows them.
            shapes && (
              <MapPlace
                label={`Map of ${layer.name}, by the share of premises`}
                settings={known}
                options={{ start: boxOf(shapes) }}
                onReady={(made) => set(map, made)}
              />
            )
          }
        </Loaded>
      </div>
      <p aria-live="polite">{named.value || 'Click a region for its figures; the table has them all.'}</p>
      <div class="legend">
        <p class="legend-title">Share of premises where it is available</p>
        <ul class="bare-list stack close">
          {steps.map((from, i) => (
            <li key={from} class="row">
              <Swatch name={`speeds-${i}`} />
              {steps[i + 1] === undefined ? `${from}% and more` : `${from}% to ${steps[i + 1]}%`}
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

function overlayOf(data: GeoJSON.FeatureCollection): Overlay {
  const share: ExpressionSpecification = ['get', 'share'];
  return {
    sources: { regions: { type: 'geojson', data } },
    layers: ({ speeds, outline }) => [
      {
        id: 'regions',
        type: 'fill',
        source: 'regions',
        filter: ['>=', share, 0],
        paint: {
          'fill-color': [
            'step',
            share,
            speeds[0] as string,
            ...steps.slice(1).flatMap((from, i) => [from, speeds[i + 1] as string]),
          ] as unknown as ExpressionSpecification,
          'fill-opacity': 0.8,
        },
      },
      {
        id: 'region-borders',
        type: 'line',
        source: 'regions',
        paint: { 'line-color': outline, 'line-width': 1 },
      },
    ],
  };
}

/** The box of outlines; the service area where there are none yet. */
function boxOf(shapes: { features: { geometry: { coordinates: number[][][][] } }[] } | undefined) {
  const corners = shapes?.features.flatMap(({ geometry }) => geometry.coordinates.flat(2)) ?? [];
  if (corners.length === 0) return undefined;
  const box: [number, number, number, number] = [180, 90, -180, -90];
  for (const [lng = 0, lat = 0] of corners) {
    box[0] = Math.min(box[0], lng);
    box[1] = Math.min(box[1], lat);
    box[2] = Math.max(box[2], lng);
    box[3] = Math.max(box[3], lat);
  }
  return box;
}
