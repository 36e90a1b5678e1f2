import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Cuts connections of clients that read nothing of an answer for so long, as unread data waits in memory. */
export function cutUnread(server: Server, seconds: number): void {
  // Counts while nothing comes or goes.
  server.timeout = seconds * 1000;
}

/** Keeps the server from cutting clients that wait for a slow answer or the next event. */
export function waitsForAnswers(answer: RequestListener): RequestListener {
  return (request, response) => {
    response.on('timeout', cutIfUnread);
    answer(request, response);
  };
}

function cutIfUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}
