import type { ComponentChildren } from 'preact';
import { Notice } from './notice.tsx';

export interface ShownError {
  message: string;
  hint?: string | undefined;
}

/** An error in words, with its hint and what can be done about it; nothing where there is none. */
export function ErrorNotice({
  error,
  children,
}: {
  error: ShownError | undefined;
  children?: ComponentChildren;
}) {
  return error ? (
    <Notice tone="bad" title={error.message} text={error.hint}>
      {children}
    </Notice>
  ) : null;
}
