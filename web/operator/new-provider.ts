import { ask } from '../shared/dialog.ts';
import { field, textInput } from '../shared/fields.ts';
import type { Manifest } from '../shared/types.ts';

/**
 * Asks for the web address of a provider that nobody knows yet, which every answer shows.
 * @returns the manifest with it; undefined where it was not given
 */
export async function withAddressOfNewProvider(manifest: Manifest): Promise<Manifest | undefined> {
  const name = typeof manifest.provider === 'string' ? manifest.provider : (manifest.provider?.name ?? '');
  let url = '';
  const input = textInput(
    'provider-url',
    '',
    (value) => {
      url = value.trim();
    },
    {
      type: 'url',
      required: true,
      maxlength: 500,
      placeholder: 'https://',
      pattern: 'https?://.+',
      autocomplete: 'off',
    },
  );
  const done = await ask(
    {
      title: `${name} is a new provider`,
      body: [
        'Every answer shows a provider’s web address. If the provider is known already, cancel and check the name.',
        field('Web address', input, { hint: 'It begins with https:// or http://.' }),
      ],
      confirm: 'Create provider and submit',
    },
    async () => {},
  );
  return done ? { ...manifest, provider: { name, url } } : undefined;
}
