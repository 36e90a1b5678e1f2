import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { set } from '../shared/field-value.ts';
import { Icon } from '../shared/ui/icon.tsx';
import { Notice, type NoticeProps } from '../shared/ui/notice.tsx';
import { bytes } from '../shared/words.ts';
import { catalog } from './context.ts';

/** The file chooser's default; any file may be chosen, as the content decides. */
const extensions = '.zip,.kmz,.kml,.gpkg,.geojson,.json,.fgb,.tif,.tiff,.csv';

/** The place to drop a file on; a button for the keyboard. */
export function DropZone({ onChoose }: { onChoose(file: File): void }) {
  const { upload_limit_bytes: limit } = catalog();
  const id = useId();
  const isOver = useSignal(false);
  const problem = useSignal<NoticeProps | undefined>(undefined);
  const take = (files: FileList | null | undefined) => {
    const [file, ...others] = files ?? [];
    problem.value = file && (others.length > 0 ? severalFiles : refusal(file, limit));
    if (file && !problem.value) onChoose(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same
    <div
      class={isOver.value ? 'drop-zone over' : 'drop-zone'}
      // A file dropped beside the zone would otherwise replace the page.
      onDragEnter={(event) => event.preventDefault()}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => set(isOver, false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        take(event.dataTransfer?.files);
      }}
    >
      <input
        id={id}
        type="file"
        class="visually-hidden"
        accept={extensions}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          currentTarget.value = '';
        }}
      />
      <span class="drop-icon">
        <Icon name="upload" size={28} />
      </span>
      <p class="row drop-title">
        <span class="wide-only">Drop your coverage file here, or </span>
        <label for={id} class="button primary">
          Choose a file
        </label>
      </p>
      <p id={`${id}-hint`} class="hint">
        Shapefile or geodatabase (zipped), GeoPackage, GeoJSON, FlatGeobuf, MapInfo, KML, KMZ, GeoTIFF; or a
        list of towers as CSV (
        <a href="/tower-template.csv" download>
          template
        </a>
        ). Up to {bytes(limit)}.
      </p>
      <div aria-live="assertive">{problem.value && <Notice {...problem.value} />}</div>
    </div>
  );
}

const severalFiles: NoticeProps = {
  tone: 'warning',
  title: 'Please one file at a time.',
  text: 'If these files belong together, as the parts of a shapefile do, put them into one zip file and drop that.',
};

function refusal(file: File, limit: number): NoticeProps | undefined {
  if (file.size > limit) {
    return {
      tone: 'bad',
      title: `${file.name} has ${bytes(file.size)}; at most ${bytes(limit)} are accepted.`,
      text: 'Zip it, leave out layers that are not coverage, or submit it as several files, a technology each.',
    };
  }
  if (file.size === 0) {
    return { tone: 'bad', title: `${file.name} is empty.`, text: 'Export it again and choose the new file.' };
  }
  if (/\.(shp|dbf|shx|prj|tab|dat|map|id)$/i.test(file.name)) {
    return {
      tone: 'warning',
      title: `${file.name} is only a part of the coverage.`,
      text: 'The files that lie beside it with the same name belong to it. Put all of them into one zip file and drop that.',
    };
  }
  return undefined;
}
