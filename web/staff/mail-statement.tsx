import { api } from '../shared/client.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask, tell } from '../shared/ui/dialog.tsx';
import type { AccountQuery } from './account.ts';

/** Sends a statement of what an account owes. */
export function MailStatement({ account }: { account: AccountQuery }) {
  const send = async () => {
    let queued = true;
    const done = await ask(
      {
        title: 'E-mail a statement?',
        body: 'It lists the open invoices, with the statement as PDF, and is sent once a day at most.',
        confirm: 'E-mail statement',
      },
      async () => {
        ({ queued } = await api.post('/api/staff/statement/mail', { body: account }));
      },
    );
    if (!done) return;
    if (queued) await tell('The statement is queued', <a href="#/mail">See it under E-mails.</a>, 'Close');
    else await tell('Nothing to send', 'Nothing is owed.', 'Close');
  };
  return <Button onClick={send}>E-mail statement</Button>;
}
