import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Cuts connections of clients that take nothing of an answer for so long: what is written for them waits in memory. */
export function cutUnread(server: Server, seconds: number): void {
  // Counts while nothing comes or goes.
  server.timeout = seconds * 1000;
}

/** Keeps the server from cutting who only waits: for an answer that takes long, or for the next event. */
export function waitsForAnswers(answer: RequestListener): RequestListener {
  return (request, response) => {
    response.on('timeout', cutIfUnread);
    answer(request, response);
  };
}

function cutIfUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}
