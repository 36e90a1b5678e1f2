/** Longer than any browser's `Accept-Encoding`. Characters */
const maxLength = 1024;

/** Tells if an `Accept-Encoding` accepts gzip (RFC 9110, section 12.5.3). An entry for gzip overrides one for `*`. An overlong header counts as none. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const text = String(header ?? '');
  if (text.length > maxLength) return false;
  const weights = new Map<string, number>();
  for (const coding of text.split(',')) {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const weight = weights.get('gzip') ?? weights.get('*') ?? 0;
  return weight > 0 && weight <= 1;
}
