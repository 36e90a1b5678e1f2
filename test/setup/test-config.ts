import { type Config, readConfig } from '../../core/config.ts';

/** The configuration that an empty environment gives, on any free port and silent. */
export function testConfig(changes: Partial<Config> = {}): Config {
  return { ...readConfig({ PORT: '0', LOG_LEVEL: 'silent' }), host: '127.0.0.1', ...changes };
}
