/** The origins that a Content-Security-Policy accepts, without wildcards. */
const originForm = /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/;

/** The origin of a web page, as "https://shop.example", with or without a slash at its end; undefined for others, and for an address with a path. */
export function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, href } = new URL(text);
  return originForm.test(origin) && href === `${origin}/` ? origin : undefined;
}
