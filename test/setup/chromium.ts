import { findOrInstall, which } from './debian.ts';

/** Chromium without its windows: starts in a third of the time, and draws the same. */
const debianPackage = 'chromium-headless-shell';

/** The browser's program, installed first where that can be done; else what is missing, in words. */
export const findOrInstallChromium = (): { program: string } | string =>
  findOrInstall(
    () => {
      const names = [debianPackage, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
      const program = names.map(which).find(Boolean);
      return program ? { program } : undefined;
    },
    [debianPackage],
    'Chromium is',
  );
