/** Whether an `Accept-Encoding` takes gzip (RFC 9110, section 12.5.3). */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return /(^|,)\s*(gzip|\*)\s*(;\s*q=(1|0\.\d*[1-9])\d*\s*)?(,|$)/i.test(String(header ?? ''));
}
