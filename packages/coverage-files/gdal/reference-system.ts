import type { SourceReferenceSystem } from '../format.ts';
import type { FormatName } from '../formats.ts';
import type { CoordinateSystem, LayerInfo, ProjJson, RasterInfo } from './webassembly.ts';

export function referenceSystemOf(layer: LayerInfo, format: FormatName): SourceReferenceSystem | undefined {
  const [{ coordinateSystem, extent } = {}] = layer.geometryFields;
  const definition = definitionOf(coordinateSystem);
  if (definition === undefined) {
    // TopoJSON cannot name a system; it has longitudes and latitudes, or pixels of a drawing.
    const degrees = [180, 90, 180, 90].every((max, i) => Math.abs(extent?.[i] ?? 999) <= max);
    return format === 'TopoJSON' && degrees ? { definition: 'EPSG:4326', from: 'format' } : undefined;
  }
  // RFC 7946, section 4: GeoJSON is in WGS 84, unless it has the "crs" of the format of 2008.
  return {
    definition,
    from: /JSON/.test(format) && format !== 'EsriJSON' && definition === 'EPSG:4326' ? 'format' : 'file',
  };
}

/** `EPSG:<code>` of a name: a URN, a link, or a code as web services write them; undefined for others. */
export function epsgOfName(name: string): string | undefined {
  if (/CRS:?84$/i.test(name)) return 'EPSG:4326';
  const found = /\bEPSG[^\d]{1,3}(?:[\d.]*[:/])?(\d{4,6})$|epsg\.xml#(\d{4,6})$/i.exec(name.trim());
  return found ? `EPSG:${found[1] ?? found[2]}` : undefined;
}

/** EPSG's code of a system, else WKT; undefined if not of this earth. Esri's codes are little known. */
export function definitionOf(system: CoordinateSystem | undefined): string | undefined {
  const { projjson, wkt } = system ?? {};
  if (!wkt) return undefined;
  // "Undefined Cartesian" and "undefined geographic" of OGC 12-128, table 4, and MapInfo's non-earth.
  if (projjson?.type === 'EngineeringCRS' || /^(LOCAL_CS|ENGCRS)|^[A-Z]+\["undefined/i.test(wkt))
    return undefined;
  const code = epsgCode(projjson);
  return code === undefined ? wkt : `EPSG:${code}`;
}

export function definitionOfRaster({ coordinateSystem, stac }: RasterInfo): string | undefined {
  return (
    coordinateSystem && definitionOf({ ...coordinateSystem, projjson: stac?.['proj:projjson'] ?? undefined })
  );
}

/** None for a system with heights: its text also names the vertical system. */
function epsgCode(system: ProjJson | undefined): number | undefined {
  if (system?.type === 'CompoundCRS') return undefined;
  return system?.id?.authority === 'EPSG' ? Number(system.id.code) : undefined;
}
