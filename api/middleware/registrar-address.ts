import type { RequestHandler } from 'express';
import type { ApiContext } from '../app.ts';
import { callerAt } from './address-limit.ts';
import { sendError } from './errors.ts';
import { isLocalCaller } from './local-caller.ts';

/**
 * Lets a request pass that comes from a registrar's address: the address of the connection or, where that is a trusted
 * proxy's, the one that it names.
 */
export function requireRegistrar({ registrars, attempts, logger }: ApiContext): RequestHandler {
  return async (request, response, next) => {
    const address = request.ip;
    if (await registrars.has(address, isLocalCaller(request))) return next();
    // Told from memory, and nothing to be guessed: it is counted, and need not be slowed.
    attempts.note('registrar', callerAt(address ?? ''));
    logger.debug(
      { address, path: request.path },
      'a call from an address that is not on the registrars’ list was refused',
    );
    sendError(response, 403, 'Calls are taken from the registered addresses of registrars only.');
  };
}
