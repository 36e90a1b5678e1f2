import type { Identity } from '../../access/actor.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { CovermapError } from '../../platform/errors.ts';
import { today } from '../../platform/nz-time.ts';
import { requireAddressOfNew } from '../providers/providers.ts';
import { type Manifest, parseManifest } from './manifest.ts';

/** The provider of a file that is submitted again: its name now, and the names in earlier manifests. */
export interface KnownProvider {
  name: string;
  earlier: readonly (string | undefined)[];
}

/**
 * Checks the manifest of a file. Operators submit for their own provider, which they need not name; staff submit for any. The name in an
 * earlier manifest of the file stands for its provider, which may have been renamed. @throws CovermapError `manifest_invalid`,
 * `provider_not_yours`, `provider_url_missing`, `technology_unknown`, `planned_date_past`
 */
export async function acceptManifest(
  db: Queryable,
  input: unknown,
  identity: Identity,
  known?: KnownProvider,
): Promise<Manifest> {
  const ownProvider = identity.provider;
  const manifest = withCurrentName(parseManifest(input, ownProvider?.name), known);
  if (ownProvider && manifest.provider.name.toLowerCase() !== ownProvider.name.toLowerCase()) {
    throw new CovermapError(
      'provider_not_yours',
      `This token is for ${ownProvider.name}, and the manifest names ${manifest.provider.name}.`,
    );
  }
  if (!ownProvider) await requireAddressOfNew(db, manifest.provider);
  await requireTechnologies(db, manifest);
  const past = datesOf(manifest).find((date) => date < today());
  if (past !== undefined) {
    throw new CovermapError('planned_date_past', `The planned date ${past} has passed.`);
  }
  return ownProvider ? { ...manifest, provider: { ...manifest.provider, name: ownProvider.name } } : manifest;
}

/** The manifest of a form or of an upload's metadata: JSON as text. @throws CovermapError `manifest_missing`, `manifest_not_json` */
export function parseManifestText(text: string | undefined): unknown {
  if (text === undefined) throw new CovermapError('manifest_missing');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CovermapError('manifest_not_json', `The manifest is not JSON: ${(error as Error).message}.`);
  }
}

function withCurrentName(manifest: Manifest, known: KnownProvider | undefined): Manifest {
  const named = manifest.provider.name.toLowerCase();
  if (!known?.earlier.some((name) => name?.toLowerCase() === named)) return manifest;
  return { ...manifest, provider: { ...manifest.provider, name: known.name } };
}

/** @throws CovermapError `technology_unknown` */
export async function requireTechnologies(db: Queryable, manifest: Manifest): Promise<void> {
  const { rows } = await db.query<{ name: string }>('select name from technology order by nominal_rank');
  const known = rows.map((row) => row.name);
  const unknown = technologiesOf(manifest).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new CovermapError(
    'technology_unknown',
    `There is no technology "${unknown}".`,
    `Use one of ${known.join(', ')}.`,
  );
}

function technologiesOf(manifest: Manifest): string[] {
  const { technology } = manifest.attributes;
  const listed = technology && 'values' in technology ? technology.values : {};
  const names = [manifest.technology, ...Object.values(listed ?? {})];
  return [...names, ...meaningsOf(manifest).map((one) => one.technology)].filter(
    (name) => name !== undefined && name !== null,
  );
}

function datesOf(manifest: Manifest): string[] {
  const dates = [manifest.planned_date, ...meaningsOf(manifest).map((one) => one.planned_date)];
  return dates.filter((date) => date !== undefined);
}

function meaningsOf({ tiers, classes }: Manifest) {
  return [...Object.values(tiers?.values ?? {}), ...(classes ?? [])];
}
