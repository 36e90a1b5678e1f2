import { announce } from '../announce.ts';
import { button } from '../button.ts';
import { tell } from '../dialog.ts';
import { h, icons } from '../dom.ts';
import { notice } from '../notice.ts';

/** Shows a key or a token, which nobody can be shown again. Resolves when it has been closed. */
export function showSecret(title: string, secret: string, sentences: readonly string[]): Promise<void> {
  const field = h('input', {
    class: 'secret',
    type: 'text',
    readonly: true,
    value: secret,
    'aria-label': title,
    spellcheck: 'false',
    onfocus: () => field.select(),
  });
  const copy = button(
    'Copy',
    async () => {
      try {
        await navigator.clipboard.writeText(secret);
        announce('Copied.');
        copy.lastChild?.replaceWith('Copied');
      } catch {
        // Browsers allow it on https and on this machine only: then it is at least selected.
        field.focus();
        field.select();
      }
    },
    { icon: icons.copy },
  );
  return tell(
    title,
    [
      h('div', { class: 'secret-row' }, field, copy),
      notice(
        'warning',
        'It is shown this once.',
        'Copy it to where you keep secrets. Only a fingerprint of it is stored here.',
      ),
      ...sentences,
    ],
    'I have kept it',
  );
}
