import { type ApiError, asApiError, request } from '../shared/api.ts';
import { ask } from '../shared/dialog.ts';
import { h } from '../shared/dom.ts';
import { notice } from '../shared/notice.ts';
import type { Dataset, Submission, SubmissionDataset } from '../shared/types.ts';
import { area, coverageLabel, percent, when } from '../shared/words.ts';

type TechnologyLabel = (name: string) => string;

/** How often it is asked for what would change, while that is worked out. */
const lookAgainMs = 1_000;
/** A smaller loss is no warning: it is where two programs drew the same edge. */
const leastLossKm2 = 0.01;
/** What publishing is refused with where something else is live than what was looked at. */
const changedCodes = ['published_meanwhile', 'comparison_outdated', 'losses_unconfirmed'];

/**
 * Asks, and publishes what was looked at. Where something else was published meanwhile, asks again with the figures against
 * that.
 * @returns whether it was done
 */
export async function publish(submission: Submission, technologyLabel: TechnologyLabel): Promise<boolean> {
  let shown = submission;
  for (let hasChanged = false; ; hasChanged = true) {
    let now: Submission | undefined;
    const done = await ask(publicationQuestion(shown, technologyLabel, hasChanged), async () => {
      try {
        await request('POST', `${addressOf(shown)}/publish`, {
          replaces: shown.datasets.flatMap(({ replaces }) => (replaces === null ? [] : [replaces])),
          comparison: shown.comparison,
        });
      } catch (error) {
        now = await asItIsNow(shown, asApiError(error));
      }
    });
    if (!now) return done;
    shown = now;
  }
}

/** A submission with what publishing it would mean now. @throws ApiError the refusal itself, where it was for another reason */
async function asItIsNow(submission: Submission, refusal: ApiError): Promise<Submission> {
  if (!changedCodes.includes(String(refusal.code))) throw refusal;
  for (;;) {
    const now = await request<Submission>('GET', addressOf(submission));
    if (now.status !== 'ready') throw refusal;
    if (!now.comparing) return now;
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

function publicationQuestion(
  submission: Submission,
  technologyLabel: TechnologyLabel,
  hasChanged: boolean,
): Parameters<typeof ask>[0] {
  const replaced = submission.datasets.filter(({ replaces }) => replaces !== null);
  const others = blockingOtherThanLoss(submission);
  const isBlocked = submission.blocking.length > 0;
  return {
    title: `Publish ${submission.file.name}?`,
    body: [
      ...(hasChanged
        ? [
            notice(
              'bad',
              'Another version has been published since you looked.',
              'Below is the difference to that one.',
            ),
          ]
        : []),
      replaced.length === 0
        ? 'Lookups answer from this file at once. You can take it offline again.'
        : `This replaces your live coverage of ${replaced.map((one) => labelOf(one, technologyLabel)).join(' and ')}, and nothing else. You can roll back.`,
      ...(submission.held_back ? ['It was held back instead of being published automatically.'] : []),
      ...submission.datasets.flatMap((one) => changeOf(one, technologyLabel)),
      ...others.map(({ message }) => notice('warning', message)),
    ],
    confirm: isBlocked ? 'Publish anyway' : 'Publish',
    danger: isBlocked,
  };
}

/** What is blocking besides a loss, which is told with its figures. */
export function blockingOtherThanLoss({ blocking }: Submission): Submission['blocking'] {
  return blocking.filter(({ code }) => code !== 'area_lost');
}

/**
 * What would change with a dataset: a loss as a warning, with its share of what is live, then the figures. Lost, unchanged
 * and what stays in other scopes add up to what is live.
 */
export function changeOf(dataset: SubmissionDataset, technologyLabel: TechnologyLabel): (string | Node)[] {
  const { change, replaces, area_km2: all } = dataset;
  const label = labelOf(dataset, technologyLabel);
  if (replaces === null) return [`${label}: ${area(all ?? 0)} (first version)`];
  if (!change) return [`${label}: ${area(all ?? 0)}. What would be lost is not known.`];
  const { still_covered_km2: elsewhere, downgraded_km2: downgraded } = change;
  const uncovered = Math.max(0, change.lost_km2 - elsewhere);
  const lost = uncovered + downgraded;
  const live = change.lost_km2 + change.unchanged_km2;
  const figures: [string, number][] = [
    ['Gained', change.gained_km2],
    ['Lost', lost],
    ['Unchanged', Math.max(0, change.unchanged_km2 - downgraded)],
  ];
  if (elsewhere > 0) figures.push(['Stays live in other scopes', elsewhere]);
  return [
    ...(lost >= leastLossKm2
      ? [
          notice(
            'warning',
            `${label}: ${area(lost)} would be lost, ${percent(lost, live)} of the ${area(live)} that is live.`,
            downgraded > 0
              ? `${area(uncovered)} is not covered any more. ${area(downgraded)} is covered, but not available any more.`
              : undefined,
          ),
        ]
      : []),
    h('p', {}, `${label}:`),
    h(
      'dl',
      { class: 'figures' },
      ...figures.map(([name, km2]) => h('div', {}, h('dt', {}, name), h('dd', {}, area(km2)))),
    ),
  ];
}

/** Asks, and takes a submission away before it is published. @returns whether it was done */
export function withdraw(submission: Submission): Promise<boolean> {
  return ask(
    {
      title: `Withdraw ${submission.file.name}?`,
      body: ['It will not be published. Live coverage is unchanged.'],
      confirm: 'Withdraw submission',
      danger: true,
    },
    () => request('POST', `${addressOf(submission)}/withdraw`),
  );
}

/** Asks, and makes an earlier version current again, in place of what is live of the same coverage. */
export function rollBack(
  version: Pick<
    Dataset,
    'id' | 'file_name' | 'received_at' | 'technology' | 'scope' | 'replaces' | 'area_km2'
  >,
  current: Pick<Dataset, 'file_name' | 'area_km2'> | undefined,
  technologyLabel: TechnologyLabel,
): Promise<boolean> {
  const label = labelOf(version, technologyLabel);
  const size = (km2: number | null | undefined) => (km2 == null ? '' : ` (${area(km2)})`);
  return ask(
    {
      title: `Roll back to ${version.file_name}?`,
      body: [
        `Lookups of ${label} answer from the file of ${when(version.received_at)}${size(version.area_km2)} again.`,
        ...(current
          ? [
              `${current.file_name}${size(current.area_km2)}, which is live now, is kept: you can return to it.`,
            ]
          : []),
      ],
      confirm: 'Roll back',
    },
    () => request('POST', `/api/operator/datasets/${version.id}/rollback`, { replaces: version.replaces }),
  );
}

/** Asks, and takes a version offline: nothing takes its place. @returns whether it was done */
export function takeOffline(
  version: Pick<Dataset, 'id' | 'file_name' | 'technology' | 'scope' | 'area_km2'>,
  technologyLabel: TechnologyLabel,
): Promise<boolean> {
  const label = labelOf(version, technologyLabel);
  return ask(
    {
      title: `Take ${label} offline?`,
      body: [
        notice(
          'warning',
          `Lookups stop answering from ${version.file_name}${version.area_km2 === null ? '' : `: ${area(version.area_km2)}`}.`,
          'Nothing takes its place. What is live in other scopes stays.',
        ),
        'The version is kept: you can roll back to it.',
      ],
      confirm: 'Take offline',
      danger: true,
    },
    () => request('POST', `/api/operator/datasets/${version.id}/unpublish`),
  );
}

function labelOf(
  { technology, scope }: { technology: string; scope: string },
  label: TechnologyLabel,
): string {
  return coverageLabel(label(technology), scope);
}

function addressOf({ id }: Submission): string {
  return `/api/operator/submissions/${encodeURIComponent(id)}`;
}
