import { number, oneOf, text } from '../../openapi/parts.ts';

export const plainDecimal = '^-?\\d+(\\.\\d+)?$';

/** What both versions say of a provider. */
export const offerFields = {
  name: text('Network provider.'),
  wholesale_network: oneOf(['Yes', 'No', 'Both'], 'Whether it sells to retailers: only, not, or both.'),
  url: text('Website of the provider; may be empty.'),
  bandwidth_min_mbps: number('Lowest expected download speed.'),
  bandwidth_max_mbps: number('Highest expected download speed.'),
  bandwidth_up_min_mbps: number('Lowest expected upload speed.'),
  bandwidth_up_max_mbps: number('Highest expected upload speed.'),
};

/** Headers of what may be kept. */
export const cached = {
  'Cache-Control': { description: 'May be kept for ten days.', schema: text() },
  ETag: {
    description: 'Send it as `If-None-Match` to be told whether the answer is still so.',
    schema: text(),
  },
};
