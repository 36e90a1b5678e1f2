import { request } from '../shared/api.ts';
import { ask } from '../shared/dialog.ts';
import { h } from '../shared/dom.ts';
import { notice } from '../shared/notice.ts';
import type { Dataset, Submission } from '../shared/types.ts';
import { area, when } from '../shared/words.ts';

/** Asks, and publishes: what is replaced is what was looked at, or the API refuses. @returns whether it was done */
export function publish(submission: Submission, technologyLabel: (name: string) => string): Promise<boolean> {
  const lines = submission.datasets.map(({ technology, area_km2: all, change }) => {
    const label = technologyLabel(technology);
    return change
      ? `${label}: ${area(change.gained_km2)} gained, ${area(change.lost_km2)} lost, ${area(change.unchanged_km2)} as before.`
      : `${label}: ${area(all ?? 0)}, the first that is published.`;
  });
  return ask(
    {
      title: `Publish ${submission.file.name}?`,
      body: [
        'From then on every lookup answers from this file. You can take it back afterwards.',
        h('ul', { class: 'plain-list' }, ...lines.map((line) => h('li', {}, line))),
        ...submission.blocking.map(({ message }) => notice('warning', message)),
      ],
      confirm: 'Publish',
    },
    () =>
      request('POST', `/api/operator/submissions/${encodeURIComponent(submission.id)}/publish`, {
        replaces: submission.datasets.flatMap(({ replaces }) => (replaces === null ? [] : [replaces])),
      }),
  );
}

/** Asks, and takes a submission away before it is published. @returns whether it was done */
export function withdraw(submission: Submission): Promise<boolean> {
  return ask(
    {
      title: `Withdraw ${submission.file.name}?`,
      body: ['It will not be published. What is published now stays as it is.'],
      confirm: 'Withdraw it',
      danger: true,
    },
    () => request('POST', `/api/operator/submissions/${encodeURIComponent(submission.id)}/withdraw`),
  );
}

/** Asks, and makes an earlier version current again. @param current what it takes the place of */
export function rollBack(
  version: Pick<Dataset, 'id' | 'file_name' | 'received_at' | 'technology'>,
  current: Pick<Dataset, 'id' | 'file_name'> | undefined,
  technologyLabel: (name: string) => string,
): Promise<boolean> {
  const label = technologyLabel(version.technology);
  return ask(
    {
      title: `Go back to ${version.file_name}?`,
      body: [
        `Every lookup of ${label} answers from the file of ${when(version.received_at)} again, from that moment on.`,
        current ? `${current.file_name}, which is published now, is kept: you can go back to it, too.` : '',
      ].filter(Boolean),
      confirm: 'Go back to it',
    },
    () =>
      request(
        'POST',
        `/api/operator/datasets/${version.id}/rollback`,
        current ? { replaces: current.id } : undefined,
      ),
  );
}
