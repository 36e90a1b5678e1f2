import { format } from 'node:util';
import { vi } from 'vitest';

let calls = 0;

/** Runs a command in this process, as a new one takes seconds to load it. Gives its exit status and all that it printed. */
export async function runCommandHere(name: string, words: string[], env: Record<string, string>) {
  const lines: string[] = [];
  const spies = (['log', 'error'] as const).map((output) =>
    vi.spyOn(console, output).mockImplementation((...said) => void lines.push(format(...said))),
  );
  for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value);
  const { argv, exitCode } = process;
  process.argv = [...argv.slice(0, 2), ...words];
  try {
    // The command's module is evaluated at each call; its imports are kept.
    await import(/* @vite-ignore */ `../../commands/${name}.ts?call=${++calls}`);
    return { status: Number(process.exitCode ?? 0), output: lines.join('\n') };
  } finally {
    process.argv = argv;
    process.exitCode = exitCode;
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}
