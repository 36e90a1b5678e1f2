import { announce } from '../shared/announce.ts';
import { asApiError, request } from '../shared/api.ts';
import { button } from '../shared/button.ts';
import { keepFresh } from '../shared/changes.ts';
import { fill, h, icon, icons } from '../shared/dom.ts';
import { speedLegend } from '../shared/map/legend.ts';
import { coverageOverlay } from '../shared/map/overlays.ts';
import { showMap } from '../shared/map/show.ts';
import { errorNotice } from '../shared/notice.ts';
import type { View } from '../shared/router.ts';
import type { Dataset } from '../shared/types.ts';
import { area, coverageLabel, when } from '../shared/words.ts';
import type { Context } from './context.ts';
import { editNote } from './note.ts';
import { rollBack, takeOffline } from './publishing.ts';

const stateWords: Record<Dataset['state'], string> = {
  ready: 'Not published',
  published: 'Live',
  superseded: 'Previous version',
  restoring: 'Restoring',
  withdrawn: 'Withdrawn',
};

/**
 * The versions of coverage with a technology, by scope: looked at one by one, rolled back to, taken offline. Staff see those
 * of every operator, under their names.
 * @param provider only this operator's
 */
export function versionsView(context: Context, technology: string, provider?: string): View {
  const { catalog, session, technologyLabel } = context;
  const label = technologyLabel(technology);
  const map = showMap(`Map of a version of ${label}`, catalog);
  const list = h('div', {}, h('p', { class: 'muted' }, 'Loading …'));
  const caption = h('p', { class: 'map-caption' });
  let left = false;
  let shown = '';
  const element = h(
    'div',
    { class: 'stack large' },
    h(
      'div',
      { class: 'page-head' },
      h(
        'a',
        { class: 'back', href: '#/' },
        icon(icons.back, 18),
        session.role === 'staff' ? 'Coverage' : 'Your coverage',
      ),
      h('h1', {}, `Versions of ${label}`),
      h('p', { class: 'muted' }, 'Current and previous versions. The newest of each scope are kept.'),
    ),
    h(
      'div',
      { class: 'submission' },
      h('section', { class: 'card state', 'aria-label': 'Versions' }, list),
      h(
        'div',
        { class: 'map-side' },
        h(
          'section',
          { class: 'map-card', 'aria-label': 'On the map' },
          caption,
          map.element,
          h('div', { class: 'map-legend' }, speedLegend([1, 10, 30, 100, 300], true)),
        ),
      ),
    ),
  );
  void load();
  const endFresh = keepFresh(load);

  async function load(): Promise<void> {
    try {
      const { datasets } = await request<{ datasets: Dataset[] }>(
        'GET',
        `/api/operator/datasets?limit=500&technology=${encodeURIComponent(technology)}${provider === undefined ? '' : `&provider=${encodeURIComponent(provider)}`}`,
      );
      const now = JSON.stringify(datasets);
      // What is the same is not drawn again: the focus stays where it is, and the map on what was chosen.
      if (left || now === shown) return;
      shown = now;
      show(datasets);
    } catch (error) {
      if (!left) fill(list, errorNotice(asApiError(error), button('Try again', load)));
    }
  }

  function show(datasets: Dataset[]): void {
    const groups = byCoverage(datasets);
    fill(
      list,
      datasets.length === 0 && h('p', { class: 'muted' }, `There is no version of ${label} yet.`),
      ...groups.flatMap((versions) => {
        const published = versions.find(({ state }) => state === 'published');
        return [
          (groups.length > 1 || session.role === 'staff') &&
            groupHeading(published ?? (versions[0] as Dataset)),
          h('ul', { class: 'versions' }, ...versions.map((one) => versionItem(one, published))),
        ];
      }),
    );
    const first = datasets.find(({ state }) => state === 'published');
    if (first) display(first);
  }

  /** Whose versions, and of which scope. */
  function groupHeading({ provider: { name }, scope }: Dataset): HTMLElement {
    const parts = [session.role === 'staff' ? name : '', scope === '' ? 'No scope' : scope];
    return h('h2', { class: 'versions-of break' }, parts.filter(Boolean).join(' · '));
  }

  function versionItem(version: Dataset, published: Dataset | undefined): HTMLElement {
    const { file_name: name, area_km2: km2, state } = version;
    const whose = coverageLabel(label, version.scope);
    const goBack = async () => {
      if (await rollBack(version, published, technologyLabel)) {
        announce(`Lookups of ${whose} answer from ${name} again.`);
      }
      await load();
    };
    const note = async () => {
      const edited = await editNote({
        id: version.submission_id,
        file: { name, size_bytes: 0 },
        note: version.note,
      });
      if (edited) await load();
    };
    const end = async () => {
      if (await takeOffline(version, technologyLabel)) announce(`${whose} is offline.`);
      await load();
    };
    return h(
      'li',
      { class: state === 'published' && 'current' },
      h(
        'div',
        { class: 'row' },
        h('a', { class: 'break', href: `#/submission/${encodeURIComponent(version.submission_id)}` }, name),
        h('span', { class: state === 'published' ? 'badge good' : 'badge' }, stateWords[state]),
      ),
      h(
        'p',
        { class: 'muted small' },
        `Uploaded ${when(version.received_at)}${km2 === null ? '' : `, ${area(km2)}`}`,
      ),
      version.note !== '' && h('p', { class: 'small break' }, `“${version.note}”`),
      h(
        'div',
        { class: 'actions' },
        canBeShown(version) &&
          button('Show on the map', () => display(version), { label: `Show on the map: ${name}` }),
        version.can_roll_back &&
          button('Roll back', goBack, { icon: icons.undo, label: `Roll back to ${name}` }),
        state === 'published' &&
          button('Take offline', end, { kind: 'quiet', label: `Take offline: ${name}` }),
        button(version.note === '' ? 'Add note' : 'Edit note', note, {
          kind: 'quiet',
          label: `${version.note === '' ? 'Add note' : 'Edit note'}: ${name}`,
        }),
      ),
    );
  }

  function display(dataset: Dataset): void {
    fill(
      caption,
      h('strong', { class: 'break' }, dataset.file_name),
      `, ${stateWords[dataset.state].toLowerCase()}`,
    );
    void map.ready.then((ready) =>
      ready?.show('coverage', coverageOverlay(`/api/operator/datasets/${dataset.id}/tiles/{z}/{x}/{y}.mvt`)),
    );
  }

  return {
    title: `Versions of ${label}`,
    element,
    leave() {
      left = true;
      endFresh();
      map.remove();
    },
  };
}

/** Versions of one operator's scope together, in the order in which the first of each was met. */
function byCoverage(datasets: readonly Dataset[]): Dataset[][] {
  const groups = new Map<string, Dataset[]>();
  for (const dataset of datasets) {
    const key = JSON.stringify([dataset.provider.id, dataset.scope.toLowerCase()]);
    const group = groups.get(key);
    if (group) group.push(dataset);
    else groups.set(key, [dataset]);
  }
  return [...groups.values()].sort(
    ([a], [b]) =>
      (a?.provider.name ?? '').localeCompare(b?.provider.name ?? '') ||
      (a?.scope ?? '').localeCompare(b?.scope ?? ''),
  );
}

/** Versions of which the areas are kept. */
function canBeShown({ state, can_roll_back: canRollBack }: Dataset): boolean {
  return state === 'published' || state === 'ready' || state === 'restoring' || canRollBack;
}
