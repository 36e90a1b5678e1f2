import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** What proxies add. A caller on this machine that sends one is a proxy, and nobody has said for whom it speaks. */
const forwardedHeaders = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip'] as const;

/**
 * Whether a request comes from this machine: by the address of the connection or, where that is a trusted proxy's, the one
 * that it names. A proxy on this machine that TRUST_PROXY does not name makes everybody look so; and a name that resolves to
 * this machine lets any page ask as if it were of this origin: neither counts.
 */
export function isLocalCaller(request: Request): boolean {
  const trusted = request.ips.length > 0;
  if (!trusted && forwardedHeaders.some((name) => request.headers[name] !== undefined)) return false;
  return isLoopback(request.ip) && isLoopbackName(request.hostname);
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

function isLoopbackName(host: string | undefined): boolean {
  const name = (host ?? '').replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name);
}
