// node commands/main.mjs <command> [arguments]: runs a command that `npm run build` has made.
import { existsSync } from 'node:fs';

const [name] = process.argv.splice(2, 1);
const built = new URL('../dist/programs/commands/', import.meta.url);
const file = new URL(`${name}.js`, built);
if (!existsSync(built)) {
  console.error('Run npm run build first.');
  process.exit(2);
}
if (!/^[a-z-]+$/.test(name ?? '') || !existsSync(file)) {
  console.error('Usage: node commands/main.mjs <command> [arguments]: see the scripts of package.json.');
  process.exit(2);
}
// Stack traces name the sources.
process.setSourceMapsEnabled(true);
await import(file.href);
// What a failed start has opened, or the queue while Redis is away, would keep the process.
process.exit();
