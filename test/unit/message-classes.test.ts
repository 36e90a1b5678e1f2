import { createServer } from 'node:http';
import express from 'express';
import { expect, test } from 'vitest';
import { messageClasses } from '../../api/app.ts';
import { listening } from '../setup/listen.ts';

test('requests and responses have the prototypes of the application before it sees them', async () => {
  const app = express();
  const seen: object[][] = [];
  const see = (...messages: object[]) => seen.push(messages.map((one) => Object.getPrototypeOf(one)));
  app.get('/path', (request, response) => {
    see(request, response);
    response.json({ app: request.app === app, path: request.path, type: request.accepts('json') });
  });
  const server = createServer(messageClasses(app), app).prependListener('request', see);
  const answer = await fetch(`${await listening(server)}/path?x=1`);
  expect(await answer.json()).toEqual({ app: true, path: '/path', type: 'json' });
  server.close();
  server.closeAllConnections();
  for (const [i, prototype] of seen[0]?.entries() ?? []) expect(seen[1]?.[i]).toBe(prototype);
});
