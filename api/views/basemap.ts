import type { z } from 'zod';
import type { BasemapFile } from '../../coverage/tiles/basemap-file.ts';
import type { BasemapFileView } from '../schemas/map.ts';

/** The source of a map's streets. */
export function describeBasemap(basemap: BasemapFile | undefined): z.input<typeof BasemapFileView> {
  return basemap ? { url: `/basemap.pmtiles?v=${basemap.version}`, tile_schema: basemap.schema } : null;
}
