import type { SystemElsewhere } from '../format.ts';

/*
 * The systems that a GeoPackage names besides `gpkg_geometry_columns`, which GDAL, ArcGIS and QGIS use: in `gpkg_contents`, and in the header of
 * each area (OGC 12-128r19, 1.1.3 and 2.1.3). Those of 0 and -1 are undefined.
 */

/** More in one layer are no more of a question. */
const maxSystems = 5;

const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`;
const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** SQL for GDAL: the systems of a layer that differ from that of its column. */
export const otherSystemsSql = (layer: string, column: string) => `
  select group_concat(s.place, ' and ') as place, s.id, r.organization, r.organization_coordsys_id as code, r.definition from (
    select 'gpkg_contents' as place, srs_id as id from gpkg_contents where lower(table_name) = lower(${text(layer)})
    union select 'its areas', ST_SRID(${identifier(column)}) from ${identifier(layer)}) s
  join gpkg_geometry_columns g on lower(g.table_name) = lower(${text(layer)})
  left join gpkg_spatial_ref_sys r on r.srs_id = s.id
  where s.id > 0 and s.id <> g.srs_id group by s.id order by s.id limit ${maxSystems}`;

interface Row {
  properties: {
    place: string;
    id: number;
    organization: string | null;
    code: number | null;
    definition: string | null;
  };
}

/** @param lines the rows of {@link otherSystemsSql}, as GeoJSON */
export const otherSystems = (lines: string): SystemElsewhere[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { place, id, organization, code, definition } = (JSON.parse(line) as Row).properties;
      const isEpsg = organization?.toLowerCase() === 'epsg' && code !== null;
      return { definition: isEpsg ? `EPSG:${code}` : (definition ?? `srs_id ${id}`), where: place };
    });
