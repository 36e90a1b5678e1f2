import { writeFileSync } from 'node:fs';
import { errorCatalogue, type KnownError, statusOf } from '../core/error-catalogue.ts';

// npm run docs:errors: docs/errors.md anew, from the catalogue of errors.

export const errorsPage = new URL('../docs/errors.md', import.meta.url);

/** The page of all errors, a section each. Markdown. */
export function writeErrors(): string {
  const groups = Object.entries(errorCatalogue).map(([title, errors]) => [
    `## ${title}`,
    ...(title === 'Files' ? ['A submission fails with these; they stand in its `error`.'] : []),
    ...Object.entries(errors).map(([code, known]) => section(code, known)),
  ]);
  return [introduction, ...groups.flat()].join('\n\n').concat('\n');
}

const introduction = `# Errors

<!-- Made by npm run docs:errors from the catalogue of errors. -->

Every error that the service answers with, by its code, and what to do about it. An error of what takes a token is JSON: \`code\` for
programs, which stays as it is, \`message\`, a sentence that may say more than here, \`hint\`, what to do, and \`docs\`, the address of
its section on this page. The errors of the coverage API and of the registry have the shapes that their documents give them;
[the API guide](user/api-guide.md) and [the registry](user/registry.md) list those.`;

function section(code: string, { message, hint }: KnownError): string {
  const status = statusOf(code);
  return `### \`${code}\`\n\n${message}${status === undefined ? '' : ` HTTP ${status}.`} ${hint}`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) writeFileSync(errorsPage, writeErrors());
