import { useSignal } from '@preact/signals';
import { asApiError } from './client.ts';
import type { ShownError } from './ui/notice.tsx';

/** Does what may fail, and keeps why it did the last time: for an ErrorNotice. `refuse` says why it is not even tried. */
export function useAttempt() {
  const error = useSignal<ShownError | undefined>(undefined);
  return {
    error,
    refuse(message: string): void {
      error.value = { message };
    },
    async attempt(act: () => Promise<unknown>): Promise<void> {
      error.value = undefined;
      try {
        await act();
      } catch (caught) {
        error.value = asApiError(caught);
      }
    },
  };
}
