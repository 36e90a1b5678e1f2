import { installDebianPackages, which } from './debian.ts';

/** Chromium without its windows: starts in a third of the time, and draws the same. */
const debianPackage = 'chromium-headless-shell';

/** The browser's program, installed first where that can be done; else what is missing, in words. */
export function findOrInstallChromium(): { program: string } | string {
  const found = findChromium();
  if (found) return { program: found };
  const refusal = installDebianPackages([debianPackage], 'Chromium is');
  if (refusal) return refusal;
  const program = findChromium();
  return program ? { program } : `apt-get could not install ${debianPackage}`;
}

function findChromium(): string | undefined {
  const names = [debianPackage, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  return names.map(which).find(Boolean);
}
