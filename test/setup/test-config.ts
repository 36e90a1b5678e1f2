import { type Config, readConfig } from '../../platform/config.ts';

/** Settings that never hold a file back: the files of tests replace others that cover quite different areas. */
export const publishFreely = {
  PUBLISH_LOST_PERCENT: '100',
  PUBLISH_BLOCKS: 'none',
  HOLD_COVERED_PERCENT: '100',
  HOLD_OUTSIDE_PERCENT: '100',
  HOLD_DROPPED_PERCENT: '100',
};

/** No rate limits, no month is closed by the clock, and no invoice is held back for want of a GST number: tests about these set their own. */
export const withoutTerms = {
  RATE_LIMIT_PER_SECOND: '0',
  REGISTRY_RATE: '0',
  ADDRESS_RATE: '0',
  CLOSE_TIME: 'off',
  INVOICE_GST_NUMBER: '123-456-789',
};

/** The configuration of an empty environment, on any free port, silent, and without the limits above. */
export function testConfig(changes: Partial<Config> = {}): Config {
  const environment = { PORT: '0', LOG_LEVEL: 'silent', ...publishFreely, ...withoutTerms };
  return { ...readConfig(environment), host: '127.0.0.1', ...changes };
}
