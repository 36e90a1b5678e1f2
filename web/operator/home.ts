import { asApiError, request } from '../shared/api.ts';
import { button } from '../shared/button.ts';
import { keepFresh } from '../shared/changes.ts';
import { fill, h, icon, icons } from '../shared/dom.ts';
import { errorNotice, notice } from '../shared/notice.ts';
import { go, type View } from '../shared/router.ts';
import { type Column, table } from '../shared/table.ts';
import type { Dataset, ProviderProfile, Submission, WaitingFile } from '../shared/types.ts';
import { area, bytes, coverageLabel, when } from '../shared/words.ts';
import type { Context } from './context.ts';
import { dropZone } from './drop-zone.ts';
import { setPendingFile } from './pending.ts';
import { statusBadge } from './status.ts';

/** How often the list is asked for while something in it is under way. */
const refreshMs = 3000;
const pageSize = 10;
/** Live coverages that are listed at first. */
const fewLive = 6;
/** Submissions that the API gives at once. */
const maxPage = 200;

interface SubmissionPage {
  submissions: Submission[];
  next: string | null;
}

/** The first view: upload, what is live, and what was submitted. */
export function homeView(context: Context): View {
  const { catalog, session } = context;
  const isStaff = session.role === 'staff';
  const title = isStaff ? 'Coverage of all operators' : 'Your coverage';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let left = false;
  let listed: SubmissionPage = { submissions: [], next: null };
  let shown = '';

  const address = h('div', { hidden: true });
  const published = h('section', { class: 'card home-live', 'aria-labelledby': 'published' });
  const waiting = h('section', { class: 'card', 'aria-labelledby': 'waiting', hidden: true });
  const history = h('section', { class: 'card', 'aria-labelledby': 'history' });
  // On a phone in this order; on wider screens what is live stands beside the rest.
  const element = h(
    'div',
    { class: 'stack large' },
    h('h1', {}, title),
    address,
    h(
      'div',
      { class: 'home' },
      h(
        'section',
        { class: 'card home-upload', 'aria-labelledby': 'upload' },
        h('h2', { id: 'upload' }, 'Upload coverage'),
        dropZone(catalog.upload_limit_bytes, (file) => {
          setPendingFile(file);
          go('/new');
        }),
      ),
      published,
      h('div', { class: 'stack large home-list' }, waiting, history),
    ),
  );
  fill(history, historyHeading(), h('p', { class: 'muted' }, 'Loading …'));
  fill(published, h('h2', { id: 'published' }, 'Live coverage'), h('p', { class: 'muted' }, 'Loading …'));
  void load();
  const endFresh = keepFresh(load);

  async function load(): Promise<void> {
    clearTimeout(timer);
    // As many as are shown: who asked for more keeps them.
    const limit = Math.min(maxPage, Math.max(pageSize, listed.submissions.length));
    try {
      const [page, live, files, { providers }] = await Promise.all([
        request<SubmissionPage>('GET', `/api/operator/submissions?limit=${limit}`),
        request<{ datasets: Dataset[] }>('GET', '/api/operator/datasets?state=published&limit=500'),
        request<{ files: WaitingFile[] }>('GET', '/api/operator/files'),
        request<{ providers: ProviderProfile[] }>('GET', '/api/operator/providers'),
      ]);
      if (left) return;
      const all = JSON.stringify([page, live, files, providers]);
      // What is the same is not drawn again: the focus stays where it is.
      if (all !== shown) {
        shown = all;
        listed = page;
        showAddress(providers);
        showHistory();
        showPublished(live.datasets);
        showWaiting(files.files);
      }
    } catch (caught) {
      const error = asApiError(caught);
      if (left || error.code === 'not_signed_in') return;
      shown = '';
      fill(history, historyHeading(), errorNotice(error, button('Try again', load)));
      return;
    }
    clearTimeout(timer);
    if (listed.submissions.some(({ finished }) => !finished)) timer = setTimeout(load, refreshMs);
  }

  function historyHeading(): HTMLElement {
    return h('h2', { id: 'history' }, 'Submissions');
  }

  /** Nothing is published without the address that every answer shows. */
  function showAddress(providers: ProviderProfile[]): void {
    const missing = providers.filter(({ url }) => url === '');
    address.hidden = missing.length === 0;
    const many = `${missing.length} providers have no web address.`;
    const [text, hint, href, label] = isStaff
      ? [
          missing.length === 1 ? `${missing[0]?.name} has no web address.` : many,
          'Nothing more of theirs is published before it is given.',
          '#/providers',
          'Show providers',
        ]
      : [
          'Your web address is missing.',
          'Every answer shows it: nothing more is published before it is given.',
          '#/profile',
          'Complete profile',
        ];
    fill(
      address,
      missing.length > 0 && notice('warning', text, hint, h('a', { class: 'button', href }, label)),
    );
  }

  function showHistory(): void {
    const { submissions, next } = listed;
    const heading = historyHeading();
    if (submissions.length === 0) {
      fill(
        history,
        heading,
        h(
          'ol',
          { class: 'how' },
          h('li', {}, h('strong', {}, 'Upload'), ' the file that your radio planner or GIS made.'),
          h(
            'li',
            {},
            h('strong', {}, 'Look'),
            ' at it on the map, with the validation report and what would change.',
          ),
          h(
            'li',
            {},
            h('strong', {}, 'Publish.'),
            ' Until then nobody else sees it, and you can roll back afterwards.',
          ),
        ),
      );
      return;
    }
    const columns: Column<Submission>[] = [
      {
        title: 'File',
        heading: true,
        cell: (one) =>
          h(
            'span',
            {},
            h('a', { href: `#/submission/${encodeURIComponent(one.id)}` }, one.file.name),
            one.note !== '' && h('span', { class: 'small muted below' }, one.note),
          ),
      },
      ...(isStaff ? [{ title: 'Operator', cell: (one: Submission) => one.provider.name }] : []),
      { title: 'Technology', cell: coverageOf },
      { title: 'Status', cell: statusBadge },
      {
        title: 'Uploaded',
        cell: (one) =>
          h(
            'span',
            { class: 'muted' },
            when(one.received_at),
            one.submitted_by ? ` by ${one.submitted_by}` : '',
          ),
      },
    ];
    fill(
      history,
      heading,
      table('Submissions, newest first', columns, submissions),
      next && h('div', { class: 'actions more' }, button('Show earlier submissions', showMore)),
    );
  }

  function coverageOf({ technologies, datasets }: Submission): string {
    const labels = technologies.map(context.technologyLabel).join(', ');
    return coverageLabel(labels || '–', datasets[0]?.scope ?? '');
  }

  async function showMore(): Promise<void> {
    const { submissions, next } = listed;
    const query = `limit=${pageSize}&before=${encodeURIComponent(next ?? '')}`;
    const page = await request<SubmissionPage>('GET', `/api/operator/submissions?${query}`);
    listed = { submissions: [...submissions, ...page.submissions], next: page.next };
    showHistory();
  }

  function showPublished(datasets: Dataset[]): void {
    fill(
      published,
      h('h2', { id: 'published' }, 'Live coverage'),
      datasets.length === 0 ? h('p', { class: 'muted' }, 'Nothing published yet.') : liveList(datasets),
    );
  }

  /** What is live, the first at once. */
  function liveList(datasets: Dataset[]): HTMLElement {
    const items = datasets.map(liveItem);
    const first = h('ul', { class: 'published' }, ...items.slice(0, fewLive));
    if (items.length <= fewLive) return first;
    return h(
      'div',
      {},
      first,
      h(
        'details',
        {},
        h('summary', {}, `${items.length - fewLive} more`),
        h('ul', { class: 'published' }, ...items.slice(fewLive)),
      ),
    );
  }

  function liveItem(dataset: Dataset): HTMLElement {
    const technology = context.technologyLabel(dataset.technology);
    const label = coverageLabel(technology, dataset.scope);
    const path = [dataset.technology, ...(isStaff ? [dataset.provider.name] : [])];
    return h(
      'li',
      {},
      h(
        'div',
        { class: 'published-head' },
        h('strong', {}, isStaff ? `${label}, ${dataset.provider.name}` : label),
        dataset.area_km2 === null ? null : h('span', { class: 'figure' }, area(dataset.area_km2)),
      ),
      h(
        'p',
        { class: 'muted small break' },
        h('a', { href: `#/submission/${encodeURIComponent(dataset.submission_id)}` }, dataset.file_name),
        dataset.published_at ? `, since ${when(dataset.published_at)}` : '',
      ),
      h(
        'p',
        { class: 'small' },
        h(
          'a',
          { href: `#/versions/${path.map(encodeURIComponent).join('/')}` },
          `Version history of ${technology}`,
        ),
      ),
    );
  }

  function showWaiting(files: WaitingFile[]): void {
    waiting.hidden = files.length === 0;
    fill(
      waiting,
      h('h2', { id: 'waiting' }, 'Drafts'),
      h(
        'ul',
        { class: 'plain-list' },
        ...files.map((one) =>
          h(
            'li',
            { class: 'row' },
            icon(icons.file),
            h('a', { class: 'break', href: `#/file/${encodeURIComponent(one.id)}` }, one.file.name),
            h(
              'span',
              { class: 'muted small' },
              one.state === 'receiving'
                ? `${bytes(one.received_bytes)} of ${bytes(one.file.size_bytes)} uploaded`
                : 'needs details',
            ),
          ),
        ),
      ),
    );
  }

  return {
    title,
    element,
    leave() {
      left = true;
      clearTimeout(timer);
      endFresh();
    },
  };
}
