import './swagger.css';
import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { codeTabs } from './code.ts';

/** Stands in the description's examples for the address of the service. */
const exampleOrigin = 'https://covermap.example';

interface CodeSample {
  label: string;
  source: string;
}

/** The reference, drawn from the server's description. @param operation the id of one to open */
export function showReference(place: HTMLElement, operation: string | undefined): void {
  const inner = document.createElement('div');
  place.replaceChildren(inner);
  SwaggerUIBundle({
    url: '/openapi.json',
    domNode: inner,
    // The address behind # is this page's own.
    deepLinking: false,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 2,
    displayRequestDuration: true,
    persistAuthorization: false,
    syntaxHighlight: { activated: false },
    // Else it asks a server of its makers.
    validatorUrl: null,
    plugins: [withSamples],
    onComplete: () => {
      mend(inner);
      if (operation) open(inner, operation);
    },
  });
}

function open(place: HTMLElement, operation: string): void {
  const block = place.querySelector<HTMLElement>(`[id$="-${CSS.escape(operation)}"]`);
  block?.querySelector<HTMLElement>('.opblock-summary-control')?.click();
  block?.scrollIntoView({ block: 'start' });
}

/** The examples of the description (`x-codeSamples`), above the answers of each operation. */
function withSamples() {
  return {
    wrapComponents: {
      responses:
        (Original: unknown, { React, specSelectors, authSelectors }: System) =>
        (props: ResponsesProps) => {
          const { path, method } = props;
          const samples = specSelectors.specJson().getIn(['paths', path, method, 'x-codeSamples'])?.toJS();
          const given = authSelectors.authorized()?.toJS() ?? {};
          const put = (element: HTMLElement | null) => {
            if (!element || !samples) return;
            const filled = samples.map(({ label, source }) => ({
              label,
              source: withSecrets(source, given),
            }));
            element.replaceChildren(codeTabs(filled));
          };
          return React.createElement(
            'div',
            {},
            React.createElement(
              'div',
              { className: 'samples' },
              React.createElement('h4', {}, 'Example'),
              React.createElement('div', { ref: put }),
            ),
            React.createElement(Original, props as unknown as Record<string, unknown>),
          );
        },
    },
  };
}

/** The example with this server's address and, once somebody has given them, their key and token. */
function withSecrets(source: string, given: Record<string, { value?: unknown }>): string {
  const [key, token] = [given.apiKey?.value ?? given.apiKeyInQuery?.value, given.token?.value];
  let text = source.replaceAll(exampleOrigin, location.origin);
  if (typeof key === 'string') text = text.replaceAll('YOUR_KEY', key);
  if (typeof token === 'string') text = text.replaceAll('YOUR_TOKEN', token);
  return text;
}

interface System {
  React: { createElement(type: unknown, props?: object, ...children: unknown[]): unknown };
  specSelectors: {
    specJson(): { getIn(path: string[]): { toJS(): CodeSample[] } | undefined };
  };
  authSelectors: { authorized(): { toJS(): Record<string, { value?: unknown }> } | undefined };
}

interface ResponsesProps {
  path: string;
  method: string;
}

/** What the package leaves without a name, or cannot be reached by the keyboard. Drawn again, it is mended again. */
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
