import { Router } from 'express';
import { readOnly, sendJson } from '../../middleware/errors.ts';

/** `GET /` for programs; browsers get the map. */
export function welcome(): Router {
  const router = Router({ caseSensitive: true });
  router.all('/', readOnly, (_request, response) => {
    sendJson(response, 200, {
      name: 'covermap',
      description: 'What broadband is here?',
      documentation: '/docs',
      openapi: '/openapi.json',
      endpoints: [
        'GET /api/2.0/availability/{lat}/{lng}',
        'GET /api/2.0/providers',
        'GET /api/1.0/availability/yx/{lat}/{lng}',
        'GET /1.0/availability?string={label}',
        'GET /1.0/availability?domains[]={domain}',
        'GET /1.0/droplist',
      ],
    });
  });
  return router;
}
