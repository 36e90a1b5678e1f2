import type { SourceReferenceSystem } from '../format.ts';
import type { FormatName } from '../formats.ts';
import type { LayerInfo, ProjJson } from './webassembly.ts';

/**
 * The reference system of a layer: EPSG's code where it has one, as databases know those best, else WKT. Codes of Esri's
 * (102xxx, 104xxx) are known to few.
 */
export function referenceSystemOf(layer: LayerInfo, format: FormatName): SourceReferenceSystem | undefined {
  const system = layer.geometryFields[0]?.coordinateSystem;
  if (!system?.wkt) return undefined;
  const { projjson, wkt } = system;
  // "Undefined Cartesian" and "undefined geographic" of OGC 12-128, table 4, and MapInfo's non-earth.
  if (projjson?.type === 'EngineeringCRS' || /^(LOCAL_CS|ENGCRS)|^[A-Z]+\["undefined/i.test(wkt))
    return undefined;
  const code = epsgCode(projjson);
  const definition = code === undefined ? wkt : `EPSG:${code}`;
  // RFC 7946, section 4: GeoJSON is in WGS 84, unless it has the "crs" of the format of 2008.
  return {
    definition,
    from: /JSON/.test(format) && format !== 'EsriJSON' && definition === 'EPSG:4326' ? 'format' : 'file',
  };
}

/** Of a system with heights, the code of its horizontal part. */
function epsgCode(system: ProjJson | undefined): number | undefined {
  if (!system) return undefined;
  if (system.type === 'CompoundCRS' && system.components) return epsgCode(system.components[0]);
  return system.id?.authority === 'EPSG' ? Number(system.id.code) : undefined;
}
