import MailComposer from 'nodemailer/lib/mail-composer';
import { asHtml, asText, type Block } from './content.ts';
import type { StoredMessage } from './outbox.ts';
import { templateOf } from './templates/all.ts';

/** How the service names itself in what it sends. */
export interface Sender {
  /** As `Maps & Co <billing@maps.example>`. */
  from: string;
  /** Of the service's pages; undefined: links are named only. */
  origin: string | undefined;
}

/** The sender where none is configured: of files that staff download. */
export const unnamedSender = 'covermap <covermap@localhost>';

/** The address alone of `from`: MAIL FROM of SMTP. */
export const addressIn = (from: string): string => /<([^<>]*)>$/.exec(from)?.[1] ?? from;

/** The path of the page that turns a message's topic off. */
const offPath = (token: string) => `/mail/off/${token}`;

/** A message's text and HTML: the words as they were kept, links to where the service is now. */
export function bodiesOf(
  {
    subject,
    content,
    template,
    off_token,
  }: Pick<StoredMessage, 'subject' | 'content' | 'template' | 'off_token'>,
  origin: string | undefined,
): { text: string; html: string } {
  const off: Block[] =
    templateOf(template).topic !== null && origin
      ? [{ link: offPath(off_token), label: 'Turn off e-mails of this kind' }]
      : [];
  const blocks = [...content, ...off];
  return { text: asText(blocks, origin), html: asHtml(subject, blocks, origin) };
}

/** A file that goes with a message. */
export interface Attachment {
  name: string;
  /** Of media, as application/pdf. */
  type: string;
  bytes: Buffer;
}

/** A message in the form of RFC 5322. */
export function compose(
  message: StoredMessage,
  { from, origin }: Sender,
  attachments: readonly Attachment[] = [],
): Promise<Buffer> {
  const host = addressIn(from).split('@')[1] as string;
  const isOptional = templateOf(message.template).topic !== null && origin !== undefined;
  return new MailComposer({
    from,
    to: message.address ?? 'undisclosed-recipients:;',
    subject: message.subject,
    ...bodiesOf(message, origin),
    attachments: attachments.map(({ name, type, bytes }) => {
      return { filename: name, contentType: type, content: bytes };
    }),
    date: message.queued_at,
    messageId: `<${message.message_id}@${host}>`,
    headers: {
      // RFC 3834: nobody's holiday notice answers.
      'Auto-Submitted': 'auto-generated',
      ...(isOptional
        ? {
            // RFC 8058: a mail program turns it off by one click.
            'List-Unsubscribe': `<${origin}${offPath(message.off_token)}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }
        : {}),
    },
    // Nothing is read from files or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}
