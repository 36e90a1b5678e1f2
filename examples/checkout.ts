import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { CovermapApiError, createClient } from '../client/client.ts';

// The server of a shop's checkout (checkout.html): it keeps the key, and passes on what the address field asks.

const { COVERMAP_URL = 'http://127.0.0.1:3000', COVERMAP_KEY = 'demo', PORT = '8080' } = process.env;
const covermap = createClient({ url: COVERMAP_URL, key: COVERMAP_KEY, retries: 0 });

async function answer({ pathname, searchParams }: URL): Promise<object> {
  if (pathname === '/addresses') {
    const { results } = await covermap.get('/api/2.0/addresses', {
      query: { q: searchParams.get('q') ?? '', limit: '6' },
    });
    return results;
  }
  // The offers at an address. How far their edges are: its point may lie at the road while the house does not.
  return covermap.get('/api/2.0/availability/address/{address}', {
    path: { address: searchParams.get('id') ?? '' },
    query: { nearby: '1' },
  });
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://shop.example');
  if (url.pathname === '/') {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    return response.end(readFileSync(new URL('checkout.html', import.meta.url)));
  }
  if (url.pathname !== '/addresses' && url.pathname !== '/offers') {
    response.statusCode = 404;
    return response.end();
  }
  response.setHeader('Content-Type', 'application/json');
  try {
    response.end(JSON.stringify(await answer(url)));
  } catch (error) {
    // A sentence for the visitor: nothing found, gone, or too many at once.
    response.statusCode = error instanceof CovermapApiError ? error.status : 502;
    response.end(JSON.stringify({ error: error instanceof CovermapApiError ? error.message : 'Try again.' }));
  }
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : PORT}/`);
});
