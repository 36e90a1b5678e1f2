import { accessCommands } from './access.ts';
import { type AdminContext, runAdminCommand, usageOf } from './command.ts';
import { registryCommands } from './registry.ts';
import { terrainCommands } from './terrain.ts';

const commands = {
  ...accessCommands,
  ...registryCommands,
  ...terrainCommands,
};

export const usage = usageOf(commands);

/** Runs the command of the words. @returns the text to print @throws CovermapError `usage`, and errors of the command */
export const administer = (context: AdminContext, words: readonly string[]): Promise<string> =>
  runAdminCommand(commands, context, words);
