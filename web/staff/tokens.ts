import { announce } from '../shared/announce.ts';
import { request } from '../shared/api.ts';
import { showSecret } from '../shared/billing/secret.ts';
import type { CustomerToken } from '../shared/billing/types.ts';
import { button } from '../shared/button.ts';
import { ask } from '../shared/dialog.ts';
import { h, icons } from '../shared/dom.ts';
import { textField } from '../shared/fields.ts';
import { part, section } from '../shared/part.ts';
import { when } from '../shared/words.ts';

/** The people of a customer who may sign in at /account, each with a token. */
export function tokensSection(address: string): HTMLElement {
  const list = part(
    () => request<{ tokens: CustomerToken[] }>('GET', address),
    ({ tokens }) => [
      tokens.length === 0
        ? h('p', { class: 'muted' }, 'Nobody can sign in to the account yet.')
        : h('ul', { class: 'divided' }, ...tokens.map(item)),
    ],
  );
  void list.load();
  return section('Who can sign in', [button('New token', create, { icon: icons.plus })], list.element);

  function item(token: CustomerToken): HTMLElement {
    return h(
      'li',
      { class: 'row apart' },
      h(
        'div',
        {},
        h('strong', {}, token.name),
        ' ',
        h('code', { class: 'small muted' }, token.hint),
        h('span', { class: 'small muted below' }, timesOf(token)),
      ),
      token.state === 'expiring' && h('span', { class: 'badge warning' }, 'Ends soon'),
      token.state === 'revoked' || token.state === 'expired'
        ? h('span', { class: 'badge' }, token.state === 'revoked' ? 'Revoked' : 'Ended')
        : button('Revoke', () => revoke(token), {
            kind: 'quiet',
            label: `Revoke the token of ${token.name}`,
          }),
    );
  }

  function timesOf({ state, created_at, expires_at, revoked_at }: CustomerToken): string {
    if (revoked_at) return `revoked ${when(revoked_at)}`;
    return `since ${when(created_at)}, ${state === 'expired' ? 'ended' : 'good until'} ${when(expires_at)}`;
  }

  async function create(): Promise<void> {
    let name = '';
    let secret: string | undefined;
    await ask(
      {
        title: 'New token',
        body: [
          textField(
            'For whom is it?',
            'token-name',
            (text) => {
              name = text;
            },
            {
              hint: 'It signs in at /account, and sees usage, keys and invoices of this customer. It is good for a year.',
              required: true,
              maxlength: 100,
            },
          ),
        ],
        confirm: 'Make the token',
      },
      async () => {
        ({ secret } = await request<{ secret: string }>('POST', address, { name }));
      },
    );
    if (secret !== undefined) await showSecret(`The token of ${name}`, secret, []);
    await list.load();
  }

  async function revoke(token: CustomerToken): Promise<void> {
    const done = await ask(
      {
        title: `Revoke the token of ${token.name}?`,
        body: ['Whoever is signed in with it is signed out at once.'],
        confirm: 'Revoke it',
        danger: true,
      },
      () => request('POST', `${address}/${token.id}/revoke`),
    );
    if (done) announce(`The token of ${token.name} has been revoked.`);
    await list.load();
  }
}
