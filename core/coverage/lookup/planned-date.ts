/** A planned date as answers give it: `Wed, 31 Mar 2027 00:00:00 GMT` (IMF-fixdate, RFC 9110). @param date YYYY-MM-DD */
export function plannedDateText(date: string): string {
  return new Date(`${date}T00:00:00Z`).toUTCString();
}
