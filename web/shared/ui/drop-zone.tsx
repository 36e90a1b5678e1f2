import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { set } from '../field-value.ts';
import { bytes } from '../words.ts';
import { Icon } from './icon.tsx';
import { Notice, type NoticeProps } from './notice.tsx';

interface DropZoneProps {
  /** "Drop your coverage file here, or" */
  title: string;
  /** The file chooser's default; any file may be chosen, as the content decides. */
  accept: string;
  hint: ComponentChildren;
  limitBytes: number;
  /** What to do with a file that is too large. */
  tooLarge: string;
  /** What to do with several files. */
  several: string;
  /** Why a file is not taken. */
  refuse?(file: File): NoticeProps | undefined;
  onChoose(file: File): void;
}

/** A place to drop a file on; a button for the keyboard. */
export function DropZone({ title, accept, hint, onChoose, ...limits }: DropZoneProps) {
  const id = useId();
  const isOver = useSignal(false);
  const problem = useSignal<NoticeProps | undefined>(undefined);
  const take = (files: FileList | null | undefined) => {
    const [file, ...others] = files ?? [];
    problem.value = file && refusalOf(file, others.length > 0, limits);
    if (file && !problem.value) onChoose(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same
    <div
      class={isOver.value ? 'drop-zone over' : 'drop-zone'}
      // A file dropped beside the zone would otherwise replace the page.
      onDragEnter={(event) => event.preventDefault()}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => set(isOver, false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        take(event.dataTransfer?.files);
      }}
    >
      <input
        id={id}
        type="file"
        class="visually-hidden"
        accept={accept}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          currentTarget.value = '';
        }}
      />
      <span class="drop-icon">
        <Icon name="upload" size={28} />
      </span>
      <p class="row drop-title">
        <span class="wide-only">{title} </span>
        <label for={id} class="button primary">
          Choose a file
        </label>
      </p>
      <p id={`${id}-hint`} class="hint">
        {hint} Up to {bytes(limits.limitBytes)}.
      </p>
      <div aria-live="assertive">{problem.value && <Notice {...problem.value} />}</div>
    </div>
  );
}

type Limits = Pick<DropZoneProps, 'limitBytes' | 'tooLarge' | 'several' | 'refuse'>;

function refusalOf(
  file: File,
  isOneOfSeveral: boolean,
  { limitBytes, tooLarge, several, refuse }: Limits,
): NoticeProps | undefined {
  if (isOneOfSeveral) return { tone: 'warning', title: 'Please one file at a time.', text: several };
  if (file.size > limitBytes) {
    const title = `${file.name} has ${bytes(file.size)}; at most ${bytes(limitBytes)} are accepted.`;
    return { tone: 'bad', title, text: tooLarge };
  }
  if (file.size === 0) {
    return { tone: 'bad', title: `${file.name} is empty.`, text: 'Export it again and choose the new file.' };
  }
  return refuse?.(file);
}
