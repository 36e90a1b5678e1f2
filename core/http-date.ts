/** A calendar date as HTTP-date text (RFC 9110, section 5.6.7, IMF-fixdate) at 00:00:00 GMT. @param date YYYY-MM-DD */
export function httpDate(date: string): string {
  return new Date(`${date}T00:00:00Z`).toUTCString();
}
