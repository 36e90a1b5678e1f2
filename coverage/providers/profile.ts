import { z } from 'zod';
import { CovermapError } from '../../platform/errors.ts';
import { problemsOf } from '../../platform/zod-problems.ts';

export const wholesaleKinds = ['Yes', 'No', 'Both'] as const;
export type WholesaleNetwork = (typeof wholesaleKinds)[number];

export const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it refuses
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not hold control characters');

/** A provider as answers describe it. */
export const profile = {
  url: z
    .string()
    .trim()
    .max(500)
    .refine(isWebAddress, 'must be an absolute web address such as https://example.nz/')
    .overwrite(webAddress),
  wholesale_network: z.enum(wholesaleKinds),
  description: z
    .string()
    .trim()
    .max(2000)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it refuses
    .regex(/^[^\u0000-\u0008\u000b-\u001f\u007f]*$/, 'must not hold control characters'),
  area_served: z.array(name).max(100),
};

export const providerDescription = z.strictObject({
  name,
  // Empty counts as absent.
  url: z
    .literal('')
    .transform(() => undefined)
    .or(profile.url)
    .optional(),
  wholesale_network: profile.wholesale_network.optional(),
  description: profile.description.optional(),
  area_served: profile.area_served.optional(),
});

export type ProviderDescription = z.output<typeof providerDescription>;

const savedProfile = z.strictObject({ ...profile, name: name.optional() });
export type ProviderProfile = Omit<z.output<typeof savedProfile>, 'name'>;

/** Checks a provider's profile, with a name if staff rename the provider. @throws CovermapError `profile_invalid`, naming the invalid fields */
export function parseProfile(input: unknown): z.output<typeof savedProfile> {
  const parsed = savedProfile.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error, 'profile');
  throw new CovermapError('profile_invalid', `The profile cannot be saved. ${problems}.`);
}

/** Tells if a text is an absolute http or https address with a host, of printable characters, and without a password, which answers would publish. */
export function isWebAddress(value: string): boolean {
  if (/[\p{Cc}\p{Cs}]/u.test(value)) return false;
  if (!/^https?:\/\/[^\s/]/i.test(value) || /\s/.test(value) || !URL.canParse(value)) return false;
  const { hostname, username, password } = new URL(value);
  return hostname !== '' && username === '' && password === '';
}

/** A {@link isWebAddress web address} with its scheme in lower case. */
export function webAddress(value: string): string {
  return value.replace(/^[^:]*/, (scheme) => scheme.toLowerCase());
}
