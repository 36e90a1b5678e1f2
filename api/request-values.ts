const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && uuid.test(text);
}

/** A row's number in a path or a query; undefined where it is none that a row could have. */
export function rowNumber(text: unknown): number | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
