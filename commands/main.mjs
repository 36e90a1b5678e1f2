// node commands/main.mjs <command> [arguments]: runs a command from its bundle, which is made where the sources have changed.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isCommand, programFile } from '../core/programs.mjs';

const [name] = process.argv.splice(2, 1);
if (!isCommand(name)) {
  console.error('Usage: node commands/main.mjs <command> [arguments]: see the scripts of package.json.');
  process.exit(2);
}
const file = await programFile(`commands/${name}`);
// Stack traces name the sources.
process.setSourceMapsEnabled(true);
if (file.endsWith('.ts')) {
  const tsconfig = fileURLToPath(new URL('../tsconfig.json', import.meta.url));
  (await import('tsx/esm/api')).register({ tsconfig });
}
await import(pathToFileURL(file).href);
