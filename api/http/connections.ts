import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../platform/config.ts';
import type { Logger } from '../../platform/logger.ts';
import { warnRarely } from '../../platform/warn-rarely.ts';
import { OpenCounts } from './open-counts.ts';
import { answerRaw } from './raw-answer.ts';

/* The bounds of connections: how many there are, how many requests of one are begun, and how long it may leave an answer unread. */

/** Limits open connections, in total and by address. Those of trusted proxies count only in total: all callers share them. */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: Config,
  isProxy: (address: string) => boolean,
  logger: Logger,
): void {
  const open = new OpenCounts<string>(maxConnectionsPerAddress);
  const warn = warnRarely(logger, 'connections are refused');
  const log = (address: string | undefined) => warn({ address, maxConnections, maxConnectionsPerAddress });
  server.maxConnections = maxConnections;
  server.on('drop', (dropped) => log(dropped?.remoteAddress));
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const end = open.begin(address);
    if (end) return void socket.once('close', end);
    log(address);
    const error = 'There are too many connections from your address.';
    answerRaw(socket, '503 Service Unavailable', { code: 503, error });
  });
}

/** Cuts connections of clients that read nothing of an answer for so long, as unread data waits in memory. Who waits for an answer is not cut. */
export function cutUnread(server: Server, seconds: number): void {
  // Counts while nothing comes or goes.
  server.timeout = seconds * 1000;
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 || !pipelineOf(socket)?.isAnswering) socket.destroy();
  });
}

/*
 * A client may send requests without waiting for the answers (RFC 9112, section 9.3.2). Node parses up to 64 kB at once and begins each request:
 * thousands of answers are made before another connection gets its turn. Here bytes wait in the connection's stream, are read from it slice by slice,
 * and a request begins once the answer before it is written and the event loop has turned.
 */

/** The size of a slice. Most requests are shorter; it holds at most some sixty. Bytes */
const sliceBytes = 1024;

const pipelineKey = Symbol('pipeline');
const pipelineOf = (socket: Socket & { [pipelineKey]?: Pipeline }) => socket[pipelineKey];

/** Reads the requests of each connection at the pace of its answers. */
export function parseInSlices(server: Server): void {
  server.on('connection', (socket: Socket) => Object.assign(socket, { [pipelineKey]: new Pipeline(socket) }));
}

/** Delays a request until the requests before it on its connection are answered. */
export function inOrder(answer: RequestListener): RequestListener {
  return (request, response) => {
    const pipeline = pipelineOf(request.socket);
    if (pipeline) pipeline.take(request, response, answer);
    else answer(request, response);
  };
}

/** Ends the reading of a connection, and answers on it after its complete requests. */
export function afterAnswers(socket: Socket, answer: () => void): void {
  const pipeline = pipelineOf(socket);
  if (pipeline) pipeline.endWith(answer);
  else answer();
}

/** Listens on responses: one function for all of them. */
function answered(this: ServerResponse): void {
  pipelineOf(this.req.socket)?.answered();
}

class Pipeline {
  readonly #socket: Socket;
  #current: IncomingMessage | undefined;
  /** Requests of the last slice. */
  readonly #waiting: (() => void)[] = [];
  /** The rest of the last request's body that is certain to come. It is passed on as a whole. Bytes */
  #bodyLeft = 0;
  #sliceBytes = 0;
  #isEnding = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    const read = () => this.#read();
    // With a listener for the first, Node parses only what `read` takes. It emits the second where a body's reader wants more.
    socket.on('readable', read).on('resume', read);
  }

  get isAnswering(): boolean {
    return this.#current !== undefined;
  }

  take(request: IncomingMessage, response: ServerResponse, answer: RequestListener): void {
    // Node refuses a request with both a length and a transfer coding.
    const length = request.headers['content-length'];
    this.#bodyLeft = length ? Number(length) - this.#sliceBytes : 0;
    if (this.#current || this.#waiting.length > 0) {
      this.#waiting.push(() => this.#begin(request, response, answer));
    } else this.#begin(request, response, answer);
  }

  #begin(request: IncomingMessage, response: ServerResponse, answer: RequestListener): void {
    this.#current = request;
    response.on('close', answered);
    answer(request, response as never);
  }

  answered(): void {
    this.#current = undefined;
    if (this.#waiting.length > 0 || this.#socket.readableLength > 0) setImmediate(() => this.#next());
  }

  #next(): void {
    if (!this.#socket.writable) this.#waiting.length = 0;
    this.#waiting.shift()?.();
    this.#read();
  }

  /** Reads until a request is complete: that of the last slice, or the current one with its body. */
  #read(): void {
    const socket = this.#socket;
    while (socket.readableLength > 0) {
      if (!this.#mayRead) return;
      const bytes = Math.min(socket.readableLength, Math.max(sliceBytes, this.#bodyLeft));
      this.#bodyLeft = Math.max(0, this.#bodyLeft - bytes);
      this.#sliceBytes = bytes;
      socket.read(bytes);
    }
    // Notices the end.
    socket.read(0);
  }

  get #mayRead(): boolean {
    if (this.#isEnding || !this.#socket.writable || this.#waiting.length > 0) return false;
    const request = this.#current;
    return !request || (!request.complete && request.readableLength < request.readableHighWaterMark);
  }

  endWith(answer: () => void): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    // Unparseable bytes may be the body that the current request waits for.
    if (this.#current?.complete || this.#waiting.length > 0) this.#waiting.push(answer);
    else answer();
  }
}
