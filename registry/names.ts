// Imported by its file, as 'punycode' alone is an old module of Node's own.
import punycode from 'punycode/punycode.js';
import { toASCII, toUnicode } from 'tr46';

/* Names in the register's form: lower case, without the last dot, an IDN in Punycode. Input may be any text. */

/** A label, as in `example`: the part of a name before the zone. */
export interface Label {
  /** At most 63 characters of a-z, 0-9 and hyphen. */
  ascii: string;
  /** The script that the registrant intended (NFC); for an IDN only. */
  unicode: string | undefined;
}

/** A name of one label right under a managed zone. */
export interface RegistryName {
  domain: string;
  original: string | undefined;
}

/** The reason against looking up a text: characters that no name has; its form (lengths, hyphens, empty labels); its zone; it is a zone. */
export type NameFault = 'characters' | 'form' | 'no_zone' | 'zone_itself';

/** The managed zones. */
export type Zones = Pick<ReadonlySet<string>, 'has'>;

/** Zones that have a second form, in Punycode: `māori.nz` is `maori.nz`. Nobody can register it, and names under it are names under the zone. */
const otherForms: ReadonlyMap<string, string> = new Map([['xn--mori-qsa.nz', 'maori.nz']]);

/** The managed zone that a name in ASCII is, in either form; undefined for none. */
export function zoneNamed(domain: string, zones: Zones): string | undefined {
  const zone = otherForms.get(domain) ?? domain;
  return zones.has(zone) ? zone : undefined;
}

/** RFC 1035, section 2.3.4, without the length octets and the root. */
const maxLabel = 63;
const maxName = 253;
/**
 * A longer text cannot be a name, although mapping drops or joins some characters: 59 letters of a Punycode label with two marks each, and a zone.
 * UTF-16 units. The cost of converting grows with the square.
 */
const maxInput = 300;

const ascii = /^[\0-\x7f]*$/;
const notAscii = /[^\0-\x7f]+/g;
/** Letters that UTS 46 does not change once they are lower case: those of English and the macronised vowels of Māori. */
const plainText = /^[A-Za-z0-9.āēīōūĀĒĪŌŪ-]*$/;
const letterDigitHyphen = /^[A-Za-z0-9.-]*$/;
/** Letters and digits, with hyphens neither first nor last. */
const plainAsciiLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const plainLabel = /^[a-z0-9āēīōū](?:[a-z0-9āēīōū-]{0,61}[a-z0-9āēīōū])?$/;
/** The characters that UTS 46 reads as a full stop. */
const fullStops = '.\u3002\uff0e\uff61';

/** The characters of a label by RFC 5892 (section 2.1 less 2.6), without symbols and emoji, which UTS 46 would accept. UTS 46 checks the joiners. */
const idnaLabel = /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\p{Join_Control}-]+$/u;
const idnaDisallowed = /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/u;

const uts46 = {
  transitionalProcessing: false,
  useSTD3ASCIIRules: true,
  checkBidi: true,
  checkJoiners: true,
  // Hyphens and lengths are checked here, to tell their faults apart.
  checkHyphens: false,
  verifyDNSLength: false,
};

/** Reads a single label, as in `?string=example`. A dot in it is an invalid character. */
export function readLabel(text: string): Label | NameFault {
  if (text.length > maxInput) return 'form';
  const complete = withoutLastDot(text);
  const label = plainText.test(complete) ? readPlainLabel(complete.toLowerCase()) : undefined;
  if (label) return label;
  const mapped = mapToAscii(complete);
  if (mapped === undefined || mapped.includes('.')) return 'characters';
  return decodeLabel(mapped);
}

/** Reads a full name. @param zones in ASCII */
export function readName(text: string, zones: Zones): RegistryName | NameFault {
  if (text.length > maxInput) return 'form';
  const complete = withoutLastDot(text);
  if (plainText.test(complete)) {
    // Nearly every name.
    const name = complete.toLowerCase();
    const dot = name.indexOf('.');
    const zone = name.slice(dot + 1);
    const label = zones.has(zone) && !zones.has(name) ? readPlainLabel(name.slice(0, dot)) : undefined;
    if (label && label.unicode === undefined) return { domain: name, original: undefined };
    const idn = label && nameInZone(label, zone);
    if (idn) return zoneNamed(idn.domain, zones) === undefined ? idn : 'zone_itself';
  }
  const mapped = mapToAscii(complete);
  if (mapped === undefined) return 'characters';
  const labels = mapped.split('.').map(decodeLabel);
  const fault = labels.find((label) => label === 'characters') ?? labels.find(isFault);
  if (fault && isFault(fault)) return fault;
  if (mapped.length > maxName) return 'form';
  if (zoneNamed(mapped, zones) !== undefined) return 'zone_itself';
  const above = mapped.slice(mapped.indexOf('.') + 1);
  const zone = zoneNamed(above, zones);
  if (zone === undefined) return 'no_zone';
  const name = nameInZone(labels[0] as Label, zone);
  return zone === above ? name : { ...name, original: toUnicode(mapped, uts46).domain };
}

/** The name of a label in a zone. */
export function nameInZone({ ascii, unicode }: Label, zone: string): RegistryName {
  return { domain: `${ascii}.${zone}`, original: unicode === undefined ? undefined : `${unicode}.${zone}` };
}

/**
 * The shown form of a text that is not a name: as in the register, in lower case and Punycode without the last dot. Where UTS 46 has no such form,
 * in lower case with non-ASCII characters percent-encoded. A longer text is truncated.
 */
export function showFaulty(text: string): RegistryName {
  const complete = withoutLastDot(text);
  const tooLong = text.length > maxInput;
  const mapped = tooLong ? undefined : mapToAscii(complete);
  if (mapped !== undefined) {
    const unicode = mapped.includes('xn--') ? toUnicode(mapped, uts46).domain : mapped;
    return { domain: mapped, original: unicode === mapped ? undefined : unicode };
  }
  const shown = (tooLong ? `${complete.slice(0, maxName)}...` : complete).toWellFormed();
  const domain = shown.replace(notAscii, encodeURIComponent).toLowerCase();
  return { domain, original: ascii.test(shown) ? undefined : shown };
}

export function isFault(result: Label | RegistryName | NameFault): result is NameFault {
  return typeof result === 'string';
}

/** One full stop at the end says that a name is complete. */
function withoutLastDot(text: string): string {
  return text !== '' && fullStops.includes(text.charAt(text.length - 1)) ? text.slice(0, -1) : text;
}

/** A label of {@link plainText} in lower case, many times as fast as UTS 46, which would not change it. @returns undefined for any other */
function readPlainLabel(label: string): Label | undefined {
  // Hyphens in the third and fourth place mark an encoding (RFC 5891, section 4.2.3.1).
  const marked = label.charCodeAt(2) === 45 && label.charCodeAt(3) === 45;
  if (marked) return undefined;
  if (plainAsciiLabel.test(label)) return { ascii: label, unicode: undefined };
  if (!plainLabel.test(label)) return undefined;
  const encodedLabel = `xn--${punycode.encode(label)}`;
  return encodedLabel.length <= maxLabel ? { ascii: encodedLabel, unicode: label } : undefined;
}

/** Maps, normalises and converts by UTS 46, nontransitional. @returns undefined for invalid characters and for Punycode that is not of a valid label */
function mapToAscii(text: string): string | undefined {
  // UTS 46 with the rules of STD 3 leaves letters, digits and hyphens of the ASCII characters.
  if (ascii.test(text) && !letterDigitHyphen.test(text)) return undefined;
  return toASCII(text, uts46) ?? undefined;
}

/** @param label a result of {@link mapToAscii} */
function decodeLabel(label: string): Label | NameFault {
  if (label === '' || label.length > maxLabel) return 'form';
  const unicode = label.startsWith('xn--') ? toUnicode(label, uts46).domain : undefined;
  const shown = unicode ?? label;
  if (shown.startsWith('-') || shown.endsWith('-') || shown.slice(2, 4) === '--') return 'form';
  if (unicode !== undefined && (!idnaLabel.test(unicode) || idnaDisallowed.test(unicode)))
    return 'characters';
  return { ascii: label, unicode };
}
