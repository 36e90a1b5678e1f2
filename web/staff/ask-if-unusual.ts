import { asApiError } from '../shared/client.ts';
import { ask } from '../shared/ui/dialog.tsx';
import { forPeople } from '../shared/ui/notice.tsx';

/** Records something; where that looks like a mistake, asks whether it is meant, in the service's words. @throws as `post`, also where it is not meant */
export async function askIfUnusual(post: (isMeant: boolean) => Promise<unknown>): Promise<void> {
  try {
    await post(false);
  } catch (error) {
    const { code, message, hint } = asApiError(error);
    if (code !== 'payment_unconfirmed') throw error;
    const question = {
      title: 'Record it anyway?',
      body: [message, forPeople(hint ?? '')],
      confirm: 'Record anyway',
    };
    if (!(await ask(question, () => post(true)))) throw error;
  }
}
