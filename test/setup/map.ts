/** The headers of a lookup by the public map, with the token that the map gets. @param from as a trusted proxy names the caller */
export async function asMap(url: string, from?: string): Promise<Record<string, string>> {
  const forwarded: Record<string, string> = from === undefined ? {} : { 'x-forwarded-for': from };
  const settings = await fetch(`${url}/api/map/settings`, { headers: forwarded });
  const { lookup_token } = (await settings.json()) as { lookup_token: string };
  return { ...forwarded, 'sec-fetch-site': 'same-origin', 'x-map-token': lookup_token };
}
