import type { Request } from 'express';
import type { z } from 'zod';
import { type PictureName, publishedLayer, type SetName } from '../../coverage/tiles/published.ts';
import type { ApiContext } from '../context.ts';
import type { TileJson } from '../schemas/map.ts';

/** Beyond these zooms maps enlarge tiles: shapes are then exact to half a metre, and a picture's cells as wide. */
const maxZooms = { technology: 14, picture: 16 };

const fields: Record<'technology' | PictureName, Record<string, string>> = {
  technology: {
    technology: 'String',
    availability: 'String',
    provider: 'String',
    bandwidth_max_mbps: 'Number',
    bandwidth_up_max_mbps: 'Number',
  },
  best: { bandwidth_from_mbps: 'Number', bandwidth_below_mbps: 'Number' },
  areas: { technology: 'String', availability: 'String', provider: 'String' },
};

/** The public address of this server; proxies that TRUST_PROXY names may set it. */
export function originOf(request: Request, publicUrl: string | undefined): string {
  return publicUrl ?? `${request.protocol}://${request.host ?? 'localhost'}`;
}

/** The current content of a set of tiles as TileJSON 3.0. */
export async function describeSet(
  { config, tiles }: ApiContext,
  request: Request,
  set: SetName,
): Promise<z.input<typeof TileJson>> {
  const { id, label } = set;
  const { south, west, north, east } = config.serviceArea;
  const address = `${originOf(request, config.publicUrl)}/tiles/${id}/{z}/{x}/{y}.mvt`;
  const isPicture = typeof id === 'string';
  const zooms = { minzoom: 0, maxzoom: isPicture ? maxZooms.picture : maxZooms.technology };
  return {
    tilejson: '3.0.0',
    name: label,
    scheme: 'xyz',
    tiles: [`${address}?v=${await tiles.version(set)}`],
    ...zooms,
    bounds: [west, south, east, north],
    vector_layers: [{ id: publishedLayer, fields: fields[isPicture ? id : 'technology'], ...zooms }],
  };
}
