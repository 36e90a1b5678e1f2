import { announce } from '../shared/announce.ts';
import { type ApiError, asApiError, request, sendForm } from '../shared/api.ts';
import { button } from '../shared/button.ts';
import { keepFresh } from '../shared/changes.ts';
import { fill, h, icon, icons } from '../shared/dom.ts';
import { follow } from '../shared/follow.ts';
import { errorNotice, notice } from '../shared/notice.ts';
import { progressBar } from '../shared/progress.ts';
import type { View } from '../shared/router.ts';
import type { Dataset, Status, Submission } from '../shared/types.ts';
import { bytes, count, coverageLabel, seconds, when } from '../shared/words.ts';
import type { Context } from './context.ts';
import { heldBackWords } from './held-back.ts';
import { editNote } from './note.ts';
import { blockingOtherThanLoss, changeOf, publish, rollBack, withdraw } from './publishing.ts';
import { type ReportView, reportView } from './report.ts';
import { reprocessButton, tryAgainAs } from './reprocess.ts';
import { isOffline, statusBadge, statusText } from './status.ts';
import { type SubmissionMap, submissionMap } from './submission-map.ts';

/** After so long without news of a file that is worked on, the page says what may have happened. */
const silentMs = 45_000;
/** After so long in the queue, it says that this is no reason to worry. */
const queuedMs = 8_000;

/** How often it is asked for what would change, while that is worked out anew. */
const compareMs = 1_500;

const steps: [Status[], string][] = [
  [['received'], 'Received'],
  [['reading'], 'Read'],
  [['loading'], 'Loaded'],
  [['checking'], 'Validated'],
  [['ready', 'published', 'superseded'], 'Published'],
];

const working: Partial<Record<Status, string>> = {
  received: 'Queued',
  reading: 'Reading the file',
  loading: 'Loading the areas',
  checking: 'Validating and comparing',
};

/** One file that was submitted: watched, looked at, published, taken back. */
export function submissionView(context: Context, id: string): View {
  const { technologyLabel } = context;
  const address = `/api/operator/submissions/${encodeURIComponent(id)}`;
  let current: Submission | undefined;
  let report: ReportView | undefined;
  let map: SubmissionMap | undefined;
  let endFollowing = () => {};
  let silence: ReturnType<typeof setTimeout> | undefined;
  let shownOutcome = '';
  let comparing: ReturnType<typeof setTimeout> | undefined;
  let left = false;

  const heading = h('h1', { class: 'break' }, 'Loading …');
  const facts = h('p', { class: 'muted' });
  const note = h('div', { class: 'row' });
  const badge = h('span', {});
  const stepper = h('div', {});
  const state = h('div', { class: 'stack' });
  const connection = h('div', {});
  const bar = progressBar();
  const patience = h('p', { class: 'hint' });
  const reportCard = h('section', { class: 'card report', 'aria-labelledby': 'report', hidden: true });
  const mapSide = h('div', { class: 'map-side', hidden: true });
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
        context.session.role === 'staff' ? 'Coverage' : 'Your coverage',
      ),
      h('div', { class: 'row' }, heading, badge),
      facts,
      note,
    ),
    h(
      'div',
      { class: 'submission' },
      h('section', { class: 'card stack state', 'aria-label': 'State' }, stepper, connection, state),
      mapSide,
      reportCard,
    ),
  );

  void load();
  // Published, withdrawn or replaced elsewhere: news of a finished submission do not come by themselves.
  const endFresh = keepFresh(reload);

  /** Gets all of it, with its report, and follows it if there is more to come. */
  async function load(): Promise<void> {
    try {
      const submission = await request<Submission>('GET', address);
      if (left) return;
      show(submission);
      if (!submission.finished) watch();
    } catch (error) {
      if (!left) showFailure(asApiError(error));
    }
  }

  function watch(): void {
    endFollowing();
    endFollowing = follow(id, {
      changed(news) {
        if (left) return;
        const before = current?.status;
        if (news.status !== before) announce(`${news.file.name}: ${statusText(news)}`);
        // The events come without the report.
        if (news.finished || news.status !== before) {
          show({ ...news, report: current?.report ?? null });
          if (news.finished || news.status === 'ready') void reload();
        } else show({ ...news, report: current?.report ?? null });
      },
      connected(isConnected) {
        fill(
          connection,
          isConnected
            ? null
            : notice(
                'warning',
                'The server cannot be reached at the moment.',
                'The work on your file goes on without this page. Retrying.',
              ),
        );
      },
      failed: (error) => showFailure(error),
    });
  }

  async function reload(): Promise<void> {
    try {
      const submission = await request<Submission>('GET', address);
      if (left) return;
      const wasFinished = current?.finished ?? false;
      fill(connection);
      show(submission);
      if (wasFinished && !submission.finished) watch();
    } catch (error) {
      if (!left) showFailure(asApiError(error));
    }
  }

  function showFailure(error: ApiError): void {
    if (error.code === 'not_signed_in') return;
    if (!current) fill(heading, 'This file cannot be shown');
    fill(connection, errorNotice(error, error.status === 404 ? undefined : button('Try again', load)));
  }

  function show(submission: Submission): void {
    const isNews = submission.status !== current?.status || submission.finished !== current?.finished;
    current = submission;
    document.title = `${submission.file.name} · covermap`;
    fill(heading, submission.file.name);
    fill(badge, statusBadge(submission));
    fill(
      facts,
      [
        submission.technologies.map(technologyLabel).join(', '),
        submission.datasets[0]?.scope ? `scope ${submission.datasets[0].scope}` : '',
        context.session.role === 'staff' ? submission.provider.name : '',
        bytes(submission.file.size_bytes),
        `uploaded ${when(submission.received_at)}${submission.submitted_by ? ` by ${submission.submitted_by}` : ''}`,
      ]
        .filter(Boolean)
        .join(' · '),
    );
    showNote(submission);
    fill(stepper, stepList(submission));
    if (submission.finished || submission.status === 'ready' || submission.waiting_for) {
      clearTimeout(silence);
      fill(patience);
      showOutcome(submission);
    } else {
      shownOutcome = '';
      if (isNews || !bar.element.isConnected) fill(state, bar.element, patience);
      showProgress(submission);
    }
    showReport(submission);
    clearTimeout(comparing);
    if (submission.comparing) comparing = setTimeout(reload, compareMs);
  }

  function showNote(submission: Submission): void {
    const text = submission.note;
    const edit = async () => {
      if (await editNote(submission)) await reload();
    };
    if (note.dataset.text === text) return;
    note.dataset.text = text;
    fill(
      note,
      text !== '' && h('span', { class: 'break' }, `“${text}”`),
      button(text === '' ? 'Add note' : 'Edit note', edit, { kind: 'quiet' }),
    );
  }

  function showProgress({ status, progress }: Submission): void {
    const label = working[status] ?? 'Working on it';
    const detail = progress
      ? [
          progress.features_read > 0 ? `${count(progress.features_read, 'area')} read` : '',
          progress.rows_loaded > 0 ? `${count(progress.rows_loaded, 'piece')} loaded` : '',
        ]
          .filter(Boolean)
          .join(', ')
      : '';
    bar.show(label, status === 'received' || !progress ? null : progress.percent, detail);
    fill(patience);
    clearTimeout(silence);
    const began = Date.now();
    silence = setTimeout(
      () =>
        fill(
          patience,
          status === 'received'
            ? 'Your file is kept. Another file may be before it; it starts by itself, also if a part of the service is being restarted.'
            : `There has been no news for ${seconds((Date.now() - began) / 1000)}. If the machine that worked on it has stopped, another one starts over by itself. Nothing is lost, and you can close this page.`,
        ),
      status === 'received' ? queuedMs : silentMs,
    );
  }

  function showOutcome(submission: Submission): void {
    const { status, waiting_for, datasets, blocking, comparison, can, error } = submission;
    const outcome = JSON.stringify([status, waiting_for, datasets, blocking, comparison, can, error]);
    // News that change nothing here leave the focus, and a file that was chosen, where they are.
    if (outcome === shownOutcome) return;
    shownOutcome = outcome;
    if (submission.waiting_for === 'prediction') showPredictionWanted(submission);
    else if (submission.status === 'failed') showFailed(submission);
    else if (submission.status === 'withdrawn') {
      fill(
        state,
        notice('info', 'Withdrawn. It was never published.'),
        h('div', { class: 'actions' }, reprocessButton(submission)),
      );
    } else if (submission.status === 'ready') showReady(submission);
    else {
      fill(
        state,
        submission.status === 'published'
          ? notice('good', 'Live.', 'Lookups answer from this file.')
          : isOffline(submission)
            ? notice('info', 'Taken offline.', 'Nothing is live in its place.')
            : notice('info', 'Superseded.', 'Another version is live.'),
      );
      void showVersions(submission);
    }
  }

  function withdrawButton(submission: Submission): HTMLElement | null {
    if (!submission.can.withdraw) return null;
    const act = async () => {
      if (await withdraw(submission)) await load();
    };
    return button('Withdraw', act, { kind: 'quiet' });
  }

  function showFailed(submission: Submission): void {
    const { error } = submission;
    fill(
      state,
      errorNotice(error ?? { message: 'Validation failed.' }),
      error?.code === 'reference_system_missing' && tryAgainAs(context, submission, error.choices ?? []),
      h('p', {}, 'Live coverage is unchanged.'),
      h(
        'div',
        { class: 'actions' },
        h('a', { class: 'button primary', href: '#/' }, 'Upload corrected file'),
        reprocessButton(submission, 'Edit description'),
        withdrawButton(submission),
      ),
    );
  }

  function showReady(submission: Submission): void {
    if (!submission.can.publish || (submission.publish === 'auto' && !submission.waiting_for)) {
      fill(state, notice('info', 'Validated. It is about to be published automatically.'));
      return;
    }
    const isFirst = submission.datasets.every(({ change }) => change === null);
    const publishIt = async () => {
      if (await publish(submission, technologyLabel)) announce(`${submission.file.name} is published.`);
      // Also where it was refused: what is published may be another one by now.
      await load();
    };
    fill(
      state,
      submission.comparing &&
        notice(
          'info',
          'Recalculating changes.',
          'Another version was published. You can publish once this is compared with it.',
        ),
      h('h2', {}, 'What would change'),
      ...(submission.comparing
        ? []
        : submission.datasets.flatMap((one) => changeOf(one, technologyLabel)).map(paragraph)),
      ...blockingOtherThanLoss(submission).map((one) => blockingNotice(submission, one)),
      h(
        'p',
        {},
        submission.held_back
          ? heldBackWords(submission)
          : `Validated. Only you can see it. Look at ${isFirst ? 'it' : 'what would change'} on the map, then publish it.`,
      ),
      h(
        'div',
        { class: 'actions' },
        !submission.comparing && button('Publish', publishIt, { kind: 'primary' }),
        withdrawButton(submission),
      ),
    );
  }

  /** A reason that keeps it back; with the way to mend it, where there is one on this page. */
  function blockingNotice(
    { provider }: Submission,
    { code, message }: Submission['blocking'][number],
  ): HTMLElement {
    if (code !== 'provider_url_missing') return notice('warning', message);
    const href = context.session.role === 'staff' ? `#/providers/${provider.id}` : '#/profile';
    return notice('warning', message, undefined, h('a', { class: 'button', href }, 'Complete profile'));
  }

  /** What can be gone back to, from here: to this version, or from this one to the one before. */
  async function showVersions(submission: Submission): Promise<void> {
    const offers: HTMLElement[] = [];
    try {
      for (const technology of submission.technologies) {
        const query = `technology=${encodeURIComponent(technology)}${context.session.role === 'staff' ? `&provider=${encodeURIComponent(submission.provider.name)}` : ''}`;
        const { datasets } = await request<{ datasets: Dataset[] }>('GET', `/api/operator/datasets?${query}`);
        const mine = datasets.find(({ submission_id: from }) => from === submission.id);
        const alike = datasets.filter(
          ({ scope }) => scope.toLowerCase() === (mine?.scope ?? '').toLowerCase(),
        );
        const published = alike.find(({ state: one }) => one === 'published');
        const target =
          mine?.state === 'published' ? newestSuperseded(alike) : mine?.can_roll_back ? mine : undefined;
        if (!target) continue;
        const label = coverageLabel(technologyLabel(technology), target.scope);
        const text = target === mine ? `Restore (${label})` : `Roll back to ${target.file_name} (${label})`;
        offers.push(
          button(
            text,
            async () => {
              if (await rollBack(target, published, technologyLabel)) {
                announce(`Lookups of ${label} answer from ${target.file_name} again.`);
              }
              await load();
            },
            { icon: icons.undo },
          ),
        );
      }
    } catch {
      // It can be done from the list of versions, too.
    }
    if (left || current !== submission) return;
    state.append(
      h('div', { class: 'actions' }, ...offers),
      h(
        'p',
        { class: 'small' },
        ...submission.technologies.map((technology) =>
          h(
            'a',
            {
              class: 'spaced',
              href: `#/versions/${[technology, ...(context.session.role === 'staff' ? [submission.provider.name] : [])].map(encodeURIComponent).join('/')}`,
            },
            `Version history of ${technologyLabel(technology)}`,
          ),
        ),
      ),
    );
  }

  function showPredictionWanted(submission: Submission): void {
    const problem = h('div', {});
    const input = h('input', { type: 'file', id: 'prediction' });
    fill(
      state,
      notice(
        'info',
        'Tower data received.',
        'We model coverage from these towers. It appears here, and you can review it before it is published.',
      ),
      context.session.role === 'staff' &&
        submission.can.attach_prediction &&
        h(
          'div',
          { class: 'stack' },
          h('label', { for: 'prediction' }, 'Coverage modelled from these towers'),
          input,
          problem,
          h(
            'div',
            { class: 'actions' },
            h('a', { class: 'button', href: `${address}/file`, download: true }, 'Download towers'),
            button(
              'Upload prediction',
              async () => {
                const file = input.files?.[0];
                if (!file)
                  return fill(problem, notice('warning', 'Choose the file with the prediction first.'));
                const form = new FormData();
                form.append('file', file);
                try {
                  await sendForm(`/api/staff/tower-work/${encodeURIComponent(id)}/prediction`, form);
                  await load();
                } catch (error) {
                  fill(problem, errorNotice(asApiError(error)));
                }
              },
              { kind: 'primary' },
            ),
          ),
        ),
      h('div', { class: 'actions' }, withdrawButton(submission)),
    );
  }

  function showReport(submission: Submission): void {
    const found = submission.report;
    if (!found) return;
    if (!map) {
      map = submissionMap(context.catalog, (place) => report?.select(place));
      mapSide.append(map.element);
      mapSide.hidden = false;
    }
    map.update(submission);
    if (!report) {
      report = reportView(found, technologyLabel, (place) => {
        map?.goTo(place);
        // On a phone the map is above the report, out of sight.
        if (window.matchMedia('(max-width: 900px)').matches) map?.element.scrollIntoView({ block: 'start' });
      });
      fill(
        reportCard,
        h('h2', { id: 'report' }, 'Validation report'),
        report.element,
        h(
          'p',
          { class: 'small' },
          h('a', { href: `${address}/file`, download: submission.file.name }, 'Download original file'),
        ),
      );
      reportCard.hidden = false;
    }
  }

  return {
    title: 'File',
    element,
    leave() {
      left = true;
      endFresh();
      endFollowing();
      clearTimeout(silence);
      clearTimeout(comparing);
      map?.remove();
    },
  };
}

function paragraph(part: string | Node): Node {
  return typeof part === 'string' ? h('p', {}, part) : part;
}

/** The version that was published before the one that is. */
function newestSuperseded(datasets: readonly Dataset[]): Dataset | undefined {
  return datasets
    .filter(({ can_roll_back: can }) => can)
    .sort((a, b) => (b.superseded_at ?? '').localeCompare(a.superseded_at ?? ''))[0];
}

function stepList({ status, progress, finished }: Submission): HTMLElement {
  const failedAt = status === 'failed' || status === 'withdrawn' ? (progress?.step ?? 'reading') : undefined;
  const at = steps.findIndex(([statuses]) => statuses.includes(failedAt ?? status));
  return h(
    'ol',
    { class: 'steps' },
    ...steps.map(([, name], i) => {
      const isDone = i < at || (status === 'published' && i === at) || (status === 'superseded' && i === at);
      const isNow = i === at && !isDone;
      const kind = isDone ? 'done' : isNow ? (failedAt ? 'stopped' : finished ? 'next' : 'now') : '';
      const words = isDone ? ', done' : isNow ? (failedAt ? ', stopped here' : ', now') : '';
      return h(
        'li',
        { class: kind, 'aria-current': isNow && 'step' },
        h('span', { class: 'step-mark' }, isDone ? icon(icons.check, 14) : null),
        h('span', {}, name, h('span', { class: 'visually-hidden' }, words)),
      );
    }),
  );
}
