import type { Method, Operation, Parameter } from './types.ts';

/** An example to copy, in the form of documentation tools (`x-codeSamples`). */
export interface CodeSample {
  lang: 'Shell' | 'TypeScript' | 'Python';
  label: string;
  source: string;
}

/** A placeholder for the address of the service; the page with the samples fills it in. */
export const originPlaceholder = 'https://covermap.example';

const keyPlaceholder = 'YOUR_KEY';
const tokenPlaceholder = 'YOUR_TOKEN';

interface SampleRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  json?: unknown;
  /** Fields of a form; a value that begins with @ is a file. */
  form?: Record<string, string>;
  file?: string;
  answer: 'json' | 'text' | 'bytes' | 'nothing';
}

const fileNames: Record<string, string> = {
  'text/csv': 'positions.csv',
  'application/x-ndjson': 'positions.ndjson',
};

/** The same request in curl, TypeScript and Python. */
export function codeSamples(path: string, method: Method, operation: Operation): CodeSample[] {
  const request = sampleRequest(path, method, operation);
  return [
    { lang: 'Shell', label: 'curl', source: curl(request) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescript(request) },
    { lang: 'Python', label: 'Python', source: python(request) },
  ];
}

function sampleRequest(path: string, method: Method, operation: Operation): SampleRequest {
  const parameters = operation.parameters ?? [];
  const exampleOf = (name: string) => String(parameters.find((one) => one.name === name)?.example ?? name);
  const query = parameters.filter(isShownInQuery).map(({ name, example }) => [name, String(example)]);
  const takes = Object.keys(operation.security[0] ?? {})[0];
  if (takes === 'apiKeyInQuery') query.push(['api_key', keyPlaceholder]);
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`).join('&');
  const headers: SampleRequest['headers'] = parameters
    .filter((one) => one.in === 'header' && one.example !== undefined)
    .map(({ name, example }) => [name, String(example)]);
  if (takes === 'apiKey') headers.push(['x-api-key', keyPlaceholder]);
  if (takes === 'token') headers.push(['Authorization', `Bearer ${tokenPlaceholder}`]);
  if (takes === 'session') headers.push(['Cookie', '__Host-covermap_session=YOUR_SESSION']);
  // Only a page of the service may end it.
  if (takes === 'session' && method !== 'get') headers.push(['Origin', originPlaceholder]);
  const answer = answerOf(operation);
  if (answer.types > 1 && answer.kind === 'json') headers.push(['Accept', 'application/json']);
  const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {});
  const request: SampleRequest = {
    method: method.toUpperCase(),
    url: `${originPlaceholder}${path.replace(/\{(\w+)\}/g, (_, name) => exampleOf(name))}${search ? `?${search}` : ''}`,
    headers,
    answer: method === 'head' ? 'nothing' : answer.kind,
  };
  if (type === 'multipart/form-data') {
    request.form = (content?.example as Record<string, string> | undefined) ?? { file: '@coverage.zip' };
  } else if (type === 'application/json') {
    request.json = content?.example ?? {};
  } else if (type !== undefined) {
    headers.push(['Content-Type', type]);
    request.file = fileNames[type] ?? 'coverage.zip';
  }
  return request;
}

/** The format of the successful answer, and the number of formats. */
function answerOf({ responses }: Operation): { kind: SampleRequest['answer']; types: number } {
  const good = ['200', '201', '202'].map((status) => responses[status]?.content).find(Boolean);
  const types = Object.keys(good ?? {});
  if (types.length === 0) return { kind: 'nothing', types: 0 };
  const kind = types.some((type) => /json$/.test(type) && !/ndjson/.test(type))
    ? 'json'
    : types[0]?.startsWith('text/')
      ? 'text'
      : 'bytes';
  return { kind, types: types.length };
}

/** Samples show the parameters that have an example. */
const isShownInQuery = (one: Parameter) => one.in === 'query' && one.example !== undefined;

const linesOf = (...lines: (string | false | undefined)[]) =>
  lines.filter((line) => line !== false && line !== undefined);

function curl({ method, url, headers, json, form = {}, file }: SampleRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const verb = method === 'HEAD' ? '--head ' : method === 'GET' ? '' : `-X ${method} `;
  return linesOf(
    `curl ${verb}${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    json !== undefined && `-H 'Content-Type: application/json'`,
    json !== undefined && `-d ${quoted(JSON.stringify(json))}`,
    ...Object.entries(form).map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`),
    file && `--data-binary @${file}`,
  ).join(' \\\n  ');
}

function typescript({ method, url, headers, json, form, file, answer }: SampleRequest): string {
  const blob = (name: string) => `await openAsBlob(${quote(name)})`;
  const fields = Object.entries(form ?? {}).map(([name, value]) => {
    const path = value.slice(1);
    return `form.append(${quote(name)}, ${value.startsWith('@') ? `${blob(path)}, ${quote(path)}` : quote(value)});`;
  });
  const all = json === undefined ? headers : [...headers, ['Content-Type', 'application/json']];
  const named = all.map(([name, value]) => `${quote(name as string)}: ${quote(value as string)}`);
  const options = linesOf(
    method !== 'GET' && `  method: ${quote(method)},`,
    named.length > 0 && `  headers: { ${named.join(', ')} },`,
    json !== undefined && `  body: JSON.stringify(${JSON.stringify(json)}),`,
    form && '  body: form,',
    file && `  body: ${blob(file)},`,
  );
  return linesOf(
    (form || file) && `import { openAsBlob } from 'node:fs';\n`,
    form && 'const form = new FormData();',
    ...fields,
    `const response = await fetch(${quote(url)}${options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''});`,
    'if (!response.ok) throw new Error(await response.text());',
    `console.log(${read[answer].typescript});`,
  ).join('\n');
}

function python({ method, url, headers, json, form = {}, file, answer }: SampleRequest): string {
  const dictionary = (entries: [string, string][], written: (value: string) => string) =>
    entries.length > 0 &&
    `{${entries.map(([name, value]) => `${JSON.stringify(name)}: ${written(value)}`).join(', ')}}`;
  const opened = (name: string) => `open(${JSON.stringify(name)}, "rb")`;
  const isFile = ([, value]: [string, string]) => value.startsWith('@');
  const parts = Object.entries(form);
  const options = {
    headers: dictionary(headers, JSON.stringify),
    json: json !== undefined && pythonValue(json),
    data: file
      ? opened(file)
      : dictionary(
          parts.filter((part) => !isFile(part)),
          pythonText,
        ),
    files: dictionary(parts.filter(isFile), (value) => opened(value.slice(1))),
    timeout: '30',
  };
  return linesOf(
    'import requests\n',
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(url)},`,
    ...Object.entries(options).map(([name, value]) => value && `    ${name}=${value},`),
    ')',
    'response.raise_for_status()',
    `print(${read[answer].python})`,
  ).join('\n');
}

const read: Record<SampleRequest['answer'], { typescript: string; python: string }> = {
  json: { typescript: 'await response.json()', python: 'response.json()' },
  text: { typescript: 'await response.text()', python: 'response.text' },
  bytes: { typescript: '(await response.arrayBuffer()).byteLength', python: 'len(response.content)' },
  nothing: { typescript: 'response.status', python: 'response.status_code' },
};

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const pythonConstants = new Map<unknown, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);
function pythonValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  const constant = pythonConstants.get(value);
  if (constant || typeof value !== 'object') return constant ?? JSON.stringify(value);
  const entries = Object.entries(value as object).map(
    ([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one)}`,
  );
  return `{${entries.join(', ')}}`;
}
const pythonText = (text: string) => (text.includes("'") ? JSON.stringify(text) : `'${text}'`);
