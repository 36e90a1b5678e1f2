import { dayName, dollars, template } from './template.ts';

interface ReminderData {
  number: number;
  from: string;
  dueOn: string;
  /** Days since the due date; below zero before it. */
  days: number;
  /** Cents, with GST. */
  leftCents: number;
  payment: string;
  link: string;
}

const daysWords = (days: number) => `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`;

export const reminder = template<ReminderData>({
  title: 'Reminder',
  when: 'Before and after an invoice is due, by the schedule in the settings, for as long as it is open.',
  topic: 'reminders',
  isMissed: true,
  write({ number, from, dueOn, days, leftCents, payment, link }) {
    const due = dayName(dueOn);
    const amount = dollars(leftCents);
    return {
      subject:
        days > 0
          ? `Invoice ${number} from ${from} is ${daysWords(days)} overdue`
          : `Invoice ${number} from ${from} is due ${due}`,
      blocks: [
        days > 0
          ? `Invoice ${number} was due on ${due}, ${daysWords(days)} ago, and ${amount} is not paid yet.`
          : `Invoice ${number} is due ${days === 0 ? 'today' : `in ${daysWords(days)}`}, on ${due}: ${amount} is to pay.`,
        'If you have paid it in the last days, thank you: you need do nothing.',
        ...(payment ? [{ facts: [['How to pay', payment]] as [string, string][] }] : []),
        { link, label: 'See the invoice' },
      ],
    };
  },
  example: {
    ...{ number: 12, from: 'Maps & Co', dueOn: '2027-01-20', days: 14, leftCents: 115_000 },
    ...{ payment: 'To 01-0123-0123456-00, reference 12', link: '/account#/invoices/12' },
  },
});
