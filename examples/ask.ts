import { CovermapApiError, createClient } from '../client/client.ts';

// Prints the fastest offer at a latitude and a longitude, and what is planned there. client/README.md says what to copy with it.

const { COVERMAP_URL = 'http://127.0.0.1:3000', COVERMAP_KEY = 'demo' } = process.env;
const [lat = '', lng = ''] = process.argv.slice(2);
/** Dates are midnight, in the format of HTTP. */
const dayOf = (date: string) => new Date(date).toISOString().slice(0, 10);
const covermap = createClient({ url: COVERMAP_URL, key: COVERMAP_KEY });

try {
  const { results } = await covermap.get('/api/2.0/availability/{lat}/{lng}', { path: { lat, lng } });
  const offersWith = (availability: string) =>
    results
      .filter((result) => result.availability === availability)
      .flatMap(({ technology, providers = [] }) =>
        providers.map((provider) => ({ technology, ...provider })),
      );
  const [fastest] = offersWith('available').sort((a, b) => b.bandwidth_max_mbps - a.bandwidth_max_mbps);
  console.log(
    fastest
      ? `Up to ${fastest.bandwidth_max_mbps} Mbps by ${fastest.technology} from ${fastest.name}`
      : 'Nothing is available here',
  );
  for (const { technology, name, planned_date } of offersWith('planned'))
    console.log(`Planned: ${technology} from ${name}, ${planned_date ? dayOf(planned_date) : 'no date yet'}`);
} catch (error) {
  if (!(error instanceof CovermapApiError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
