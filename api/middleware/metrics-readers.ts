import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { readAddress } from '../../access/registrars.ts';
import { sendError } from '../errors.ts';
import { type Caller, isBehindStranger, isLocalCaller } from './local-caller.ts';

/**
 * Decides who may read metrics, which reveal the volume of business: a caller of this machine or of one of the networks. Behind a proxy the
 * address that it names counts; a caller through one that TRUST_PROXY does not name may not, whatever the proxy's network.
 * @param networks as in `10.0.0.0/8`, or addresses
 */
export function metricsReaders(networks: readonly string[]): (caller: Caller) => boolean {
  const ranges = networks.map((text) => {
    const [address = '', length] = text.split('/');
    const first = ipaddr.process(address);
    return [first, length === undefined ? (first.kind() === 'ipv4' ? 32 : 128) : Number(length)] as const;
  });
  return (caller) => {
    if (isLocalCaller(caller)) return true;
    const address = readAddress(caller.ip);
    return (
      address !== undefined &&
      !isBehindStranger(caller) &&
      ranges.some(([first, bits]) => first.kind() === address.kind() && address.match(first as never, bits))
    );
  };
}

/** Refuses other callers with a 403. */
export function requireMetricsReader(networks: readonly string[]): RequestHandler {
  const mayRead = metricsReaders(networks);
  return (request, response, next) => {
    if (mayRead(request)) return next();
    sendError(response, 403, 'Metrics are shown to this machine and to listed networks only.');
  };
}
