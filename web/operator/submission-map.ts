import { fill, h } from '../shared/dom.ts';
import { radioGroup } from '../shared/fields.ts';
import { speedLegend, swatch } from '../shared/map/legend.ts';
import {
  type ChangeKind,
  changeKinds,
  changeLayers,
  changeOverlay,
  coverageOverlay,
  type ProblemPlace,
  problemLayer,
  problemOverlay,
  problemPlaces,
} from '../shared/map/overlays.ts';
import { showMap } from '../shared/map/show.ts';
import type { Catalog, Problem, Submission } from '../shared/types.ts';
import { area } from '../shared/words.ts';

export interface SubmissionMap {
  element: HTMLElement;
  /** Shows what there is to show of it by now. */
  update(submission: Submission): void;
  /** Goes to a place with a problem. */
  goTo(place: ProblemPlace): void;
  remove(): void;
}

type Side = 'coverage' | 'change';

function changeTitle({ status }: Submission): string {
  return status === 'published' || status === 'superseded' ? 'What changed' : 'What would change';
}

const changeWords: Record<ChangeKind, string> = {
  gained: 'Gained: covered only by this file',
  lost: 'Lost: not covered by this file any more',
  unchanged: 'Unchanged: covered by both',
};

/** The file's coverage, or what it would change, on a map with a legend. @param selected told of clicks on problems */
export function submissionMap(catalog: Catalog, selected: (place: ProblemPlace) => void): SubmissionMap {
  const place = showMap('Map of the coverage in this file', catalog);
  const switcher = h('div', { class: 'map-switch' });
  const legend = h('div', { class: 'map-legend' });
  const element = h(
    'section',
    { class: 'map-card', 'aria-label': 'On the map' },
    switcher,
    place.element,
    legend,
  );
  /** What somebody wants to see; until then what would change, where there is something to decide. */
  let chosenSide: Side | undefined;
  let side: Side = 'coverage';
  let current: Submission | undefined;
  let problems: Problem[] = [];
  let shown = '';
  let isFitted = false;
  const hidden = new Set<ChangeKind>();

  void place.ready.then((map) => {
    if (!map) return;
    map.map.on('click', problemLayer, ({ features }) => {
      const { problem, example } = features?.[0]?.properties ?? {};
      const found = problemPlaces(problems).find((one) => one.problem === problem && one.example === example);
      if (found) {
        goTo(found, false);
        selected(found);
      }
    });
    for (const [event, cursor] of [
      ['mouseenter', 'pointer'],
      ['mouseleave', ''],
    ] as const) {
      map.map.on(event, problemLayer, () => {
        map.map.getCanvas().style.cursor = cursor;
      });
    }
    draw();
  });

  function update(submission: Submission): void {
    current = submission;
    problems = submission.report?.problems ?? [];
    draw();
  }

  function draw(): void {
    const submission = current;
    if (!submission?.report) return;
    const hasChange = submission.datasets.some(({ change }) => change !== null);
    const first = submission.status === 'ready' ? 'change' : 'coverage';
    side = hasChange ? (chosenSide ?? first) : 'coverage';
    fill(
      switcher,
      hasChange &&
        radioGroup<Side>(
          'side',
          'Show on the map',
          [
            ['coverage', 'This file'],
            ['change', changeTitle(submission)],
          ],
          side,
          (chosen) => {
            chosenSide = chosen;
            draw();
            document.getElementById(`side-${chosen}`)?.focus();
          },
        ),
    );
    drawLegend(submission, hasChange);
    void drawMap(submission);
  }

  async function drawMap(submission: Submission): Promise<void> {
    const map = await place.ready;
    if (!map || submission !== current) return;
    const box = submission.report?.bbox;
    if (box && !isFitted) {
      isFitted = true;
      map.map.fitBounds(box, { padding: 32, maxZoom: 13, animate: false });
    }
    const base = `/api/operator/submissions/${encodeURIComponent(submission.id)}`;
    // What is published by now is what a change is a change of: the tiles of another one have another address.
    const comparedWith = submission.datasets.map(({ change }) => change?.compared_with ?? 0).join('-');
    const wanted = `${side} ${comparedWith}`;
    if (wanted === shown) return;
    shown = wanted;
    if (side === 'coverage') {
      map.hide('change');
      map.show('coverage', coverageOverlay(`${base}/tiles/{z}/{x}/{y}.mvt`));
    } else {
      map.hide('coverage');
      map.show('change', changeOverlay(`${base}/change/{z}/{x}/{y}.mvt?with=${comparedWith}`));
    }
    map.show('problems', problemOverlay(problems));
  }

  function drawLegend(submission: Submission, hasChange: boolean): void {
    const { report, datasets } = submission;
    const marks = (['dropped', 'repaired', 'clipped'] as const).filter((kind) =>
      problems.some((one) => one.kind === kind && one.examples.some(({ lat }) => lat !== undefined)),
    );
    const markWords = { dropped: 'Dropped', repaired: 'Repaired', clipped: 'Clipped' };
    const sums = Object.fromEntries(
      changeKinds.map((kind) => [
        kind,
        datasets.reduce((sum, { change, area_km2: all }) => {
          if (change) return sum + change[`${kind}_km2`];
          return kind === 'gained' ? sum + (all ?? 0) : sum;
        }, 0),
      ]),
    ) as Record<ChangeKind, number>;
    fill(
      legend,
      side === 'change' && hasChange
        ? h(
            'fieldset',
            { class: 'legend' },
            h('legend', {}, changeTitle(submission)),
            ...changeKinds.map((kind) => {
              const input = h('input', {
                type: 'checkbox',
                checked: !hidden.has(kind),
                onchange: () => {
                  if (input.checked) hidden.delete(kind);
                  else hidden.add(kind);
                  void place.ready.then((map) => map?.setVisible(changeLayers(kind), input.checked));
                },
              });
              return h('label', {}, input, swatch(kind), `${changeWords[kind]}, ${area(sums[kind])}`);
            }),
          )
        : speedLegend(
            (report?.tiers ?? []).map((tier) => tier.bandwidth_max_mbps),
            (report?.tiers ?? []).some(({ availability }) => availability !== 'available'),
          ),
      marks.length > 0 &&
        h(
          'div',
          { class: 'legend' },
          h('p', { class: 'legend-title' }, 'Issues'),
          h('ul', {}, ...marks.map((kind) => h('li', {}, swatch(kind), markWords[kind]))),
        ),
    );
  }

  function goTo(to: ProblemPlace, moves = true): void {
    void place.ready.then((map) => {
      if (!map) return;
      map.show('problems', problemOverlay(problems, to));
      if (moves)
        map.map.flyTo({ center: [to.lng, to.lat], zoom: Math.max(map.map.getZoom(), 14), duration: 800 });
    });
  }

  return { element, update, goTo, remove: () => place.remove() };
}
