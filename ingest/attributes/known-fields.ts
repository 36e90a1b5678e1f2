import { dbfNameLength } from '@covermap/coverage-files/coded-values.ts';
import type { SpeedField, SpeedUnit } from '../../coverage/speeds.ts';

/** Names of speed fields, without case, marks and unit: see {@link nameOf}. The last line of the first speed is for both directions: "100/20". */
const names: Record<SpeedField, string[]> = {
  bandwidth_max_mbps: words(`
    bandwidthmax bandwidthdownmax maxdown downmax maxdownload downloadmax maxadvertiseddownloadspeed
    maxaddown maxdownspeed maxspeeddown dl dlmax maxdl down download downlink downstream speeddown
    speeddl downspeed downloadspeed speeddownload dlspeed
    speed speeds bandwidth maxspeed speedmax
  `),
  bandwidth_min_mbps: words(`
    bandwidthmin bandwidthdownmin mindown downmin mindownload downloadmin mindownspeed minspeeddown
    dlmin mindl minspeed speedmin
  `),
  bandwidth_up_max_mbps: words(`
    bandwidthupmax maxup upmax maxupload uploadmax maxadvertiseduploadspeed maxadup maxupspeed
    maxspeedup ul ulmax maxul up upload uplink upstream speedup speedul upspeed uploadspeed speedupload
    ulspeed
  `),
  bandwidth_up_min_mbps: words(`
    bandwidthupmin minup upmin minupload uploadmin minupspeed minspeedup ulmin minul
  `),
};

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

const fieldByName = new Map(
  Object.entries(names).flatMap(([field, aliases]) =>
    aliases.map((alias): [string, SpeedField] => [alias, field as SpeedField]),
  ),
);

const writtenUnit = /(?<prefix>[kmg])(bps|bits?|bs|b)$/;
/** The rest of a unit in a name that was cut off. */
const cutUnit = /^(?<prefix>[kmg])(b(p|i|it)?)?$/;
const unitOfPrefix: Record<string, SpeedUnit> = { k: 'kbps', m: 'mbps', g: 'gbps' };

export interface KnownField {
  speed: SpeedField;
  field: number;
  unit: SpeedUnit;
}

/**
 * Finds speed fields by their names: those of this service's answers, of the American Broadband Data Collection, and of common programs.
 * Ignores case and punctuation, uses a unit at the end, and allows for names cut to ten characters by a .dbf file. Of two fields for the same
 * speed, the one listed first above counts.
 */
export function recogniseFields(fields: readonly string[]): KnownField[] {
  const found = new Map<SpeedField, KnownField & { rank: number }>();
  for (const [field, original] of fields.entries()) {
    const { speed, unit, name } = recognise(original) ?? {};
    if (!speed || !unit || !name) continue;
    const rank = names[speed].indexOf(name);
    if (rank < (found.get(speed)?.rank ?? Infinity)) found.set(speed, { speed, field, unit, rank });
  }
  return [...found.values()].map(({ rank: _, ...known }) => known);
}

function recognise(original: string): { speed: SpeedField; unit: SpeedUnit; name: string } | undefined {
  if (isCutOwnName(original)) return undefined;
  const { name, unit } = nameOf(original);
  const speed = fieldByName.get(name);
  if (speed) return { speed, unit, name };
  if (original.length !== dbfNameLength) return undefined;
  // A truncated name counts if it begins the names of one direction only. It then means the maximum, which is more common.
  const begun = plain(original);
  const matches = [...fieldByName].flatMap(([alias, field]) => {
    if (alias.startsWith(begun)) return [{ alias, field, unit: 'mbps' as SpeedUnit }];
    const unit = begun.startsWith(alias) ? unitBegun(begun.slice(alias.length)) : undefined;
    return unit ? [{ alias, field, unit }] : [];
  });
  const directions = new Set(matches.map(({ field }) => field.includes('_up_')));
  const match = matches.find(({ field }) => field.includes('max')) ?? matches[0];
  return match && directions.size === 1
    ? { speed: match.field, unit: match.unit, name: match.alias }
    : undefined;
}

/** The unit at the end of a field's name, even if a .dbf file cut it off; Mbps by default. */
export function unitInName(name: string): SpeedUnit {
  if (name.length === dbfNameLength) {
    // A unit may follow a well-known name, or a mark.
    const known = recognise(name);
    if (known) return known.unit;
    const cut = unitBegun(plain(/[^a-z0-9]([a-z]+)$/i.exec(name)?.[1] ?? ''));
    if (cut) return cut;
  }
  return nameOf(name).unit;
}

interface NamePatterns {
  certain: RegExp;
  likely?: RegExp;
  never?: RegExp;
}

/** Patterns of field names: certain, likely, and excluded. */
const subjects = {
  technology: { certain: /tech/i, likely: /type|service|network|access|^folder$/i },
  availability: {
    certain: /avail|(?:^|[^a-z])in_?serv|(?:^|[^a-z]|un)served|covered/i,
    likely: /status|state|stage|phase|(?:^|[^a-z])stat(?![a-z])|^folder$/i,
  },
  planned_date: {
    certain: /plan|ready|complet|(?:^|[^a-z])due|rfs|launch|go_?live/i,
    likely: /date|(?:^|[^a-z])dt(?![a-z])/i,
    never: /expir|until|valid|review|renew|modif|updat|creat|edit|survey/i,
  },
  speeds: {
    certain:
      /speed|(?:^|[^a-z])sp(?:ee)?ds?(?![a-z])|bandw|(?:^|[^a-z])bw(?![a-z])|through?put|[kmg]b(?:ps|it|[ _]?s(?![a-z]))|(?:down|up)(?:load|link|stream)/i,
    never: /class|tier|code|id$|rank|count|date|test|limit|type|product|plan|name/i,
  },
  provider: { certain: /^(?:provider|isp|carrier|brand)[ _-]?(?:name)?$/i },
  wholesale_network: { certain: /wholesale/i },
} satisfies Record<string, NamePatterns>;

/** Tells how certainly a field's name is about a subject. */
export function isAbout(subject: keyof typeof subjects, name: string): 'certain' | 'likely' | undefined {
  const { certain, likely }: NamePatterns = subjects[subject];
  if (isNever(subject, name)) return undefined;
  if (subject === 'speeds' && isCutSpeedName(name)) return 'certain';
  return certain.test(name) ? 'certain' : likely?.test(name) ? 'likely' : undefined;
}

/** Tells if a field's name says that it is not about a subject. */
export function isNever(subject: keyof typeof subjects, name: string): boolean {
  const { never }: NamePatterns = subjects[subject];
  return never?.test(name) ?? false;
}

/** A well-known name, cut to ten characters or fewer and perhaps numbered, as the second of two that begin alike: `max_adve_1`. */
function isCutSpeedName(name: string): boolean {
  if (name.length !== dbfNameLength) return false;
  const begun = plain(name.replace(/_?\d{1,2}$/, ''));
  return begun.length >= minBegun && [...fieldByName.keys()].some((alias) => alias.startsWith(begun));
}

/** The min letters of a truncated name: fewer begin many words. */
const minBegun = 6;

function nameOf(original: string): { name: string; unit: SpeedUnit } {
  const name = plain(original);
  const found = writtenUnit.exec(name);
  if (!found) return { name, unit: 'mbps' };
  return { name: name.slice(0, found.index), unit: unitOfPrefix[found.groups?.prefix ?? ''] ?? 'mbps' };
}

function unitBegun(rest: string): SpeedUnit | undefined {
  return unitOfPrefix[cutUnit.exec(rest)?.groups?.prefix ?? ''];
}

/** Without case and marks. */
export function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The indexes of our own four names, cut to ten characters and numbered: `bandwidth_`, `bandwidt_1`, ... in the documented order. */
export function cutOwnNames(fields: readonly string[]): number[] {
  return fields.flatMap((name, i) => (isCutOwnName(name) ? [i] : []));
}

function isCutOwnName(name: string): boolean {
  return name.length === dbfNameLength && /^bandwidth?_?\d*$/i.test(name);
}
