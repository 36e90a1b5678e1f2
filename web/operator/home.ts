import { asApiError, request } from '../shared/api.ts';
import { button } from '../shared/button.ts';
import { fill, h, icon, icons } from '../shared/dom.ts';
import { errorNotice } from '../shared/notice.ts';
import { go, type View } from '../shared/router.ts';
import { type Column, table } from '../shared/table.ts';
import type { Dataset, Submission, WaitingFile } from '../shared/types.ts';
import { area, bytes, coverageLabel, when } from '../shared/words.ts';
import { dropZone } from './drop-zone.ts';
import type { Context } from './main.ts';
import { setPendingFile } from './pending.ts';
import { statusBadge } from './status.ts';

/** How often the list is asked for while something in it is under way. */
const refreshMs = 3000;
const pageSize = 20;

interface SubmissionPage {
  submissions: Submission[];
  next: string | null;
}

/** The first view: hand in, what is published, and what was handed in. */
export function homeView(context: Context): View {
  const { catalog, session } = context;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let left = false;
  let listed: SubmissionPage = { submissions: [], next: null };

  const published = h('section', { class: 'card', 'aria-labelledby': 'published' });
  const waiting = h('section', { class: 'card', 'aria-labelledby': 'waiting', hidden: true });
  const history = h('section', { class: 'card', 'aria-labelledby': 'history' });
  const element = h(
    'div',
    { class: 'stack large' },
    h('h1', {}, session.role === 'staff' ? 'Coverage of all operators' : 'Your coverage'),
    h(
      'div',
      { class: 'home' },
      h(
        'div',
        { class: 'stack large' },
        h(
          'section',
          { class: 'card', 'aria-labelledby': 'hand-in' },
          h('h2', { id: 'hand-in' }, 'Hand in a file'),
          dropZone(catalog.upload_limit_bytes, (file) => {
            setPendingFile(file);
            go('/new');
          }),
        ),
        waiting,
        history,
      ),
      published,
    ),
  );
  fill(history, h('h2', { id: 'history' }, 'Files handed in'), h('p', { class: 'muted' }, 'Loading …'));
  fill(published, h('h2', { id: 'published' }, 'Published now'), h('p', { class: 'muted' }, 'Loading …'));
  void load();

  async function load(): Promise<void> {
    try {
      const [page, datasets, files] = await Promise.all([
        request<SubmissionPage>('GET', `/api/operator/submissions?limit=${pageSize}`),
        request<{ datasets: Dataset[] }>('GET', '/api/operator/datasets'),
        request<{ files: WaitingFile[] }>('GET', '/api/operator/files'),
      ]);
      if (left) return;
      listed = page;
      showHistory();
      showPublished(datasets.datasets);
      showWaiting(files.files);
    } catch (caught) {
      const error = asApiError(caught);
      if (left || error.code === 'not_signed_in') return;
      fill(
        history,
        h('h2', { id: 'history' }, 'Files handed in'),
        errorNotice(error, button('Try again', load)),
      );
      return;
    }
    if (listed.submissions.some(({ finished }) => !finished)) timer = setTimeout(load, refreshMs);
  }

  function showHistory(): void {
    const { submissions, next } = listed;
    const heading = h('h2', { id: 'history' }, 'Files handed in');
    if (submissions.length === 0) {
      fill(
        history,
        heading,
        h(
          'ol',
          { class: 'how' },
          h('li', {}, h('strong', {}, 'Hand in'), ' the file that your radio planner or GIS made.'),
          h(
            'li',
            {},
            h('strong', {}, 'Look'),
            ' at it on the map, with what was found and what would change.',
          ),
          h(
            'li',
            {},
            h('strong', {}, 'Publish.'),
            ' Until then nobody sees it, and it can be taken back afterwards.',
          ),
        ),
      );
      return;
    }
    const columns: Column<Submission>[] = [
      {
        title: 'File',
        heading: true,
        cell: (one) => h('a', { href: `#/submission/${encodeURIComponent(one.id)}` }, one.file.name),
      },
      ...(session.role === 'staff'
        ? [{ title: 'Provider', cell: (one: Submission) => one.provider.name }]
        : []),
      { title: 'Technology', cell: (one) => one.technologies.map(context.technologyLabel).join(', ') || '–' },
      { title: 'State', cell: statusBadge },
      {
        title: 'Handed in',
        cell: (one) =>
          h(
            'span',
            { class: 'muted' },
            when(one.received_at),
            one.submitted_by ? `, ${one.submitted_by}` : '',
          ),
      },
    ];
    fill(
      history,
      heading,
      table('Files handed in, newest first', columns, submissions),
      next && h('div', { class: 'actions more' }, button('Show earlier files', showMore)),
    );
  }

  async function showMore(): Promise<void> {
    const { submissions, next } = listed;
    const query = `limit=${pageSize}&before=${encodeURIComponent(next ?? '')}`;
    const page = await request<SubmissionPage>('GET', `/api/operator/submissions?${query}`);
    // The list stays as it is from here on: what is asked for again would be the first page only.
    clearTimeout(timer);
    listed = { submissions: [...submissions, ...page.submissions], next: page.next };
    showHistory();
  }

  function showPublished(datasets: Dataset[]): void {
    const current = datasets.filter(({ state }) => state === 'published');
    fill(
      published,
      h('h2', { id: 'published' }, 'Published now'),
      current.length === 0
        ? h(
            'p',
            { class: 'muted' },
            'Nothing yet. What you publish answers the lookups of the service from that moment on.',
          )
        : h(
            'ul',
            { class: 'published' },
            ...current.map((dataset) => {
              const earlier = datasets.filter(
                (one) => one.technology === dataset.technology && one.provider.id === dataset.provider.id,
              ).length;
              const technology = context.technologyLabel(dataset.technology);
              const label = coverageLabel(technology, dataset.scope);
              const address = [
                dataset.technology,
                ...(session.role === 'staff' ? [dataset.provider.name] : []),
              ];
              return h(
                'li',
                {},
                h(
                  'div',
                  { class: 'published-head' },
                  h('strong', {}, session.role === 'staff' ? `${label}, ${dataset.provider.name}` : label),
                  dataset.area_km2 === null ? null : h('span', { class: 'figure' }, area(dataset.area_km2)),
                ),
                h(
                  'p',
                  { class: 'muted small break' },
                  h(
                    'a',
                    { href: `#/submission/${encodeURIComponent(dataset.submission_id)}` },
                    dataset.file_name,
                  ),
                  dataset.published_at ? `, since ${when(dataset.published_at)}` : '',
                ),
                h(
                  'p',
                  { class: 'small' },
                  h(
                    'a',
                    { href: `#/versions/${address.map(encodeURIComponent).join('/')}` },
                    earlier > 1 ? `All ${earlier} versions of ${technology}` : `Versions of ${technology}`,
                  ),
                ),
              );
            }),
          ),
    );
  }

  function showWaiting(files: WaitingFile[]): void {
    waiting.hidden = files.length === 0;
    fill(
      waiting,
      h('h2', { id: 'waiting' }, 'Not handed in yet'),
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
                ? `${bytes(one.received_bytes)} of ${bytes(one.file.size_bytes)} have arrived`
                : 'has arrived, and waits for its description',
            ),
          ),
        ),
      ),
    );
  }

  return {
    title: 'Your coverage',
    element,
    leave() {
      left = true;
      clearTimeout(timer);
    },
  };
}
