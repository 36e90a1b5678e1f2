import { ConstantBody } from '../../http/constant-body.ts';

/** `GET /` for programs; browsers get the map. */
export const welcome = new ConstantBody(
  'application/json; charset=utf-8',
  JSON.stringify({
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
  }),
);
