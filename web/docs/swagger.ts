import './swagger.css';
import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { type Sample, showCodeTabs } from './code-tabs.tsx';

/** The placeholder for the service's address in the description's examples. */
const exampleOrigin = 'https://covermap.example';

/** The reference, drawn from the server's description. @param operation the id of one to open */
export function showReference(place: HTMLElement, operation: string | undefined): void {
  const inner = document.createElement('div');
  place.replaceChildren(inner);
  const ui = SwaggerUIBundle({
    url: '/openapi.json',
    domNode: inner,
    // The address behind # is this page's own.
    deepLinking: false,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 2,
    displayRequestDuration: true,
    persistAuthorization: false,
    syntaxHighlight: { activated: false },
    // The default validator is a server of Swagger's makers.
    validatorUrl: null,
    plugins: [withSamples, withReferences, oneGroupAtATime],
    onComplete: () => {
      mend(inner);
      void enterDemoKey(ui);
      const { path, method } = find(ui, operation);
      const spec = ui.specSelectors.specJson();
      const tag = spec.getIn(['paths', path, method, 'tags', '0']) ?? spec.getIn(['tags', '0', 'name']);
      ui.layoutActions.show(['operations-tag', tag], true);
      if (!operation || !path) return;
      ui.layoutActions.show(['operations', tag, operation], true);
      requestAnimationFrame(() =>
        inner.querySelector(`[id$="-${CSS.escape(operation)}"]`)?.scrollIntoView({ block: 'start' }),
      );
    },
  }) as System;
}

/** The key of a demo start. */
const demoKey = 'demo';

/** Enters the key of a demo if the service accepts it, which it does from the same machine only. */
async function enterDemoKey(ui: System): Promise<void> {
  if (!/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname)) return;
  const answer = await fetch('/api/2.0/usage', { headers: { 'x-api-key': demoKey } }).catch(() => undefined);
  if (!answer?.ok) return;
  for (const scheme of ['apiKey', 'apiKeyInQuery']) ui.preauthorizeApiKey(scheme, demoKey);
}

/** Finds an operation in the description; empty if there is no such id. */
function find(ui: System, operation: string | undefined) {
  const { paths } = ui.specSelectors.specJson().toJS() as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => ({ path, method, operationId })),
  );
  return all.find(({ operationId }) => operationId === operation) ?? { path: '', method: '' };
}

/** The examples of the description (`x-codeSamples`), above the answers of each operation. */
function withSamples() {
  return {
    wrapComponents: {
      responses:
        (Original: unknown, { React, specSelectors, authSelectors }: System) =>
        (props: ResponsesProps) => {
          const { path, method } = props;
          const found = specSelectors.specJson().getIn(['paths', path, method, 'x-codeSamples']);
          const samples = (found as { toJS(): Sample[] } | undefined)?.toJS();
          const given = authSelectors.authorized()?.toJS() ?? {};
          const put = (element: HTMLElement | null) => {
            if (!element || !samples) return;
            const filled = samples.map((one) => ({ ...one, source: withSecrets(one.source, given) }));
            showCodeTabs(element, filled);
          };
          const { createElement } = React;
          const title = createElement('h4', {}, 'Example');
          const example = createElement(
            'div',
            { className: 'samples' },
            title,
            createElement('div', { ref: put }),
          );
          return createElement('div', {}, example, createElement(Original, { ...props }));
        },
    },
  };
}

/**
 * Resolves references, and merges what `allOf` lists. Swagger UI's own function parses the whole description for each operation that is
 * opened, which takes seconds. Ours refers to its own components, and none of them contains itself.
 */
function withReferences() {
  const resolveSubtree = async (whole: object, path: readonly string[]) => {
    const at = (keys: readonly string[]) =>
      keys.reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], whole);
    const resolved = (part: unknown): unknown => {
      if (Array.isArray(part)) return part.map(resolved);
      if (!(part instanceof Object)) return part;
      const { $ref, allOf = [], ...others } = part as { $ref?: string; allOf?: object[] };
      const properties = Object.fromEntries(Object.entries(others).map(([key, one]) => [key, resolved(one)]));
      const named = $ref === undefined ? {} : (resolved(at($ref.split('/').slice(1))) as Schema);
      // Swagger UI shows the name that is in $$ref.
      return [
        { ...named, ...($ref && { $$ref: $ref }) },
        ...(resolved(allOf) as Schema[]),
        properties,
      ].reduce(merged);
    };
    return { spec: resolved(at(path)), errors: [] };
  };
  return { fn: { resolveSubtree } };
}

/** Closes the other groups where one is opened: Swagger UI breaks with more than some 125 operations on the page. */
function oneGroupAtATime() {
  type Show = (what: string[], isShown: boolean) => unknown;
  const show = (original: Show, { specSelectors }: System): Show => {
    const tags = () => (specSelectors.specJson().toJS() as { tags: { name: string }[] }).tags;
    return (what, isShown) => {
      const [kind, tag] = what;
      if (kind === 'operations-tag' && isShown)
        for (const { name } of tags()) if (name !== tag) original([kind, name], false);
      return original(what, isShown);
    };
  };
  return { statePlugins: { layout: { wrapActions: { show } } } };
}

type Schema = Record<string, unknown>;
/** A union of both, property by property. */
const merged = (former: Schema, other: Schema): Schema => {
  const both = Object.entries(other).map(([key, mine]) => {
    const theirs = former[key];
    const isMerged = mine instanceof Object && theirs instanceof Object && !Array.isArray(mine);
    return [key, isMerged ? merged(theirs as Schema, mine as Schema) : mine];
  });
  return { ...former, ...Object.fromEntries(both) };
};

/** The example with this server's address and, if entered, the reader's key and token. */
function withSecrets(source: string, given: Record<string, { value?: unknown }>): string {
  const [key, token] = [given.apiKey?.value ?? given.apiKeyInQuery?.value, given.token?.value];
  let text = source.replaceAll(exampleOrigin, location.origin);
  if (typeof key === 'string') text = text.replaceAll('YOUR_KEY', key);
  if (typeof token === 'string') text = text.replaceAll('YOUR_TOKEN', token);
  return text;
}

interface System {
  preauthorizeApiKey(scheme: string, key: string): unknown;
  React: { createElement(type: unknown, props?: object, ...children: unknown[]): unknown };
  specSelectors: { specJson(): { getIn(path: string[]): unknown; toJS(): unknown } };
  layoutActions: { show(what: unknown[], isShown: boolean): void };
  authSelectors: { authorized(): { toJS(): Record<string, { value?: unknown }> } | undefined };
}

type ResponsesProps = { path: string; method: string };

/** Names controls that Swagger UI leaves nameless, and makes texts reachable by the keyboard, after each drawing. */
function mend(place: HTMLElement): void {
  const all = () => {
    for (const pre of place.querySelectorAll<HTMLElement>('pre:not([tabindex])')) pre.tabIndex = 0;
    for (const select of place.querySelectorAll('select:not([aria-label])')) {
      select.setAttribute('aria-label', select.getAttribute('data-label') ?? 'Kind of content');
    }
    for (const svg of place.querySelectorAll('svg:not([aria-hidden], [aria-label])'))
      svg.setAttribute('aria-hidden', 'true');
  };
  all();
  new MutationObserver(all).observe(place, { childList: true, subtree: true });
}
