import { fill, h, icon, icons, newId } from '../shared/dom.ts';
import { notice } from '../shared/notice.ts';
import { bytes } from '../shared/words.ts';

/** What a file chooser offers first; anything else can be chosen all the same, the content decides. */
const endings = '.zip,.kmz,.kml,.gpkg,.geojson,.json,.fgb,.tif,.tiff,.csv';

/** The place to drop a file on; a button for the keyboard. @param limit bytes that are accepted at most */
export function dropZone(limit: number, chosen: (file: File) => void): HTMLElement {
  const id = newId('file');
  const hintId = newId('hint');
  const problem = h('div', { 'aria-live': 'assertive' });
  const take = (files: FileList | null | undefined) => {
    fill(problem);
    if (!files || files.length === 0) return;
    const [file] = files;
    if (files.length > 1 || !file) {
      fill(
        problem,
        notice(
          'warning',
          'Please one file at a time.',
          'If these files belong together, as the parts of a shapefile do, put them into one zip file and drop that.',
        ),
      );
      return;
    }
    const refusal = refuse(file, limit);
    if (refusal) fill(problem, refusal);
    else chosen(file);
  };
  const input = h('input', {
    id,
    type: 'file',
    class: 'visually-hidden',
    accept: endings,
    'aria-describedby': hintId,
    onchange: () => {
      take(input.files);
      input.value = '';
    },
  });
  const zone = h(
    'div',
    {
      class: 'drop-zone',
      ondragover: (event) => {
        event.preventDefault();
        zone.classList.add('over');
      },
      ondragleave: () => zone.classList.remove('over'),
      ondrop: (event) => {
        event.preventDefault();
        zone.classList.remove('over');
        take(event.dataTransfer?.files);
      },
    },
    input,
    h('span', { class: 'drop-icon' }, icon(icons.upload, 28)),
    h(
      'p',
      { class: 'drop-title' },
      h('span', { class: 'wide-only' }, 'Drop your coverage file here, or '),
      h('label', { for: id, class: 'button primary' }, 'Choose a file'),
    ),
    h(
      'p',
      { id: hintId, class: 'hint' },
      `Shapefile or geodatabase (zipped), GeoPackage, GeoJSON, FlatGeobuf, MapInfo, KML, KMZ, GeoTIFF; or a list of towers as CSV. Up to ${bytes(limit)}.`,
    ),
    problem,
  );
  // A file that is dropped beside it would otherwise take the place of the page.
  zone.addEventListener('dragenter', (event) => event.preventDefault());
  return zone;
}

function refuse(file: File, limit: number): HTMLElement | undefined {
  if (file.size > limit) {
    return notice(
      'bad',
      `${file.name} has ${bytes(file.size)}; at most ${bytes(limit)} are accepted.`,
      'Zip it, leave out layers that are not coverage, or hand it in as several files, a technology each.',
    );
  }
  if (file.size === 0)
    return notice('bad', `${file.name} is empty.`, 'Export it again and choose the new file.');
  const part = /\.(shp|dbf|shx|prj|tab|dat|map|id)$/i.exec(file.name);
  if (part) {
    return notice(
      'warning',
      `${file.name} is only a part of the coverage.`,
      'The files that lie beside it with the same name belong to it. Put all of them into one zip file and drop that.',
    );
  }
  return undefined;
}
