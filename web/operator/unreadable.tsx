import type { ComponentChildren } from 'preact';
import type { UploadedFile } from '../shared/schemas.ts';
import { ErrorNotice, type ShownError } from '../shared/ui/notice.tsx';
import { when } from '../shared/words.ts';
import { CoverageDropZone } from './drop-zone.tsx';

type UnreadableProps = { file: UploadedFile; onReplace(file: File): void; children: ComponentChildren };

/** A file that would fail: the reason, and what can be done. */
export function Unreadable({ file, onReplace, children }: UnreadableProps) {
  const { expires_at: expires } = file;
  return (
    <section class="card stack large" aria-labelledby="unreadable">
      <h2 id="unreadable">This file cannot be used</h2>
      <ErrorNotice error={reasonAgainst(file)} />
      <p>
        It was not submitted, and live coverage is unchanged. Upload a corrected file in its place, or discard
        it.
        {expires && ` Otherwise it is removed by itself: ${when(expires)}.`}
      </p>
      <CoverageDropZone onChoose={onReplace} />
      <div class="actions">{children}</div>
    </section>
  );
}

/** Tells if the file would fail if it was submitted as it is. */
export function isUnusable({ can_submit: canSubmit }: UploadedFile): boolean {
  return canSubmit === false;
}

/** The reason why a file would fail. For towers it is in the inspection, which lists of files lack. */
export function reasonAgainst({ error, inspection }: UploadedFile): ShownError {
  const [problem = 'None of its towers can be used.'] = inspection?.towers?.problems ?? [];
  return (
    error ?? {
      message: problem,
      hint: 'Correct the list: /docs#/tower-data describes its columns, and /tower-template.csv has them all.',
    }
  );
}
