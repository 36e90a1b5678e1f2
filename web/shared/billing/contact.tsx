import { type Signal, signal } from '@preact/signals';
import type { BillingContact as Contact } from '../schemas.ts';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/dialog.tsx';
import { Facts } from '../ui/facts.tsx';
import { TextArea, TextField } from '../ui/fields.tsx';

type BillingContactProps = { contact: Contact; save(contact: Contact): Promise<unknown> };

interface ContactFieldsProps {
  address: Signal<string>;
  contact: Signal<string>;
  /** True where an address or a contact is required. */
  isNeeded?: boolean;
}

export function ContactFields({ address, contact, isNeeded = false }: ContactFieldsProps) {
  const isMissing = isNeeded && !address.value.trim() && !contact.value.trim();
  return (
    <>
      <TextArea
        label="Billing address"
        name="contact-address"
        hint={isNeeded && 'An invoice above $1,000 needs an address or a contact of its recipient.'}
        rows={4}
        maxLength={500}
        required={isMissing}
        value={address}
      />
      <TextField label="Email, phone, NZBN or website" name="contact-other" maxLength={200} value={contact} />
    </>
  );
}

/** The billing contact, with a button that changes it. */
export function BillingContact({ contact, save }: BillingContactProps) {
  const edit = () => {
    const address = signal(contact.address);
    const other = signal(contact.contact);
    return ask(
      {
        title: 'Billing contact',
        body: [
          'Shown on invoices from the next one on.',
          <ContactFields key="fields" address={address} contact={other} />,
        ],
        confirm: 'Save contact',
        done: 'Billing contact saved.',
      },
      () => save({ address: address.value, contact: other.value.trim() }),
    );
  };
  return (
    <>
      {contact.address || contact.contact ? (
        <Facts
          list={[
            ['Address', contact.address && <span class="lines">{contact.address}</span>],
            ['Contact', contact.contact && <span class="break">{contact.contact}</span>],
          ]}
        />
      ) : (
        <p class="muted">None yet. Invoices above $1,000 need an address or a contact.</p>
      )}
      <div class="actions">
        <Button onClick={edit}>Edit billing contact</Button>
      </div>
    </>
  );
}
