import { dayName, number, template } from './template.ts';

interface UsageData {
  /** What is used up: the bundle of a plan or a cap in a month, or the free queries. */
  of: 'bundle' | 'free' | 'cap';
  /** As in December 2026; empty for free queries. */
  month: string;
  percent: number;
  queries: number;
  limit: number;
  /** Queries past it are answered and charged. */
  isCharged: boolean;
}

const names = { bundle: 'bundle', free: 'free queries', cap: 'cap' };

export const usage = template<UsageData>({
  title: 'Usage at 50, 80 or 100 %',
  when: 'When a customer has used 50, 80 or 100 % of the bundle or of a cap of a month, or of the free queries: each once.',
  topic: 'usage',
  isMissed: false,
  write({ of, month, percent, queries, limit, isCharged }) {
    const what = names[of];
    const period = month && ` for ${month}`;
    return {
      subject:
        percent >= 100 ? `Your ${what}${period} is used up` : `${percent} % of your ${what}${period} is used`,
      blocks: [
        `You have used ${number(queries)} of ${number(limit)} ${of === 'free' ? 'free queries' : `queries of your ${what}${period}`}.`,
        ...(percent < 100
          ? []
          : [
              isCharged
                ? 'Further queries are answered, and charged as overage.'
                : 'Further queries are refused until there is more.',
            ]),
        { link: '/account', label: 'See your usage' },
      ],
    };
  },
  example: {
    ...{ of: 'bundle', month: 'December 2026', percent: 80, queries: 60_102, limit: 75_000, isCharged: true },
  },
});

interface ForecastData {
  month: string;
  queries: number;
  bundle: number;
  expected: number;
  /** The day on which the bundle is used up. */
  usedUpOn: string;
}

export const forecast = template<ForecastData>({
  title: 'Forecast',
  when: 'Once a month, when by the forecast the bundle is used up before the month ends.',
  topic: 'usage',
  isMissed: false,
  write: ({ month, queries, bundle, expected, usedUpOn }) => ({
    subject: `At this rate your bundle is used up on ${dayName(usedUpOn)}`,
    blocks: [
      `At this rate the bundle is used up on ${dayName(usedUpOn)}.`,
      {
        facts: [
          ['Queries so far', number(queries)],
          ['Bundle', number(bundle)],
          [`Forecast for ${month}`, number(expected)],
        ],
      },
      'Queries past the bundle are answered, and charged as overage. A larger plan may cost less.',
      { link: '/account', label: 'See your usage' },
    ],
  }),
  example: {
    month: 'December 2026',
    queries: 48_300,
    bundle: 75_000,
    expected: 121_000,
    usedUpOn: '2026-12-19',
  },
});
