import type { Request, RequestHandler } from 'express';
import type { ApiContext } from '../context.ts';
import { callerAt } from './address-limit.ts';
import { sendError } from './errors.ts';
import { isLocalCaller } from './local-caller.ts';

const registrarNumbers = new WeakMap<Request, number>();

/**
 * Lets a request pass that comes from a registrar's address: the address of the connection or, where that is a trusted
 * proxy's, the one that it names.
 */
export function requireRegistrar({ registrars, attempts, logger }: ApiContext): RequestHandler {
  return async (request, response, next) => {
    const address = request.ip;
    const registrar = await registrars.registrarAt(address, isLocalCaller(request));
    if (registrar !== undefined) {
      registrarNumbers.set(request, registrar);
      return next();
    }
    // Told from memory, and nothing to be guessed: it is counted, and need not be slowed.
    attempts.count('registrar', callerAt(address ?? ''));
    logger.debug(
      { address, path: request.path },
      'a call from an address that is not on the registrars’ list was refused',
    );
    sendError(response, 403, 'Calls are taken from the registered addresses of registrars only.');
  };
}

/** The number of the registrar whose address {@link requireRegistrar} let the request pass with. */
export function registrarOf(request: Request): number {
  const registrar = registrarNumbers.get(request);
  if (registrar === undefined) throw new Error('registrarOf was called before requireRegistrar');
  return registrar;
}
