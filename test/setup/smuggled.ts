/*
 * A request hidden in what another program may take for the body of a request: each is ambiguous about where that ends (RFC 9112,
 * sections 6.1, 7.1 and 11.2). Who answers, or hands on, `/smuggled` has been fooled.
 */

const hidden = 'GET /smuggled HTTP/1.1\r\nHost: covermap.example\r\n\r\n';
const chunked = `0\r\n\r\n${hidden}`;

const post = (headers: string[], body: string) =>
  ['POST /outer HTTP/1.1', 'Host: covermap.example', ...headers, '', body].join('\r\n');

/** Sent whole by its length, and hiding a request from who takes it for chunked. */
const coded = (...headers: string[]) => post([...headers, `Content-Length: ${chunked.length}`], chunked);

export const smuggled: [what: string, text: string][] = [
  ['both lengths', post([`Content-Length: ${chunked.length}`, 'Transfer-Encoding: chunked'], chunked)],
  ['both lengths, the other first', post(['Transfer-Encoding: chunked', 'Content-Length: 4'], chunked)],
  ['two lengths', post(['Content-Length: 0', `Content-Length: ${hidden.length}`], hidden)],
  ['a list of lengths', post([`Content-Length: 0, ${hidden.length}`], hidden)],
  ['a length with a sign', post([`Content-Length: +${hidden.length}`], hidden)],
  ['a coding that ends otherwise', coded('Transfer-Encoding: chunked, identity')],
  ['a coding after a tab', coded('Transfer-Encoding:\tchunked')],
  ['a coding after a vertical tab', coded('Transfer-Encoding: \u000bchunked')],
  ['a blank before the colon', coded('Transfer-Encoding : chunked')],
  ['a folded header', coded('X-A: b', ' Transfer-Encoding: chunked')],
  ['a bare line feed', coded('X-A: b\nTransfer-Encoding: chunked')],
  ['a chunk of a size with a sign', post(['Transfer-Encoding: chunked'], `+0\r\n\r\n${hidden}`)],
  ['a chunk that ends in a bare carriage return', post(['Transfer-Encoding: chunked'], `0\r\r\n${hidden}`)],
];
