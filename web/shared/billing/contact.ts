import { announce } from '../announce.ts';
import { request } from '../api.ts';
import { button } from '../button.ts';
import { ask } from '../dialog.ts';
import { h } from '../dom.ts';
import { field, textArea, textField } from '../fields.ts';
import { facts } from './figures.ts';
import type { Contact } from './types.ts';

/**
 * How a recipient of invoices can be reached, and a button that changes it.
 * @param address where it is sent to
 * @param changed called once it has been changed
 */
export function contactFacts(contact: Contact, address: string, changed: () => unknown): (Node | null)[] {
  const isKnown = contact.address !== '' || contact.contact !== '';
  return [
    isKnown
      ? facts([
          ['Address', contact.address && h('span', { class: 'lines' }, contact.address)],
          ['Contact', contact.contact && h('span', { class: 'break' }, contact.contact)],
        ])
      : h('p', { class: 'muted' }, 'None yet. Invoices above $1,000 need an address or a contact.'),
    h('div', { class: 'actions' }, button('Edit billing contact', edit)),
  ];

  async function edit(): Promise<void> {
    const asked = { ...contact };
    const lines = textArea(
      'contact-address',
      contact.address,
      (text) => {
        asked.address = text;
      },
      { rows: 4, maxlength: 500 },
    );
    const done = await ask(
      {
        title: 'Billing contact',
        body: [
          'Shown on invoices from the next one on.',
          field('Address', lines),
          textField(
            'Email, phone, NZBN or website',
            'contact-other',
            (text) => {
              asked.contact = text;
            },
            { maxlength: 200, value: contact.contact },
          ),
        ],
        confirm: 'Save contact',
      },
      () => request('POST', address, asked),
    );
    if (done) announce('Billing contact saved.');
    changed();
  }
}
