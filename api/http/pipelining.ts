import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/*
 * A client may send requests without waiting for the answers (RFC 9112, section 9.3.2). Node parses up to 64 kB at once and begins each request:
 * two thousand answers are made before another connection gets its turn. Here a connection's bytes are parsed slice by slice, and a request begins
 * once the answer before it is written and the event loop has turned.
 */

/** The size of a parsed slice. Most requests are shorter; it holds at most some forty. Bytes */
const sliceBytes = 1024;

const pipeline = Symbol('pipeline');
type Piped = Socket & {
  [pipeline]?: Pipeline;
  /** The handle through which node:http starts and stops reading, too. */
  _handle?: { reading: boolean; readStart(): void; readStop(): void } | null;
};

/** Parses the bytes of each connection at the pace of its answers. */
export function parseInSlices(server: Server): void {
  server.on('connection', (socket: Piped) => {
    socket[pipeline] = new Pipeline(socket);
  });
}

/** Delays a request until the requests before it on its connection are answered. */
export function inOrder(answer: RequestListener): RequestListener {
  return (request, response) => {
    const line = (request.socket as Piped)[pipeline];
    if (line) line.take(request, response, answer);
    else answer(request, response);
  };
}

/** Ends the parsing of a connection, and answers on it after its complete requests. */
export function afterAnswers(socket: Socket, answer: () => void): void {
  const line = (socket as Piped)[pipeline];
  if (line) line.endWith(answer);
  else answer();
}

/** Listens on responses: one function for all of them. */
function answered(this: ServerResponse): void {
  (this.req.socket as Piped)[pipeline]?.answered();
}

class Pipeline {
  readonly #socket: Piped;
  readonly #parse: (bytes: Buffer) => void;
  #current: IncomingMessage | undefined;
  /** Requests of the last parsed slice. */
  readonly #waiting: (() => void)[] = [];
  /** Bytes to parse: the socket is paused while there are any. */
  #held: Buffer | undefined;
  /** The rest of the last request's body that is certain to come. It is passed on as a whole. Bytes */
  #bodyLeft = 0;
  #parsingBytes = 0;
  #isEnding = false;

  constructor(socket: Piped) {
    this.#socket = socket;
    this.#parse = socket.listeners('data')[0] as (bytes: Buffer) => void;
    socket.removeListener('data', this.#parse);
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    // Node resumes it after every request.
    socket.on('resume', () => this.#held && this.#stopReading());
  }

  take(request: IncomingMessage, response: ServerResponse, answer: RequestListener): void {
    // Node refuses a request with both a length and a transfer coding.
    const length = request.headers['content-length'];
    this.#bodyLeft = length ? Number(length) - this.#parsingBytes : 0;
    if (this.#current || this.#waiting.length > 0) {
      this.#waiting.push(() => this.#begin(request, response, answer));
    } else this.#begin(request, response, answer);
  }

  #begin(request: IncomingMessage, response: ServerResponse, answer: RequestListener): void {
    this.#current = request;
    response.on('close', answered);
    answer(request, response as never);
  }

  endWith(answer: () => void): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#held = undefined;
    // Unparseable bytes may be the body that the current request waits for.
    if (this.#current?.complete || this.#waiting.length > 0) this.#waiting.push(answer);
    else answer();
  }

  #receive(bytes: Buffer): void {
    if (this.#isEnding) return;
    if (!this.#held && bytes.length <= sliceBytes && this.#isFree) {
      this.#parseSlice(bytes);
      return;
    }
    this.#held = this.#held ? Buffer.concat([this.#held, bytes]) : bytes;
    this.#pass();
    if (this.#held) this.#stopReading();
  }

  /** Parses until a request is complete. */
  #pass(): void {
    while (this.#held && this.#isFree) {
      const bytes: Buffer = this.#held;
      const length = Math.max(sliceBytes, this.#bodyLeft);
      const slice = bytes.length > length ? bytes.subarray(0, length) : bytes;
      this.#held = slice === bytes ? undefined : bytes.subarray(length);
      this.#parseSlice(slice);
    }
  }

  #parseSlice(slice: Buffer): void {
    this.#bodyLeft = Math.max(0, this.#bodyLeft - slice.length);
    this.#parsingBytes = slice.length;
    this.#parse.call(this.#socket, slice);
  }

  get #isFree(): boolean {
    return this.#waiting.length === 0 && !this.#current?.complete && this.#isOpen;
  }

  /** False once Node has taken its parser away, or nothing more can be answered. */
  get #isOpen(): boolean {
    return !this.#isEnding && this.#socket.writable;
  }

  answered(): void {
    this.#current = undefined;
    if (this.#waiting.length > 0 || this.#held) setImmediate(() => this.#next());
  }

  #next(): void {
    if (!this.#socket.writable) {
      this.#waiting.length = 0;
      this.#held = undefined;
      return;
    }
    this.#waiting.shift()?.();
    // Includes the body of the request that has just begun.
    this.#pass();
    if (!this.#held) this.#startReading();
  }

  /** At once: a paused stream reads on until its buffer is full, and every byte would reset the timeout of a client that takes no answer. */
  #stopReading(): void {
    const { _handle: handle } = this.#socket;
    this.#socket.pause();
    if (!handle?.reading) return;
    handle.reading = false;
    handle.readStop();
  }

  #startReading(): void {
    const { _handle: handle } = this.#socket;
    this.#socket.resume();
    if (!handle || handle.reading) return;
    handle.reading = true;
    handle.readStart();
  }
}
