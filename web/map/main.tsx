import { render } from 'preact';
import { api } from '../shared/client.ts';
import { PublicHeader } from '../shared/ui/header.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import { useResource } from '../shared/use-resource.ts';
import { PublicMap } from './public-map.tsx';

const place = (id: string) => document.getElementById(id) as HTMLElement;
render(<PublicHeader current="/" />, place('header'));
render(<Page />, place('content'));

function Page() {
  const settings = useResource(() => api.get('/api/map/settings'));
  const data = settings.data.value;
  return data ? <PublicMap settings={data} /> : <Loaded of={settings}>{() => null}</Loaded>;
}
