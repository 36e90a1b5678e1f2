import { useInAddress } from '../shared/address.ts';
import { SearchField } from '../shared/billing/search-field.tsx';
import { api } from '../shared/client.ts';
import type { MailDetail, MailList, MailMessage } from '../shared/schemas.ts';
import { Button, CsvLink } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Facts } from '../shared/ui/facts.tsx';
import { Select } from '../shared/ui/fields.tsx';
import { Badge, Notice, type Tone } from '../shared/ui/notice.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { moment, number } from '../shared/words.ts';
import { accountHref } from './account.ts';

type State = MailMessage['state'];
type Decision = 'again' | 'arrived' | 'cancel';
const askAgainMs = 10_000;

const states: Record<State, { name: string; tone?: Tone }> = {
  no_address: { name: 'No address', tone: 'warning' },
  queued: { name: 'Queued', tone: 'info' },
  sending: { name: 'Being sent', tone: 'info' },
  sent: { name: 'Sent' },
  uncertain: { name: 'Uncertain', tone: 'warning' },
  failed: { name: 'Failed', tone: 'bad' },
  cancelled: { name: 'Cancelled' },
};
const stateNames = Object.keys(states) as State[];

/** What staff may decide on a message in each state. */
const offered: Record<State, readonly Decision[]> = {
  no_address: ['again', 'cancel'],
  queued: ['arrived', 'cancel'],
  sending: [],
  sent: [],
  uncertain: ['arrived', 'again'],
  failed: ['again', 'cancel'],
  cancelled: ['again'],
};

/** Where the address of an account is set. */
const settingsOf = ({ kind, id }: MailMessage['account']) =>
  kind === 'customer' ? `#/customers/${id}` : `/operator#/providers/${id}`;

const Address = ({ account, address }: Pick<MailMessage, 'account' | 'address'>) =>
  address === null ? (
    <a href={settingsOf(account)}>No address: add one</a>
  ) : (
    <span class="break">{address}</span>
  );

/** The e-mails that the service sends. */
export function MailView() {
  const state = useInAddress('state', '', stateNames);
  const q = useInAddress('q');
  const before = useInAddress('before');
  const query = () => ({
    ...(q.value ? { q: q.value } : {}),
    ...(state.value ? { state: state.value as State } : {}),
    ...(before.value ? { before: before.value } : {}),
  });
  const mail = useResource(() => api.get('/api/staff/mail', { query: query() }), 'anywhere', askAgainMs);
  const counts = mail.data.value?.counts;
  const option = (one: State) =>
    [one, counts ? `${states[one].name} (${number(counts[one])})` : states[one].name] as const;
  return (
    <View
      title="E-mails"
      actions={
        <a class="button" href="#/mail/templates">
          Templates
        </a>
      }
    >
      {mail.data.value?.sends === false && (
        <Notice
          tone="info"
          title="No mail server is configured"
          text="E-mails wait here. Download them and send them from your mail program, then mark them as sent; or set SMTP_URL."
        />
      )}
      <Card title="E-mails" silent>
        <div class="filters">
          <SearchField label="Search e-mails" placeholder="Name, invoice, amount" q={q} />
          <Select
            label="State"
            name="mail-state"
            options={[['', 'All'], ...stateNames.map(option)]}
            value={state}
          />
          <CsvLink href={`/api/staff/mail?${new URLSearchParams({ ...query(), format: 'csv' })}`} />
        </div>
        <Loaded of={mail}>{(answer) => <Messages {...answer} query={query()} />}</Loaded>
      </Card>
    </View>
  );
}

function Messages({ messages, next, query }: MailList & { query: Record<string, string> }) {
  return (
    <>
      <Table
        caption="E-mails, newest first"
        columns={columns}
        rows={messages}
        empty={Object.keys(query).length > 0 ? 'No matching e-mails.' : 'No e-mails yet.'}
      />
      {next && (
        <p>
          <a href={`#/mail?${new URLSearchParams({ ...query, before: next })}`}>Older e-mails</a>
        </p>
      )}
    </>
  );
}

const columns: Column<MailMessage>[] = [
  {
    title: 'E-mail',
    heading: true,
    cell: ({ id, subject, title }) => (
      <span>
        <a class="break" href={`#/mail/${id}`}>
          {subject}
        </a>
        <span class="small muted below">{title}</span>
      </span>
    ),
  },
  {
    title: 'To',
    cell: ({ account, address }) => (
      <span>
        <a class="break" href={accountHref(account)}>
          {account.name}
        </a>
        <span class="small muted below break">
          <Address {...{ account, address }} />
        </span>
      </span>
    ),
  },
  { title: 'Queued', cell: ({ queued_on: at }) => moment(at) },
  { title: 'State', cell: (message) => <StateOf {...message} /> },
  { title: 'Actions', silent: true, cell: (message) => <Actions {...message} /> },
];

function StateOf({ state, reason, retry_at: retryAt, sent_at: sentAt }: MailMessage) {
  return (
    <span>
      <Badge tone={states[state].tone}>{states[state].name}</Badge>
      {sentAt && <span class="small muted below">{moment(sentAt)}</span>}
      {reason && state !== 'sent' && <span class="small below break">{reason}</span>}
      {retryAt && state === 'queued' && <span class="small muted below">tried again {moment(retryAt)}</span>}
    </span>
  );
}

/** The words of each decision: its button, and what it asks. */
const words: Record<Decision, (of: MailMessage) => { label: string; body: string; done: string }> = {
  again: ({ state }) => ({
    label: state === 'no_address' ? 'Send now' : 'Send again',
    body: `It is sent to the address that the account has now.${
      state === 'uncertain' ? ' If it has arrived after all, its recipient gets it twice.' : ''
    }`,
    done: 'It is queued.',
  }),
  arrived: ({ state }) => ({
    label: state === 'uncertain' ? 'It arrived' : 'Mark as sent',
    body: 'It counts as sent, and is not sent again.',
    done: 'It counts as sent.',
  }),
  cancel: () => ({ label: 'Do not send', body: 'It is not sent.', done: 'It is not sent.' }),
};

function Actions(message: MailMessage) {
  const { id, subject, state } = message;
  return (
    <div class="actions end">
      {offered[state].map((decision) => {
        const { label, body, done } = words[decision](message);
        const decide = () =>
          ask({ title: `${label}?`, body: [subject, body], confirm: label, done }, () =>
            api.post('/api/staff/mail/{id}', { path: { id }, body: { decision } }),
          );
        return (
          <Button key={decision} kind="quiet" label={`${label}: ${subject}`} onClick={decide}>
            {label}
          </Button>
        );
      })}
    </div>
  );
}

/** An e-mail as it is sent. */
export function MailMessageView({ id }: { id: number }) {
  const mail = useResource(() => api.get('/api/staff/mail/{id}', { path: { id } }), 'anywhere');
  return (
    <View title={mail.data.value?.subject ?? 'E-mail'} back={{ href: '#/mail', label: 'E-mails' }}>
      <Loaded of={mail}>{(message) => <Detail {...message} />}</Loaded>
    </View>
  );
}

function Detail({ text, html: _, ...message }: MailDetail) {
  const { id, account, address, title } = message;
  return (
    <Card title={title}>
      <Facts
        list={[
          [
            'To',
            <a key="to" href={accountHref(account)}>
              {account.name}
            </a>,
          ],
          ['Address', <Address key="address" {...{ account, address }} />],
          ['Queued', moment(message.queued_on)],
          ['State', <StateOf key="state" {...message} />],
        ]}
      />
      <pre class="lines">{text}</pre>
      <div class="actions">
        <a class="button" href={`/api/staff/mail/${id}?format=html`} target="_blank" rel="noreferrer">
          As HTML
        </a>
        <a class="button" href={`/api/staff/mail/${id}/eml`} download>
          Download
        </a>
      </div>
      <Actions {...message} />
    </Card>
  );
}

/** Every template with example data. */
export function MailTemplatesView() {
  const templates = useResource(() => api.get('/api/staff/mail-templates'));
  return (
    <View
      title="Templates of e-mails"
      back={{ href: '#/mail', label: 'E-mails' }}
      lead="What the service sends, with example data."
    >
      <Loaded of={templates}>
        {({ templates }) =>
          templates.map(({ name, title, when: sent, optional, subject, text }) => (
            <Card key={name} title={title}>
              <p>
                {sent} {optional ? 'Its recipient can turn it off.' : 'It is always sent.'}
              </p>
              <p>
                <strong>{subject}</strong>
              </p>
              <pre class="lines">{text}</pre>
              <div class="actions">
                <a class="button" href={`/api/staff/mail-templates/${name}`} target="_blank" rel="noreferrer">
                  As HTML
                </a>
              </div>
            </Card>
          ))
        }
      </Loaded>
    </View>
  );
}
