import type { AddressInfo } from 'node:net';
import express from 'express';

// The cost of Express itself: it answers a constant, its one argument.
const answer = JSON.parse(process.argv[2] ?? '{}');
const server = express()
  .get('/api/2.0/availability/:lat/:lng', (_request, response) => {
    response.json(answer);
  })
  .listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
process.on('SIGTERM', () => process.exit(0));
