import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import express from 'express';
import { expect, test } from 'vitest';
import { messageClasses } from '../../api/http/message-classes.ts';
import { listening } from '../setup/listen.ts';

test('requests and responses have the prototypes of the application before it sees them', async () => {
  const app = express();
  const seen: object[] = [];
  app.get('/path', (request, response) => {
    seen.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    response.json({ app: request.app === app, path: request.path, type: request.accepts('json') });
  });
  const server = createServer(messageClasses(app), (request: IncomingMessage, response: ServerResponse) => {
    seen.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    app(request, response);
  });
  const answer = await fetch(`${await listening(server)}/path?x=1`);
  expect(await answer.json()).toEqual({ app: true, path: '/path', type: 'json' });
  server.close();
  server.closeAllConnections();
  expect(seen).toHaveLength(4);
  expect(seen[2]).toBe(seen[0]);
  expect(seen[3]).toBe(seen[1]);
});
