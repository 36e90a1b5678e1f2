import { DropZone } from '../shared/ui/drop-zone.tsx';
import type { NoticeProps } from '../shared/ui/notice.tsx';
import { catalog } from './context.ts';

/** The place to drop a file of coverage on. */
export function CoverageDropZone({ onChoose }: { onChoose(file: File): void }) {
  return (
    <DropZone
      title="Drop your coverage file here, or"
      accept=".zip,.kmz,.kml,.gpkg,.geojson,.json,.fgb,.tif,.tiff,.csv"
      hint={
        <>
          Shapefile or geodatabase (zipped), GeoPackage, GeoJSON, FlatGeobuf, MapInfo, KML, KMZ, GeoTIFF; or a
          list of towers as CSV (
          <a href="/tower-template.csv" download>
            template
          </a>
          ).
        </>
      }
      limitBytes={catalog().upload_limit_bytes}
      tooLarge="Zip it, leave out layers that are not coverage, or submit it as several files, a technology each."
      several="If these files belong together, as the parts of a shapefile do, put them into one zip file and drop that."
      refuse={refusal}
      onChoose={onChoose}
    />
  );
}

function refusal(file: File): NoticeProps | undefined {
  if (/\.(shp|dbf|shx|prj|tab|dat|map|id)$/i.test(file.name)) {
    return {
      tone: 'warning',
      title: `${file.name} is only a part of the coverage.`,
      text: 'The files that lie beside it with the same name belong to it. Put all of them into one zip file and drop that.',
    };
  }
  return undefined;
}
