import { announce } from '../shared/announce.ts';
import { asApiError, request, sendForm } from '../shared/api.ts';
import { button } from '../shared/button.ts';
import { keepFresh } from '../shared/changes.ts';
import { ask } from '../shared/dialog.ts';
import { fill, h, icons } from '../shared/dom.ts';
import { field, textArea } from '../shared/fields.ts';
import type { Box } from '../shared/map/map.ts';
import { towerOverlay } from '../shared/map/overlays.ts';
import { showMap } from '../shared/map/show.ts';
import { errorNotice, notice } from '../shared/notice.ts';
import type { View } from '../shared/router.ts';
import type { Submission } from '../shared/types.ts';
import { bytes, count, number, when } from '../shared/words.ts';
import type { Context } from './context.ts';

interface Work {
  work: Submission[];
  count: number;
}

const maxReason = 500;

/** For staff: the towers from which operators want coverage modelled, oldest first. */
export function towersView({ catalog, technologyLabel }: Context): View {
  const map = showMap('Map of the towers of a submission', catalog);
  const caption = h('p', { class: 'map-caption' });
  const list = h('div', { class: 'stack' }, h('p', { class: 'muted' }, 'Loading …'));
  const mapSide = h(
    'div',
    { class: 'map-side', hidden: true },
    h('section', { class: 'map-card', 'aria-label': 'On the map' }, caption, map.element),
  );
  let items = new Map<string, HTMLElement>();
  let chosen: string | undefined;
  let left = false;
  void load();
  const end = keepFresh(load);

  async function load(): Promise<void> {
    try {
      const work = await request<Work>('GET', '/api/staff/tower-work?limit=100');
      if (!left) show(work);
    } catch (error) {
      if (!left) fill(list, errorNotice(asApiError(error), button('Try again', load)));
    }
  }

  function show({ work, count: all }: Work): void {
    mapSide.hidden = work.length === 0;
    // What is shown already stays as it is: a file may have been chosen there.
    const before = items;
    items = new Map(
      work.map((one) => {
        const key = `${one.id} ${one.revision}`;
        return [key, before.get(key) ?? item(one)];
      }),
    );
    if (work.length === 0) {
      fill(list, h('p', { class: 'muted' }, 'No towers are waiting.'));
      return;
    }
    const now = [...items.values()];
    const isSame = now.length === before.size && now.every((one) => one.isConnected);
    if (!isSame) {
      fill(
        list,
        h('ul', { class: 'versions' }, ...now),
        all > work.length && h('p', { class: 'hint' }, `The oldest ${work.length} of ${number(all)}.`),
      );
    }
    const first = work[0] as Submission;
    if (!work.some(({ id }) => id === chosen)) void display(first);
  }

  async function display(submission: Submission): Promise<void> {
    chosen = submission.id;
    fill(
      caption,
      h('strong', { class: 'break' }, submission.provider.name),
      `, ${submission.file.name}: ${count(submission.towers?.count ?? 0, 'tower')}`,
    );
    const [ready, towers] = await Promise.all([
      map.ready,
      request<GeoJSON.FeatureCollection<GeoJSON.Point>>('GET', `${addressOf(submission)}/towers`).catch(
        () => undefined,
      ),
    ]);
    if (left || chosen !== submission.id || !ready || !towers) return;
    ready.show('towers', towerOverlay(towers));
    const box = boxOf(towers);
    if (box) ready.fit(box, 11);
  }

  function item(submission: Submission): HTMLElement {
    const { id, file, provider, prediction } = submission;
    const problem = h('div', {});
    const fileInput = h('input', { type: 'file', id: `prediction-${id}` });
    const manifest = textArea(`manifest-${id}`, '', () => {}, { rows: 3, spellcheck: 'false' });
    const upload = async () => {
      const attached = fileInput.files?.[0];
      if (!attached) return fill(problem, notice('warning', 'Choose the prediction’s file first.'));
      const form = new FormData();
      if (manifest.value.trim()) form.append('manifest', manifest.value);
      form.append('file', attached);
      try {
        await sendForm(`${addressOf(submission)}/prediction`, form);
        announce(`The prediction for ${provider.name} is uploaded.`);
        await load();
      } catch (error) {
        fill(problem, errorNotice(asApiError(error)));
      }
    };
    return h(
      'li',
      { 'aria-label': `${provider.name}, ${file.name}` },
      h(
        'div',
        { class: 'row' },
        h('strong', {}, provider.name),
        h('a', { class: 'break', href: `#/submission/${encodeURIComponent(id)}` }, file.name),
      ),
      h(
        'p',
        { class: 'muted small' },
        [
          count(submission.towers?.count ?? 0, 'tower'),
          submission.technologies.map(technologyLabel).join(', '),
          `received ${when(submission.received_at)}${submission.submitted_by ? ` by ${submission.submitted_by}` : ''}`,
          bytes(file.size_bytes),
        ]
          .filter(Boolean)
          .join(' · '),
      ),
      submission.note !== '' && h('p', { class: 'small break' }, `“${submission.note}”`),
      prediction?.error &&
        notice(
          'warning',
          `${prediction.file.name} could not be used: ${prediction.error.message}`,
          prediction.error.hint,
        ),
      h(
        'div',
        { class: 'actions' },
        button('Show on map', () => display(submission), {
          icon: icons.pin,
          label: `Show on map: ${provider.name}, ${file.name}`,
        }),
        h(
          'a',
          {
            class: 'button',
            href: `/api/operator/submissions/${encodeURIComponent(id)}/file`,
            download: file.name,
          },
          'Download towers',
        ),
      ),
      h(
        'details',
        {},
        h('summary', {}, 'Upload prediction or reject'),
        h(
          'div',
          { class: 'stack small-gap' },
          h('label', { for: fileInput.id }, 'Coverage modelled from these towers'),
          fileInput,
          h(
            'details',
            {},
            h('summary', {}, 'Advanced: manifest JSON'),
            field('Speeds, classes or fields of this file', manifest, {
              hint: 'For example {"classes": [{"min": -90, "speeds": {"bandwidth_max_mbps": 50}}]}',
            }),
          ),
          problem,
          h(
            'div',
            { class: 'actions' },
            button('Upload prediction', upload, { kind: 'primary' }),
            button('Reject towers', () => refuse(submission), { kind: 'danger' }),
          ),
        ),
      ),
    );
  }

  async function refuse(submission: Submission): Promise<void> {
    let reason = '';
    const text = textArea(
      'reason',
      '',
      (value) => {
        reason = value;
      },
      { rows: 3, maxlength: maxReason, required: true, class: 'prose' },
    );
    const done = await ask(
      {
        title: `Reject the towers of ${submission.provider.name}?`,
        body: [
          `${submission.file.name} fails with your sentence. The operator has to upload a corrected file, and no fee is charged. This can’t be undone.`,
          field('What is wrong with them?', text, { hint: 'The operator reads this.' }),
        ],
        confirm: 'Reject towers',
        danger: true,
      },
      () =>
        request('POST', `${addressOf(submission)}/refuse`, {
          reason: reason.trim().replaceAll(/\s+/g, ' '),
        }),
    );
    if (!done) return;
    announce(`The towers of ${submission.provider.name} are rejected.`);
    await load();
  }

  return {
    title: 'Towers to process',
    element: h(
      'div',
      { class: 'stack large' },
      h(
        'div',
        { class: 'page-head' },
        h('h1', {}, 'Towers to process'),
        h(
          'p',
          { class: 'muted' },
          'Operators want coverage modelled from these towers. The oldest comes first.',
        ),
      ),
      h(
        'div',
        { class: 'submission' },
        h('section', { class: 'card state', 'aria-label': 'Waiting towers' }, list),
        mapSide,
      ),
    ),
    leave() {
      left = true;
      end();
      map.remove();
    },
  };
}

function addressOf({ id }: Submission): string {
  return `/api/staff/tower-work/${encodeURIComponent(id)}`;
}

/** What the points lie in; undefined where there are none. */
function boxOf({ features }: GeoJSON.FeatureCollection<GeoJSON.Point>): Box | undefined {
  if (features.length === 0) return undefined;
  const box: Box = [180, 90, -180, -90];
  for (const { geometry } of features) {
    const [lng, lat] = geometry.coordinates as [number, number];
    box[0] = Math.min(box[0], lng);
    box[1] = Math.min(box[1], lat);
    box[2] = Math.max(box[2], lng);
    box[3] = Math.max(box[3], lat);
  }
  return box;
}
