import { announce } from '../announce.ts';
import { request } from '../api.ts';
import { button } from '../button.ts';
import { ask } from '../dialog.ts';
import { h, icons } from '../dom.ts';
import { field, select, textField } from '../fields.ts';
import { part, section } from '../part.ts';
import { type Column, table } from '../table.ts';
import { when } from '../words.ts';
import { showSecret } from './secret.ts';
import type { Key } from './types.ts';

/** How long a key that is replaced goes on being good, in hours. */
const overlaps = [
  ['0', 'Not at all: it is refused at once'],
  ['1', 'One hour'],
  ['24', 'One day'],
  ['72', 'Three days'],
  ['168', 'One week'],
  ['720', '30 days'],
] as const;

/**
 * A customer's keys: made, replaced without an interruption, revoked. Staff and the customer have the same.
 * @param address `/api/account/keys`
 */
export function keysSection(address: string): HTMLElement {
  const list = part(
    () => request<{ keys: Key[] }>('GET', address),
    ({ keys }) => [
      keys.length === 0
        ? h('p', { class: 'muted' }, 'There is no key yet. Programs send one with each query.')
        : table('Keys, newest first', columns(keys), keys),
    ],
  );
  void list.load();
  return section('Keys', [button('New key', create, { icon: icons.plus })], list.element);

  function columns(keys: readonly Key[]): Column<Key>[] {
    return [
      { title: 'Key', heading: true, cell: ({ label }) => label || h('span', { class: 'muted' }, 'No name') },
      { title: 'Begins with', cell: ({ hint }) => h('code', {}, hint) },
      { title: 'State', cell: (key) => stateOf(key, keys) },
      {
        title: 'Last query',
        cell: ({ last_used: used }) => (used ? when(used) : h('span', { class: 'muted' }, 'none yet')),
      },
      { title: 'Made', cell: ({ created_at: at }) => h('span', { class: 'muted' }, when(at)) },
      { title: 'Actions', silent: true, cell: actions },
    ];
  }

  function actions(key: Key): Node {
    const isGood = key.state === 'active' || key.state === 'expiring';
    return h(
      'div',
      { class: 'actions end' },
      key.state === 'active'
        ? button('Replace', () => replace(key), { kind: 'quiet', label: `Replace ${nameOf(key)}` })
        : null,
      isGood ? button('Revoke', () => revoke(key), { kind: 'quiet', label: `Revoke ${nameOf(key)}` }) : null,
    );
  }

  async function create(): Promise<void> {
    let label = '';
    let secret: string | undefined;
    await ask(
      {
        title: 'New key',
        body: [
          textField(
            'What is it for?',
            'key-label',
            (text) => {
              label = text;
            },
            { hint: 'Such as “Website”. So that you know later which one it is.', maxlength: 100 },
          ),
        ],
        confirm: 'Make the key',
      },
      async () => {
        ({ secret } = await request<{ secret: string }>('POST', address, { label }));
      },
    );
    if (secret !== undefined) {
      await showSecret(label ? `The key “${label}”` : 'The new key', secret, ['It is good from now on.']);
    }
    await list.load();
  }

  async function replace(key: Key): Promise<void> {
    let hours = '72';
    let secret: string | undefined;
    const choice = select('overlap', overlaps, '72', (value) => {
      hours = value;
    });
    await ask(
      {
        title: `Replace ${nameOf(key)}?`,
        body: [
          'A new key is made. Both are good for a while, so that your programs can change over without an interruption.',
          field('How long is the old key good?', choice),
        ],
        confirm: 'Replace it',
      },
      async () => {
        const body = { overlap_hours: Number(hours) };
        ({ secret } = await request<{ secret: string }>('POST', `${address}/${key.id}/rotate`, body));
      },
    );
    if (secret !== undefined) {
      const until = overlaps.find(([value]) => value === hours)?.[1].toLowerCase();
      await showSecret(`The key that replaces ${nameOf(key)}`, secret, [
        hours === '0' ? 'The old key is refused from now on.' : `The old key is good for ${until}.`,
      ]);
    }
    await list.load();
  }

  async function revoke(key: Key): Promise<void> {
    const done = await ask(
      {
        title: `Revoke ${nameOf(key)}?`,
        body: [
          'Queries with it are refused from that moment on, and it cannot be made good again.',
          key.state === 'active' ? 'To change over without an interruption, replace it instead.' : '',
        ].filter(Boolean),
        confirm: 'Revoke it',
        danger: true,
      },
      () => request('POST', `${address}/${key.id}/revoke`),
    );
    if (done) announce(`${nameOf(key)} has been revoked.`);
    await list.load();
  }
}

function nameOf({ label, hint }: Key): string {
  return label || `the key ${hint}`;
}

function stateOf(key: Key, keys: readonly Key[]): Node {
  const next = keys.find(({ id }) => id === key.replaced_by);
  switch (key.state) {
    case 'active':
      return h('span', { class: 'badge good' }, 'Good');
    case 'expiring':
      return h(
        'span',
        {},
        h('span', { class: 'badge warning' }, 'Replaced'),
        h('span', { class: 'small muted below' }, `good until ${when(key.expires_at ?? '')}`),
      );
    case 'expired':
      return h(
        'span',
        {},
        h('span', { class: 'badge' }, 'Expired'),
        next ? h('span', { class: 'small muted below' }, `replaced by ${next.hint}`) : null,
      );
    case 'revoked':
      return h('span', { class: 'badge' }, 'Revoked');
  }
}
