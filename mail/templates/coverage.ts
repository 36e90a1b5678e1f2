import { dollars, template } from './template.ts';

interface SubmissionData {
  /** The name of the file. */
  file: string;
  /** Sentences on why it waits or failed; empty if published. */
  reasons: string[];
  link: string;
}

const link = '/operator#/submission/7d1f7c1e-4f4a-4f0e-9d6b-2f6f3f1c0a11';
const maxReasons = 5;

export const submission_review = template<SubmissionData>({
  title: 'Coverage needs a look',
  when: 'When coverage is loaded and waits for somebody to publish it.',
  topic: 'coverage',
  isMissed: false,
  write: ({ file, reasons, link }) => ({
    subject: `${file} needs a look before it is published`,
    blocks: [
      `The coverage of ${file} is loaded, and is not published before somebody has looked at it.`,
      ...reasons.slice(0, maxReasons),
      { link, label: 'Look at it and publish it' },
    ],
  }),
  example: {
    file: 'fibre-2026-12.zip',
    reasons: ['24 % of the premises with fibre would be lost.'],
    link,
  },
});

export const submission_published = template<SubmissionData>({
  title: 'Coverage is published',
  when: 'When coverage is published.',
  topic: 'coverage',
  isMissed: false,
  write: ({ file, link }) => ({
    subject: `${file} is published`,
    blocks: [`The coverage of ${file} is published: lookups answer from it.`, { link, label: 'See it' }],
  }),
  example: { file: 'fibre-2026-12.zip', reasons: [], link },
});

export const submission_failed = template<SubmissionData>({
  title: 'Coverage failed',
  when: 'When a file cannot be loaded or modelled.',
  topic: 'coverage',
  isMissed: false,
  write: ({ file, reasons, link }) => ({
    subject: `${file} could not be loaded`,
    blocks: [
      `The coverage of ${file} could not be loaded. What is published stays as it is.`,
      ...reasons.slice(0, maxReasons),
      { link, label: 'See what to change' },
    ],
  }),
  example: {
    file: 'fibre-2026-12.zip',
    reasons: ['The file has no coordinates that lie in New Zealand.'],
    link,
  },
});

interface FeeData {
  file: string;
  isFirst: boolean;
  /** Cents, without GST. */
  cents: number;
}

export const fee_accrued = template<FeeData>({
  title: 'Processing fee',
  when: 'When coverage that the service modelled is published and its fee accrues.',
  topic: 'fees',
  isMissed: false,
  write: ({ file, isFirst, cents }) => ({
    subject: `A processing fee of ${dollars(cents)} for ${file}`,
    blocks: [
      `The coverage that was modelled from ${file} is published. The fee for ${
        isFirst ? 'the first setup' : 'an update'
      }, ${dollars(cents)} without GST, is on the next invoice.`,
      { link: '/operator#/fees', label: 'See the processing fees' },
    ],
  }),
  example: { file: 'towers.csv', isFirst: true, cents: 100_000 },
});
