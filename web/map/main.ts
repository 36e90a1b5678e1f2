import { asApiError, request } from '../shared/api.ts';
import { button } from '../shared/button.ts';
import { byId, fill } from '../shared/dom.ts';
import { showPublicHeader } from '../shared/frame.ts';
import { errorNotice } from '../shared/notice.ts';
import { type PublicSettings, publicMap } from './public-map.ts';

showPublicHeader('/');
await start();

async function start(): Promise<void> {
  const outlet = byId('content');
  try {
    fill(outlet, publicMap(await request<PublicSettings>('GET', '/api/map/settings')));
  } catch (error) {
    fill(outlet, errorNotice(asApiError(error), button('Try again', start)));
  }
}
