import { signal } from '@preact/signals';
import type { MailSettings as Settings } from './schemas.ts';
import { Button } from './ui/button.tsx';
import { ask } from './ui/dialog.tsx';
import { Facts } from './ui/facts.tsx';
import { Checkbox, TextField } from './ui/fields.tsx';
import { Card } from './ui/view.tsx';
import { Loaded, useResource } from './use-resource.tsx';

type Topic = Settings['topics'][number]['topic'];
interface MailSettingsProps {
  load(): Promise<Settings>;
  save(change: { email: string; topics: Partial<Record<Topic, boolean>> }): Promise<unknown>;
}

const names: Record<Topic, string> = {
  usage: 'Usage at 50, 80 and 100 %, and the forecast',
  reminders: 'Reminders of invoices',
  statements: 'Statements each month',
  coverage: 'Coverage that needs a look, is published or failed',
  fees: 'Processing fees',
};

/** Where an account gets e-mails, and which, with a button that changes it. */
export function MailSettings({ load, save }: MailSettingsProps) {
  const settings = useResource(load, 'here');
  return (
    <Card title="E-mails">
      <Loaded of={settings}>{(settings) => <Shown settings={settings} save={save} />}</Loaded>
    </Card>
  );
}

function Shown({
  settings: { email, topics },
  save,
}: { settings: Settings } & Pick<MailSettingsProps, 'save'>) {
  const edit = () => {
    const address = signal(email);
    const chosen = topics.map(({ topic, on }) => ({ topic, on: signal(on) }));
    return ask(
      {
        title: 'E-mails',
        body: [
          'Invoices are always sent. The rest can be turned off.',
          <TextField
            key="email"
            label="E-mail address"
            name="mail-address"
            type="email"
            maxLength={254}
            value={address}
          />,
          ...chosen.map(({ topic, on }) => (
            <Checkbox key={topic} name={`mail-${topic}`} value={on}>
              {names[topic]}
            </Checkbox>
          )),
        ],
        confirm: 'Save e-mail settings',
        done: 'E-mail settings saved.',
      },
      () =>
        save({
          email: address.value.trim(),
          topics: Object.fromEntries(chosen.map(({ topic, on }) => [topic, on.value])),
        }),
    );
  };
  const told = topics.filter(({ on }) => on).map(({ topic }) => names[topic]);
  return (
    <>
      {email ? (
        <Facts
          list={[
            [
              'Address',
              <span key="address" class="break">
                {email}
              </span>,
            ],
            ['Sent', ['Invoices', ...told].join('; ')],
          ]}
        />
      ) : (
        <p class="muted">No address yet: nothing is sent.</p>
      )}
      <div class="actions">
        <Button onClick={edit}>Edit e-mail settings</Button>
      </div>
    </>
  );
}
