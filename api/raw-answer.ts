import type { Duplex } from 'node:stream';

/** How long the other side may go on sending what nobody reads, before it is cut off. ms */
const lingerMs = 1_500;

/**
 * Answers on a connection itself, where there is no response to answer with, and closes it.
 * @param status as in `408 Request Timeout`
 */
export function answerRaw(socket: Duplex, status: string, body: object): void {
  const text = JSON.stringify(body);
  closeGently(
    socket,
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}

/**
 * Ends a connection on which something may still be coming. Closed at once it would be reset, and what the other side has not
 * read yet of its answer be lost. What still comes is thrown away: whoever was told no must not find it done all the same.
 */
export function closeGently(socket: Duplex, last?: string): void {
  socket.end(last);
  // Node's parser listens here, and would go on making requests of it.
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
