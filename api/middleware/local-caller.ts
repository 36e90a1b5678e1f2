import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** Headers of proxies. A caller on this machine that sends one is a proxy, and its own caller is unknown. */
const forwardedHeaders = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip'] as const;

/** The known properties of a request's sender. */
export type Caller = Pick<Request, 'ip' | 'ips' | 'headers' | 'hostname'>;

/** True for a request through a proxy that TRUST_PROXY does not name: its sender is unknown. */
export function isBehindStranger({ ips, headers }: Caller): boolean {
  return ips.length === 0 && forwardedHeaders.some((name) => headers[name] !== undefined);
}

/**
 * True for a request from this machine: by the address of the connection or, behind a trusted proxy, the one that it names. Requests through a
 * proxy that TRUST_PROXY does not name do not count, nor those to a name that resolves to this machine: any page could send them.
 */
export function isLocalCaller(request: Caller): boolean {
  if (isBehindStranger(request)) return false;
  return isLoopback(request.ip) && isLoopbackName(request.hostname);
}

/** The form of addresses. Most hosts are names, which the library recognises by an exception: a fifth of a registry request. */
const addressForm = /^[\da-fx.:]+(?:%.*)?$/i;

function isLoopback(address: string | undefined): boolean {
  return (
    address !== undefined &&
    addressForm.test(address) &&
    ipaddr.isValid(address) &&
    ipaddr.process(address).range() === 'loopback'
  );
}

function isLoopbackName(host: string | undefined): boolean {
  const name = (host ?? '').replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name);
}
