import { announce } from '../shared/announce.ts';
import { asApiError, request } from '../shared/api.ts';
import { button } from '../shared/button.ts';
import { fill, h, icon, icons } from '../shared/dom.ts';
import { speedLegend } from '../shared/map/legend.ts';
import { coverageOverlay } from '../shared/map/overlays.ts';
import { showMap } from '../shared/map/show.ts';
import { errorNotice } from '../shared/notice.ts';
import type { View } from '../shared/router.ts';
import type { Dataset } from '../shared/types.ts';
import { area, when } from '../shared/words.ts';
import type { Context } from './main.ts';
import { rollBack } from './publishing.ts';

const stateWords: Record<Dataset['state'], string> = {
  ready: 'Not published',
  published: 'Published now',
  superseded: 'Earlier version',
  restoring: 'Coming back',
  withdrawn: 'Withdrawn',
};

/** The versions of an operator's coverage with a technology: looked at one by one, and gone back to. */
export function versionsView(context: Context, technology: string): View {
  const { catalog, technologyLabel } = context;
  const label = technologyLabel(technology);
  const map = showMap(`Map of a version of ${label}`, catalog);
  const list = h('div', {}, h('p', { class: 'muted' }, 'Loading …'));
  const caption = h('p', { class: 'map-caption' });
  let left = false;
  const element = h(
    'div',
    { class: 'stack large' },
    h(
      'div',
      { class: 'page-head' },
      h('a', { class: 'back', href: '#/' }, icon(icons.back, 18), 'Your coverage'),
      h('h1', {}, `Versions of ${label}`),
      h(
        'p',
        { class: 'muted' },
        'What lookups answer from, and what they answered from before. The newest are kept.',
      ),
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

  async function load(): Promise<void> {
    try {
      const { datasets } = await request<{ datasets: Dataset[] }>(
        'GET',
        `/api/operator/datasets?technology=${encodeURIComponent(technology)}`,
      );
      if (!left) show(datasets);
    } catch (error) {
      if (!left) fill(list, errorNotice(asApiError(error), button('Try again', load)));
    }
  }

  function show(datasets: Dataset[]): void {
    const published = datasets.find(({ state }) => state === 'published');
    fill(
      list,
      datasets.length === 0
        ? h('p', { class: 'muted' }, `There is no version of ${label} yet.`)
        : h('ul', { class: 'versions' }, ...datasets.map((one) => versionItem(one, published))),
    );
    if (published) display(published);
  }

  function versionItem(version: Dataset, published: Dataset | undefined): HTMLElement {
    const { file_name: name, area_km2: km2, state } = version;
    const goBack = async () => {
      if (await rollBack(version, published, technologyLabel)) {
        announce(`Lookups of ${label} answer from ${name} again.`);
      }
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
        `Handed in ${when(version.received_at)}${km2 === null ? '' : `, ${area(km2)}`}`,
      ),
      h(
        'div',
        { class: 'actions' },
        canBeShown(version) &&
          button('Show on the map', () => display(version), { label: `Show on the map: ${name}` }),
        version.can_roll_back &&
          button('Go back to it', goBack, { icon: icons.undo, label: `Go back to it: ${name}` }),
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
      map.remove();
    },
  };
}

/** Versions of which the areas are kept. */
function canBeShown({ state, can_roll_back: canRollBack }: Dataset): boolean {
  return state === 'published' || state === 'ready' || state === 'restoring' || canRollBack;
}
