import { signal } from '@preact/signals';
import type { Key } from '../schemas.ts';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/dialog.tsx';
import { Select, TextField } from '../ui/fields.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Card } from '../ui/view.tsx';
import { moment } from '../words.ts';
import { makeSecret, SecretState } from './secret.tsx';

/** The hours until a rotated key expires. */
const overlaps = [
  ['0', 'Immediately'],
  ['1', 'After 1 hour'],
  ['24', 'After 1 day'],
  ['72', 'After 3 days'],
  ['168', 'After 1 week'],
  ['720', 'After 30 days'],
] as const;
type Overlap = (typeof overlaps)[number][0];

/** The actions on a customer's keys, by staff or by the customer. */
export interface KeyActions {
  /** @param key with an origin if it is for pages */
  create(key: { label: string; origin?: string }): Promise<{ secret: string }>;
  rotate(key: number, overlapHours: number): Promise<{ secret: string }>;
  revoke(key: number): Promise<unknown>;
}

/** A customer's keys, which are created, rotated without interruption and revoked, for staff and for the customer. */
export function Keys({ keys, actions }: { keys: readonly Key[]; actions: KeyActions }) {
  function create(): Promise<void> {
    const [label, origin] = [signal(''), signal('')];
    const body = (
      <>
        <TextField label="Name" name="key-label" hint="e.g. “Website”" maxLength={100} value={label} />
        <TextField
          label="Only for pages of (optional)"
          name="key-origin"
          hint="e.g. https://shop.example: a checker in your own pages. Leave empty for programs."
          type="url"
          maxLength={200}
          value={origin}
        />
      </>
    );
    return makeSecret(
      { title: 'New key', body, confirm: 'Create key' },
      async () => {
        const pages = origin.value.trim();
        const { secret } = await actions.create({
          label: label.value.trim(),
          ...(pages && { origin: pages }),
        });
        return { secret: pages ? checkerFor(secret) : secret };
      },
      () => [
        label.value.trim() || 'New key',
        origin.value.trim() ? 'Paste it into your page, where the checker is to be.' : 'Active now.',
      ],
    );
  }

  function rotate(key: Key): Promise<void> {
    const overlap = signal<Overlap>('72');
    const after = () => overlaps.find(([hours]) => hours === overlap.value)?.[1].toLowerCase();
    return makeSecret(
      {
        title: `Rotate ${nameOf(key)}?`,
        body: [
          'Creates a new key. Until the old one expires both work, so your programs can switch without an interruption.',
          <Select key="overlap" label="Old key expires" name="overlap" options={overlaps} value={overlap} />,
        ],
        confirm: 'Rotate key',
      },
      () => actions.rotate(key.id, Number(overlap.value)),
      () => [
        `New key for ${nameOf(key)}`,
        overlap.value === '0' ? 'The old key has expired.' : `The old key expires ${after()}.`,
      ],
    );
  }

  function revoke(key: Key): Promise<boolean> {
    return ask(
      {
        title: `Revoke ${nameOf(key)}?`,
        body: [
          'Queries with it are refused from now on. This can’t be undone.',
          key.state === 'active' && 'To switch without an interruption, rotate it instead.',
        ],
        confirm: 'Revoke key',
        danger: true,
        done: `${nameOf(key)} is revoked.`,
      },
      () => actions.revoke(key.id),
    );
  }

  const columns: Column<Key>[] = [
    {
      title: 'Key',
      heading: true,
      cell: ({ label, origin }) => (
        <>
          {label || <span class="muted">Unnamed</span>}
          {origin && <span class="small muted below">for {origin}</span>}
        </>
      ),
    },
    { title: 'Prefix', cell: ({ hint }) => <code>{hint}</code> },
    {
      title: 'State',
      cell: ({ state, expires_at: at, replaced_by: by }) => {
        const next = state === 'expired' && keys.find(({ id }) => id === by);
        return (
          <span>
            <SecretState of={state} />
            {state === 'expiring' && <span class="small muted below">expires {moment(at ?? '')}</span>}
            {next && <span class="small muted below">replaced by {next.hint}</span>}
          </span>
        );
      },
    },
    {
      title: 'Last used',
      cell: ({ last_used: used }) => (used ? moment(used) : <span class="muted">never</span>),
    },
    { title: 'Created', cell: ({ created_at: at }) => <span class="muted">{moment(at)}</span> },
    {
      title: 'Actions',
      silent: true,
      cell: (key) => (
        <div class="actions end">
          {key.state === 'active' && (
            <Button kind="quiet" label={`Rotate ${nameOf(key)}`} onClick={() => rotate(key)}>
              Rotate
            </Button>
          )}
          {(key.state === 'active' || key.state === 'expiring') && (
            <Button kind="quiet" label={`Revoke ${nameOf(key)}`} onClick={() => revoke(key)}>
              Revoke
            </Button>
          )}
        </div>
      ),
    },
  ];

  return (
    <Card
      title="Keys"
      actions={
        <Button icon="plus" onClick={create}>
          New key
        </Button>
      }
    >
      <Table
        caption="Keys, newest first"
        columns={columns}
        rows={keys}
        empty="No keys yet. Programs send one with each query."
      />
    </Card>
  );
}

/** The HTML that embeds the checker, see docs/user/embed.md. */
function checkerFor(key: string): string {
  const { origin } = location;
  return `<iframe
  src="${origin}/embed?key=${key}"
  title="Broadband checker"
  width="100%"
  height="420"
  style="border: 0"
  loading="lazy"
  allow="geolocation ${origin}"
></iframe>`;
}

function nameOf({ label, hint }: Key): string {
  return label || `key ${hint}`;
}
