import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { markdown } from './build/markdown.ts';

/** The pages: a folder each, with its index.html. */
export const pages = ['operator', 'staff', 'account', 'docs', 'map'];

const compressible = /\.(html|js|css|json|svg)$/;

/** Puts a compressed copy beside every file that gets smaller by it, so that the API compresses nothing as it serves. */
const compressed: Plugin = {
  name: 'compressed-copies',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (!compressible.test(file.fileName)) continue;
        const source = gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 });
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source });
      }
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  clearScreen: false,
  logLevel: 'warn',
  plugins: [markdown, compressed],
  build: {
    outDir: '../dist/pages',
    emptyOutDir: true,
    target: 'es2022',
    // Data addresses are not allowed as fonts and styles by the pages' Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // MapLibre is most of it, and is loaded when a map is shown.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: pages.map((page) => path.join(import.meta.dirname, page, 'index.html')),
    },
  },
  worker: { format: 'es' },
});
