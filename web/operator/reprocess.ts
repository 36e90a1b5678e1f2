import { asApiError, request } from '../shared/api.ts';
import { button } from '../shared/button.ts';
import { fill, h } from '../shared/dom.ts';
import { errorNotice, notice } from '../shared/notice.ts';
import { go } from '../shared/router.ts';
import type { Accepted, Submission, SystemChoice, WaitingFile } from '../shared/types.ts';
import type { Context } from './context.ts';
import { systemQuestion } from './system-question.ts';

/* The file of a submission once more: with the same answers, or with others. */

/** Goes to the form of the file, filled in with the answers that it had. */
export function reprocessButton({ id }: Submission, text = 'Reprocess'): HTMLElement {
  const problem = h('span', {});
  const act = async () => {
    fill(problem);
    try {
      go(`/file/${encodeURIComponent((await fileAgain(id)).id)}`);
    } catch (error) {
      fill(problem, errorNotice(asApiError(error)));
    }
  };
  return h('span', {}, button(text, act), problem);
}

/** The question in which reference system a file is, where it failed for lack of it; the answer submits it again. */
export function tryAgainAs(
  { catalog }: Context,
  submission: Submission,
  choices: SystemChoice[],
): HTMLElement {
  let crs = '';
  const problem = h('div', {});
  const question = systemQuestion(catalog, (chosen) => {
    crs = chosen;
  });
  question.show(choices, '');
  const act = async () => {
    fill(problem);
    if (!crs) return fill(problem, notice('warning', 'Choose the coordinate system of the file first.'));
    try {
      const file = await fileAgain(submission.id);
      const accepted = await request<Accepted>('POST', '/api/operator/submissions', {
        file_id: file.id,
        manifest: { ...submission.manifest, crs },
      });
      go(`/submission/${encodeURIComponent(accepted.id)}`);
    } catch (error) {
      fill(problem, errorNotice(asApiError(error)));
    }
  };
  return h(
    'div',
    { class: 'stack' },
    question.element,
    problem,
    h('div', { class: 'actions' }, button('Try again with this system', act, { kind: 'primary' })),
  );
}

function fileAgain(id: string): Promise<WaitingFile> {
  return request<WaitingFile>('POST', `/api/operator/submissions/${encodeURIComponent(id)}/reprocess`);
}
