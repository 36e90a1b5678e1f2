import { signal } from '@preact/signals';
import type { Manifest } from '../shared/schemas.ts';
import { ask } from '../shared/ui/dialog.tsx';
import { TextField } from '../shared/ui/fields.tsx';

/** Asks for the web address of a new provider. @returns the manifest with it; undefined if cancelled */
export async function withAddressOfNewProvider(manifest: Manifest): Promise<Manifest | undefined> {
  const name = typeof manifest.provider === 'string' ? manifest.provider : (manifest.provider?.name ?? '');
  const url = signal('');
  const isGiven = await ask(
    {
      title: `${name} is a new provider`,
      body: [
        'Every answer shows a provider’s web address. If the provider is known already, cancel and check the name.',
        <TextField
          key="url"
          label="Web address"
          name="provider-url"
          hint="Begins with https:// or http://."
          type="url"
          required
          maxLength={500}
          placeholder="https://"
          pattern="https?://.+"
          value={url}
        />,
      ],
      confirm: 'Create provider and submit',
    },
    async () => {},
  );
  return isGiven ? { ...manifest, provider: { name, url: url.value.trim() } } : undefined;
}
