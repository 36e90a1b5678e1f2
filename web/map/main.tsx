import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import { render } from 'preact';
import land from '../generated/land.json?url';
import places from '../generated/places.json?url';
import { api } from '../shared/client.ts';
import { PublicHeader } from '../shared/ui/header.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { PublicMap } from './public-map.tsx';

/** The interval of reloading the settings, so that a map that stays open shows new coverage. */
const settingsMs = 5 * 60_000;

// Prefetches files that MapLibre asks for later, for the browser's cache.
for (const file of [workerUrl, land, places]) fetch(file).catch(() => undefined);

const place = (id: string) => document.getElementById(id) as HTMLElement;
render(<PublicHeader current="/" />, place('header'));
render(<Page />, place('content'));

function Page() {
  const settings = useResource(() => api.get('/api/map/settings'), 'elsewhere', settingsMs);
  const data = settings.data.value;
  return data ? <PublicMap settings={data} /> : <Loaded of={settings}>{() => null}</Loaded>;
}
