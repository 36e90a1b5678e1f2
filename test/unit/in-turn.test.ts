import { createServer } from 'node:http';
import express, { type RequestHandler, Router } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { inTurn } from '../../api/app.ts';
import { listening } from '../setup/listen.ts';

/* A chain of handlers as one handler does the same as Express with each by itself. */

const says =
  (word: string): RequestHandler =>
  (_request, response, next) => {
    response.locals.said = [...(response.locals.said ?? []), word];
    next();
  };
const throws = () => {
  throw new Error('thrown');
};
const handlers: Record<string, RequestHandler[]> = {
  all: [says('a'), says('b')],
  later: [async (_request, _response, next) => void setImmediate(next), says('b')],
  leaving: [says('a'), (_request, _response, next) => next('router'), says('b')],
  failing: [says('a'), (_request, _response, next) => next(new Error('given')), says('b')],
  throwing: [says('a'), throws, says('b')],
  rejecting: [says('a'), async () => throws(), says('b')],
  answering: [says('a'), (_request, response) => void response.json('answered'), says('b')],
};

test.each(Object.keys(handlers))('%s', async (name) => {
  const chain = handlers[name] as RequestHandler[];
  const answers = [];
  for (const mounted of [Router().use('/x', ...chain), Router().use('/x', inTurn(chain))]) {
    const app = express();
    app.use(mounted);
    app.use((request, response) => void response.json([request.url, response.locals.said]));
    const failed: express.ErrorRequestHandler = (error, request, response, _next) =>
      void response.json([request.url, response.locals.said, error.message]);
    app.use(failed);
    const server = createServer(app);
    onTestFinished(() => void server.close());
    answers.push(await (await fetch(`${await listening(server)}/x/y`)).json());
  }
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[0]).toBeDefined();
});
