import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { markdown } from './build/markdown.ts';

/** The mode of the embedded checker, which is built alone: it shares no file with the pages, so that it stays small. */
const embed = 'embed';
/** The pages: each folder with an index.html. The API serves them at the names of their folders. */
const pages = readdirSync(import.meta.dirname).filter(
  (name) => name !== embed && existsSync(path.join(import.meta.dirname, name, 'index.html')),
);

for (const page of pages)
  if (!/^[a-z]+$/.test(page))
    throw new Error(`The page web/${page} has to have a name of the letters a to z.`);

const compressible = /\.(html|js|css|json|svg)$/;

/** Adds a compressed copy of each file that shrinks, so that the API does not compress while serving. */
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

/** Preloads what the map's page would request one after the other: the settings, and MapLibre. */
const preloaded: Plugin = {
  name: 'preloaded',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle, filename }) {
      if (!bundle || !filename.endsWith('/map/index.html')) return;
      const files = Object.values(bundle);
      const map = files.find((file) => file.type === 'chunk' && file.isDynamicEntry && file.name === 'map');
      const chunks = map?.type === 'chunk' ? [map.fileName, ...map.imports] : [];
      const css = files.find(({ fileName }) => /\/map-[^/]*\.css$/.test(fileName));
      const link = (attrs: Record<string, string>) => ({
        tag: 'link',
        attrs: { crossorigin: '', ...attrs },
        injectTo: 'head' as const,
      });
      return [
        // The largest first: browsers request six at once.
        ...chunks
          .filter((name) => !html.includes(name))
          .reverse()
          .map((name) => link({ rel: 'modulepreload', href: `/${name}` })),
        link({ rel: 'preload', as: 'fetch', href: '/api/map/settings' }),
        ...(css ? [link({ rel: 'preload', as: 'style', href: `/${css.fileName}` })] : []),
      ];
    },
  },
};

/**
 * Code shared by several pages, and the view libraries: one file, as each request costs a round trip. MapLibre and map code stay apart, and so does
 * billing, whose styles are for two pages only.
 */
const isShared = (file: string) =>
  /\/web\/shared\/(?!billing\/|map\/(map|streets|basemap|overlays|signal)\.)|\/client\/|\/@?preact\/|\/openapi-fetch\/|preload-helper|\/generated\/|maplibre-gl-worker/.test(
    file,
  );

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  clearScreen: false,
  logLevel: 'warn',
  plugins: [markdown, preloaded, compressed],
  build: {
    outDir: '../dist/pages',
    emptyOutDir: true,
    target: 'es2022',
    // The pages' Content-Security-Policy allows no data addresses for fonts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // MapLibre is most of it, and is loaded when a map is shown.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: (mode === embed ? [embed] : pages).map((page) =>
        path.join(import.meta.dirname, page, 'index.html'),
      ),
      ...(mode === embed
        ? {}
        : { output: { codeSplitting: { groups: [{ name: 'shared', test: isShared, minShareCount: 2 }] } } }),
    },
  },
  worker: { format: 'es' },
}));
