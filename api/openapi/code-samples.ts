import type { Method, Operation, Parameter } from './types.ts';

/** An example to copy, as documentation tools take it (`x-codeSamples`). */
export interface CodeSample {
  lang: 'Shell' | 'TypeScript' | 'Python';
  label: string;
  source: string;
}

/** Stands for the address of the service; whoever shows the samples knows it. */
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
  /** A file that is the body. */
  file?: string;
  /** What comes back. */
  answer: 'json' | 'text' | 'bytes' | 'nothing';
}

/** What a file is called in the examples that is a body of its own. */
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
  if (takes === 'session') headers.push(['Cookie', 'covermap_session=YOUR_SESSION']);
  const answer = answerOf(operation);
  // Where there are several forms, the one that the example reads.
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

/** In which form the good answer comes, and in how many it may. */
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

/** Parameters that have an example; the others are for those who know them. */
function isShownInQuery(parameter: Parameter): boolean {
  return parameter.in === 'query' && parameter.example !== undefined;
}

function curl({ method, url, headers, json, form, file }: SampleRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const verb = method === 'HEAD' ? ['--head'] : method === 'GET' ? [] : ['-X', method];
  const parts = [
    ['curl', ...verb, quoted(url)].join(' '),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(json === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(json))}`]),
    ...Object.entries(form ?? {}).map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`),
    ...(file ? [`--data-binary @${file}`] : []),
  ];
  return parts.join(' \\\n  ');
}

function typescript({ method, url, headers, json, form, file, answer }: SampleRequest): string {
  const lines: string[] = [];
  if (form || file) lines.push(`import { openAsBlob } from 'node:fs';`, '');
  if (form) {
    lines.push('const form = new FormData();');
    for (const [name, value] of Object.entries(form)) {
      const given = value.startsWith('@')
        ? `await openAsBlob(${quote(value.slice(1))}), ${quote(value.slice(1))}`
        : quote(value);
      lines.push(`form.append(${quote(name)}, ${given});`);
    }
  }
  const all: [string, string][] = [
    ...headers,
    ...(json === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${quote(method)},`]),
    ...(all.length > 0
      ? [`  headers: { ${all.map(([name, value]) => `${quote(name)}: ${quote(value)}`).join(', ')} },`]
      : []),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(json)}),`]),
    ...(form ? ['  body: form,'] : []),
    ...(file ? [`  body: await openAsBlob(${quote(file)}),`] : []),
  ];
  lines.push(
    options.length > 0
      ? `const response = await fetch(${quote(url)}, {\n${options.join('\n')}\n});`
      : `const response = await fetch(${quote(url)});`,
    'if (!response.ok) throw new Error(await response.text());',
    `console.log(${readInTypescript[answer]});`,
  );
  return lines.join('\n');
}

const readInTypescript: Record<SampleRequest['answer'], string> = {
  json: 'await response.json()',
  text: 'await response.text()',
  bytes: '(await response.arrayBuffer()).byteLength',
  nothing: 'response.status',
};

const readInPython: Record<SampleRequest['answer'], string> = {
  json: 'response.json()',
  text: 'response.text',
  bytes: 'len(response.content)',
  nothing: 'response.status_code',
};

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function python({ method, url, headers, json, form, file, answer }: SampleRequest): string {
  const files = Object.entries(form ?? {}).filter(([, value]) => value.startsWith('@'));
  const fields = Object.entries(form ?? {}).filter(([, value]) => !value.startsWith('@'));
  const dictionary = (entries: [string, string][]) =>
    `{${entries.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(', ')}}`;
  const options = [
    ...(headers.length > 0
      ? [`    headers=${dictionary(headers.map(([name, value]) => [name, JSON.stringify(value)]))},`]
      : []),
    ...(json === undefined ? [] : [`    json=${JSON.stringify(json)},`]),
    ...(fields.length > 0
      ? [`    data=${dictionary(fields.map(([name, value]) => [name, pythonText(value)]))},`]
      : []),
    ...(files.length > 0
      ? [
          `    files=${dictionary(files.map(([name, value]) => [name, `open(${JSON.stringify(value.slice(1))}, "rb")`]))},`,
        ]
      : []),
    ...(file ? [`    data=open(${JSON.stringify(file)}, "rb"),`] : []),
    '    timeout=30,',
  ];
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(url)},`,
    ...options,
    ')',
    'response.raise_for_status()',
    `print(${readInPython[answer]})`,
  ].join('\n');
}

const pythonText = (text: string) => (text.includes("'") ? JSON.stringify(text) : `'${text}'`);
