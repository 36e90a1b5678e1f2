import type { RequestHandler } from 'express';

/** Lets scripts of pages from anywhere read the answer. Not for what is told to an address alone: a page asks from its reader's. */
export const allowAnyOrigin: RequestHandler = (_request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*');
  next();
};
