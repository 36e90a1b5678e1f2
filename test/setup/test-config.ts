import { type Config, readConfig } from '../../core/config.ts';

/** Files of tests replace each other with others of quite different areas: nothing of that holds them back. */
export const publishFreely = {
  PUBLISH_LOST_PERCENT: '100',
  PUBLISH_BLOCKS: 'none',
  HOLD_COVERED_PERCENT: '100',
  HOLD_OUTSIDE_PERCENT: '100',
  HOLD_DROPPED_PERCENT: '100',
};

/** A key or a registrar of tests asks as often as it likes, and no month is closed by the clock: tests about that say so. */
export const withoutTerms = { RATE_LIMIT_PER_SECOND: '0', REGISTRY_RATE: '0', CLOSE_TIME: 'off' };

/** The configuration that an empty environment gives, on any free port and silent, publishing and asking freely. */
export function testConfig(changes: Partial<Config> = {}): Config {
  const environment = { PORT: '0', LOG_LEVEL: 'silent', ...publishFreely, ...withoutTerms };
  return { ...readConfig(environment), host: '127.0.0.1', ...changes };
}
