import { accessCommands } from './access.ts';
import { billingCommands } from './billing.ts';
import { type AdminContext, runAdminCommand, usageOf } from './command.ts';
import { coverageCommands } from './coverage.ts';
import { registryCommands } from './registry.ts';
import { terrainCommands } from './terrain.ts';

const commands = {
  ...accessCommands,
  ...registryCommands,
  ...coverageCommands,
  ...terrainCommands,
  ...billingCommands,
};

export const usage = usageOf(commands);

/** Does what the words say. @returns the text to print @throws CovermapError `usage` and what the command itself throws */
export const administer = (context: AdminContext, words: readonly string[]): Promise<string> =>
  runAdminCommand(commands, context, words);
