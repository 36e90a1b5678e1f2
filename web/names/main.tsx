import { useComputed, useSignal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { announce } from '../shared/announce.ts';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import type { NameStatus } from '../shared/schemas.ts';
import { Button, CopyButton } from '../shared/ui/button.tsx';
import { TextArea } from '../shared/ui/fields.tsx';
import { PublicHeader } from '../shared/ui/header.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Badge, ErrorNotice, type Tone, useAttempt } from '../shared/ui/notice.tsx';
import { Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { count, moment, number } from '../shared/words.ts';
import { maxNames, namesIn, requestsOf } from './list.ts';
import { countsOf, csvOf, type NameRow, rowsOf, tabbed } from './rows.ts';

/* The page on which registrars check a list of names, by the requests that their programs make. */

const place = (id: string) => document.getElementById(id) as HTMLElement;
render(<PublicHeader />, place('header'));
render(<NamesView />, place('content'));

function NamesView() {
  const text = useSignal('');
  const list = useComputed(() => namesIn(text.value));
  const rows = useSignal<NameRow[] | undefined>(undefined);
  const { error, attempt, refuse } = useAttempt();
  const check = () => {
    const { names } = list.value;
    if (names.length === 0) return refuse('Paste one name or more, such as kauri.nz.');
    if (names.length > maxNames)
      return refuse(`A list has ${number(maxNames)} names at most. Check this one in parts.`);
    return attempt(async () => {
      const found = await lookUp(names);
      set(rows, found);
      announce(`${count(found.length, 'name')}: ${countsOf(found)}.`);
    });
  };
  return (
    <View
      title="Check domain names"
      lead={
        <p class="muted">
          For registrars: which names are taken, and when are they released? The service knows you by your
          address; <a href="/docs#/registry">Domain registry</a> says the same to programs.
        </p>
      }
    >
      <Card title="Names">
        <TextArea
          label="Full names, one a line or between commas"
          name="names"
          rows={8}
          spellcheck={false}
          autoComplete="off"
          placeholder={'kauri.nz\nold-ferry.co.nz'}
          hint={<Costs {...list.value} />}
          value={text}
        />
        <ErrorNotice error={error.value} />
        <div class="actions">
          <Button kind="primary" onClick={check}>
            Check names
          </Button>
        </div>
      </Card>
      {rows.value && <Found rows={rows.value} />}
    </View>
  );
}

/** The cost of a list, before it is asked for. */
function Costs({ names, repeated }: ReturnType<typeof namesIn>) {
  return (
    <>
      {count(names.length, 'name')}
      {repeated > 0 && `, and ${number(repeated)} given again`}. A list has {number(maxNames)} at most. A name
      costs nothing, and counts as one against <a href="/docs#/registry/rate">the rate of your registrar</a>.
      So do zones and dates of release, where the table needs them.
    </>
  );
}

/** Asks for names in their order. Zones and dates of release are asked for where a name needs them. @throws CovermapApiError */
async function lookUp(names: readonly string[]): Promise<NameRow[]> {
  const entries: NameStatus[] = [];
  for (const part of requestsOf(names)) {
    entries.push(...(await api.get('/1.0/availability', { query: { 'domains[]': part } })));
  }
  const has = (code: string) => entries.some((entry) => entry.code === code);
  const zones = has('220') ? await api.get('/1.0/zones') : [];
  const dropping = has('210') ? await api.get('/1.0/droplist') : [];
  return rowsOf(entries, zones, dropping);
}

function Found({ rows }: { rows: readonly NameRow[] }) {
  const address = useMemo(() => URL.createObjectURL(new Blob([csvOf(rows)], { type: 'text/csv' })), [rows]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return (
    <Card
      title="What there is"
      actions={
        <>
          <CopyButton text={() => tabbed(rows)} onRefused={() => announce('Download the table instead.')}>
            Copy
          </CopyButton>
          <a class="button" href={address} download="names.csv">
            <Icon name="download" size={18} />
            CSV
          </a>
        </>
      }
    >
      <p>{countsOf(rows)}.</p>
      <Table
        caption="The names"
        rows={rows}
        columns={[
          {
            title: 'Name',
            heading: true,
            sortBy: ({ domain, original = domain }) => original,
            cell: ({ domain, original }) => (
              <>
                <span class="break">{original ?? domain}</span>
                {original && <span class="muted small below break">{domain}</span>}
              </>
            ),
          },
          {
            title: 'Status',
            sortBy: ({ code }) => code,
            cell: ({ code, status }) => (
              <Badge tone={tones[code] ?? (code >= '500' ? 'bad' : undefined)}>{status}</Badge>
            ),
          },
          {
            title: 'Free from',
            sortBy: ({ drop_date }) => drop_date ?? '',
            cell: ({ drop_date }) => drop_date && moment(drop_date.replace(' ', 'T')),
          },
          { title: 'Reason', cell: ({ reason }) => reason },
        ]}
      />
    </Card>
  );
}

const tones: Record<string, Tone> = { '220': 'good', '210': 'warning' };
