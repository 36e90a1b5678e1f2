import { z } from 'zod';
import { time } from '../../platform/schemas.ts';
import { Availability, Offer, TechnologyAvailability } from './availability.ts';
import { notModified } from './document-errors.ts';
import { wholeNumber } from './values.ts';

export const TileSets = z.object({
  sets: z.array(
    z.object({ set_id: z.int(), technology: z.string(), label: z.string(), tilejson: z.string() }),
  ),
  pictures: z
    .array(z.object({ name: z.string(), label: z.string(), tilejson: z.string() }))
    .describe('All technologies in one.'),
});

/** TileJSON 3.0 */
export const TileJson = z.object({
  tilejson: z.literal('3.0.0'),
  name: z.string(),
  scheme: z.literal('xyz'),
  tiles: z.array(z.string()),
  minzoom: z.int(),
  maxzoom: z.int(),
  bounds: z.array(z.number()).describe('West, south, east, north.'),
  vector_layers: z.array(
    z.object({
      id: z.string(),
      fields: z.record(z.string(), z.string()),
      minzoom: z.int(),
      maxzoom: z.int(),
    }),
  ),
});

export const BasemapFileView = z
  .object({ url: z.string(), tile_schema: z.enum(['protomaps', 'openmaptiles']) })
  .nullable()
  .describe('A PMTiles archive of streets; null where the server has none.');

export const MapSettings = z.object({
  technologies: z.array(z.object({ set_id: z.int(), name: z.string(), label: z.string() })),
  providers: z.array(z.string()).describe('The names of those of whom something is published.'),
  service_area: z.object({ south: z.number(), west: z.number(), north: z.number(), east: z.number() }),
  basemap_style_url: z.string().nullable().describe('Null for the built-in basemap.'),
  basemap_file: BasemapFileView,
  pictures: z
    .object({ best: TileJson, areas: TileJson })
    .describe('As GET /tiles/best.json and /tiles/areas.json, without asking for them.'),
  addresses: z.boolean().describe('Whether there is a list of addresses to search.'),
  lookup_token: z.string().describe('For `X-Map-Token`: works for 15 minutes, from the same IP address.'),
});

/** The header of what is for the map of this server. */
export const mapToken = {
  'X-Map-Token': z.string().meta({ description: '`lookup_token` of the map’s settings', example: '0' }),
};

export const MapAvailability = Availability.extend({
  results: z.array(
    TechnologyAvailability.extend({
      providers: z
        .array(Offer.extend({ published_at: time().describe('When this coverage went live.') }))
        .optional()
        .describe('Absent if `availability` is `unavailable`.'),
    }),
  ),
});

export const Nearest = z.object({
  nearest: z
    .object({ technology: z.string(), distance_m: z.int().describe('To the edge of its coverage.') })
    .nullable()
    .describe('Null where there is none far and wide.'),
});

/** The position of a tile: the last parts of its path. */
export const tileParams = {
  z: wholeNumber(0, 20).meta({ description: 'The zoom level', example: 8 }),
  x: wholeNumber(0, 2 ** 20 - 1).meta({ description: 'The column of the tile', example: 252 }),
  y: wholeNumber(0, 2 ** 20 - 1).meta({ description: 'The row of the tile', example: 156 }),
};

export const tileAnswers = {
  200: {
    description: 'The tile.',
    content: { 'application/vnd.mapbox-vector-tile': { schema: z.string().meta({ format: 'binary' }) } },
  },
  204: { description: 'The tile is empty.' },
  304: notModified,
};
