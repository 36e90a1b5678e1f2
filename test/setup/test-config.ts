import { type Config, readConfig } from '../../core/config.ts';

/** Files of tests replace each other with others of quite different areas: nothing of that holds them back. */
export const publishFreely = { PUBLISH_LOST_PERCENT: '100', PUBLISH_BLOCKS: 'none' };

/** The configuration that an empty environment gives, on any free port and silent, and publishing freely. */
export function testConfig(changes: Partial<Config> = {}): Config {
  const environment = { PORT: '0', LOG_LEVEL: 'silent', ...publishFreely };
  return { ...readConfig(environment), host: '127.0.0.1', ...changes };
}
