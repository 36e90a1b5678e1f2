import type { SourceFeature, SourceLayer, Warning } from '@covermap/coverage-files/format.ts';
import type { Availability } from '../../coverage/offer.ts';
import { maxSpeedMbps, type SpeedField, type SpeedUnit, speedFields } from '../../coverage/speeds.ts';
import type { Manifest } from '../../coverage/submissions/manifest.ts';
import type { MappedAttribute } from '../../coverage/submissions/report.ts';
import type { DropReason } from '../drop-reasons.ts';
import { IngestError } from '../errors.ts';
import {
  attributesToWatch,
  codeOf,
  contradictionsIn,
  contradictionText,
  contradicts,
  type Known,
  namesAround,
  type Offer,
  type Subject,
  type Taken,
  type WatchedAttribute,
} from './contradictions.ts';
import { cutOwnNames, recogniseFields, unitInName } from './known-fields.ts';
import { type NumbersBesideTexts, numbersBesideTexts } from './numbers-beside-texts.ts';
import { isNotGiven, parseSpeed, type SpeedText } from './speed-text.ts';
import { unusedAttributes } from './unused-attributes.ts';
import { type KnownTechnology, notServed, parseAvailability, parseDate, parseTechnology } from './words.ts';

export interface TierRules
  extends Pick<
    Manifest,
    'technology' | 'availability' | 'planned_date' | 'speeds' | 'attributes' | 'ignore' | 'tiers' | 'classes'
  > {
  technologies: KnownTechnology[];
  /** As YYYY-MM-DD, in the service's time zone. */
  today: string;
  /** As in answers. */
  provider?: Known['provider'];
}

/** The offer of a feature, or why it is unknown. Equal offers have equal keys. */
export type OfferOfFeature =
  | (Taken & { key: string; speedsAbsent: SpeedField[]; remarks: readonly Remark[] })
  | Unusable;

/** A warning about a usable feature; `value`: the text in question. */
interface Remark {
  about: keyof typeof sentences | { contradicts: WatchedAttribute; offer: Offer };
  value: string;
}

type WordsOfFeature = Pick<Offer, 'technology' | 'availability' | 'planned_date'> & {
  remarks: Remark[];
  /** Fields that no attribute, class or tier has set. */
  byDefault: Set<Subject | SpeedField>;
};

/** `value`: the offending text, if there is one. */
interface Unusable {
  dropped: DropReason;
  /** The technology of which the feature is no coverage, if it names one. */
  technology?: string;
  value?: string | undefined;
}

/** The common parts of the meaning of a pixel class or of a text of the tier field. */
type Meaning = NonNullable<Manifest['classes']>[number] | NonNullable<Manifest['tiers']>['values'][string];

/** Offers are cached by the texts they come from: a layer has millions of features and few combinations. */
const maxCached = 10_000;
/** In characters: longer texts are no words or speeds, and would fill the memory. */
const maxCachedLength = 1000;

export type OfferReader = ReturnType<typeof offerReader>;

/**
 * Reads the offers of a layer's features from their attributes or pixel classes.
 * A speed comes from the first of: the class of the pixels, or the tier of the feature's text; the attribute that the manifest names, or one
 * with a well-known name; a text such as "100/20" in the attribute of the other direction; the manifest's speeds. A missing minimum is the
 * maximum. A missing maximum is reported, and is the minimum or 0.
 * @throws IngestError `attribute_not_found`
 */
export function offerReader(layer: SourceLayer, rules: TierRules) {
  const fields = mapFields(layer, rules);
  const tierValues = new Map(
    Object.entries(rules.tiers?.values ?? {}).map(([text, meaning]) => [folded(text), meaning]),
  );
  // KML placemarks refer to a style as "#strong".
  for (const [text, meaning] of [...tierValues]) {
    const id = /^[^#]*#([^#]+)$/.exec(text)?.[1];
    if (id !== undefined && !tierValues.has(id)) tierValues.set(id, meaning);
  }
  const noSpeedsOfItsOwn = Object.values(rules.speeds).every((speed) => speed === undefined);

  function meaningOf(feature: SourceFeature): Meaning | undefined {
    if (feature.pixelClass !== undefined) return rules.classes?.[feature.pixelClass];
    if (fields.tiers === undefined) return undefined;
    const text = feature.attributes.text(fields.tiers);
    return text === null ? undefined : tierValues.get(folded(text));
  }

  const used = [
    ...new Set([
      ...Object.values(fields.speeds).map(({ field }) => field),
      ...[fields.technology, fields.availability, fields.planned_date, fields.tiers],
      ...fields.watched.map(({ field }) => field),
    ]),
  ].filter((field) => field !== undefined);
  const cache = new Map<string, OfferOfFeature>();
  const remarks = remarksOf(layer, rules);
  const isOpenTo = (subject: Subject, field: number) =>
    isFree(subject, rules) && !isWatched(fields.watched, subject, field);
  const unused = unusedAttributes(layer, {
    ...{ unused: fields.unused, technologies: rules.technologies, isOpen: isOpenTo },
    onText(attribute, value, taken, features) {
      if (contradicts(attribute, value, taken, rules))
        remarks.add({ about: { contradicts: attribute, offer: taken.offer }, value }, features);
    },
  });
  // Tiers give texts a meaning, and take precedence over numbers.
  const speeds = rules.tiers ? [] : Object.values(fields.speeds).map(({ field }) => field);
  const numbers = numbersBesideTexts(layer, fields.unused, speeds);

  function textOf({ attributes, folders = [] }: SourceFeature, field: number): string | null {
    return field === namesAround ? textOfNames([layer.name, ...folders]) : attributes.text(field);
  }

  /** All inputs of {@link workOut} as an unambiguous key. */
  function textsOf(feature: SourceFeature): string {
    let texts = feature.pixelClass === undefined ? '' : String(feature.pixelClass);
    for (const field of used) {
      const text = textOf(feature, field);
      texts += text === null ? '/' : `/${text.length}:${text}`;
    }
    return texts;
  }

  function offerOf(feature: SourceFeature): OfferOfFeature {
    const texts = textsOf(feature);
    let found = cache.get(texts);
    if (!found) {
      found = workOut(feature);
      if (cache.size === maxCached) cache.clear();
      if (texts.length <= maxCachedLength) cache.set(texts, found);
    }
    if (!('dropped' in found)) {
      for (const remark of found.remarks) remarks.add(remark);
      unused.observe(feature.attributes, found);
      numbers.observe(feature.attributes);
    }
    // Nobody would notice missing areas.
    else if (found.dropped === 'speed_not_a_number' || found.dropped === 'speed_out_of_range')
      remarks.add({ about: 'speeds_unclear', value: found.value ?? '' });
    return found;
  }

  function workOut(feature: SourceFeature): OfferOfFeature {
    const meaning = meaningOf(feature);
    if (meaning?.coverage === false) {
      const { technology } = meaning;
      return { dropped: 'no_coverage', ...(technology === undefined ? {} : { technology }) };
    }
    if (fields.tiers !== undefined && !meaning && noSpeedsOfItsOwn) {
      return { dropped: 'value_not_listed', value: feature.attributes.text(fields.tiers) ?? '' };
    }
    const described = wordsOf(feature, meaning);
    if ('dropped' in described) return described;
    const { remarks, byDefault, ...words } = described;
    const given = speedsOf(feature, meaning);
    if ('dropped' in given) return given;
    const { speeds } = given;
    for (const name of given.byDefault) if (rules.attributes[name] === undefined) byDefault.add(name);
    const speedsAbsent = (['bandwidth_max_mbps', 'bandwidth_up_max_mbps'] as const).filter(
      (name) => speeds[name] === undefined,
    );
    const max = speeds.bandwidth_max_mbps ?? speeds.bandwidth_min_mbps ?? 0;
    const upMax = speeds.bandwidth_up_max_mbps ?? speeds.bandwidth_up_min_mbps ?? 0;
    const min = speeds.bandwidth_min_mbps ?? max;
    const upMin = speeds.bandwidth_up_min_mbps ?? upMax;
    if (!(isRange(min, max) && isRange(upMin, upMax)))
      return { dropped: 'speed_out_of_range', value: `${min} to ${max}, ${upMin} to ${upMax}` };
    // Only where the file says so explicitly.
    if (max === 0 && upMax === 0 && Object.keys(speeds).length > 0 && words.availability === 'available')
      return { dropped: 'no_speed', technology: words.technology };
    const offer: Offer = {
      ...words,
      bandwidth_min_mbps: min,
      bandwidth_max_mbps: max,
      bandwidth_up_min_mbps: upMin,
      bandwidth_up_max_mbps: upMax,
    };
    if (Math.max(max, upMax) > plausibleMbps(offer.technology, rules.technologies))
      remarks.push({ about: 'speeds_implausible', value: String(Math.max(max, upMax)) });
    const textIn = (field: number) => textOf(feature, field);
    for (const { attribute, value } of contradictionsIn(fields.watched, textIn, { offer, byDefault }, rules))
      remarks.push({ about: { contradicts: attribute, offer }, value });
    return { offer, byDefault, key: offerKey(offer), speedsAbsent, remarks };
  }

  function wordsOf(feature: SourceFeature, meaning: Meaning | undefined): WordsOfFeature | Unusable {
    const { attributes } = rules;
    const byDefault: WordsOfFeature['byDefault'] = new Set();
    const text = (field: number | undefined) => (field === undefined ? null : feature.attributes.text(field));
    const remarks: Remark[] = [];
    let technology = meaning?.technology;
    if (technology === undefined) {
      const word = text(fields.technology);
      if (word === null) byDefault.add('technology');
      const given = word === null ? undefined : listed(attributes.technology, word);
      if (given === null) return { dropped: 'no_coverage' };
      technology =
        word === null
          ? rules.technology
          : parseTechnology(given ?? word, rules.technologies, { codes: true });
    }
    if (technology === undefined)
      return { dropped: 'technology_unknown', value: text(fields.technology) ?? '' };
    let availability: Availability | typeof notServed | undefined = meaning?.availability;
    if (availability === undefined) {
      const word = text(fields.availability);
      if (word === null) byDefault.add('availability');
      const given = word === null ? undefined : listed(attributes.availability, word);
      if (given === null) return { dropped: 'no_coverage', technology };
      availability = word === null ? rules.availability : parseAvailability(given ?? word);
    }
    if (availability === undefined)
      return { dropped: 'availability_unknown', value: text(fields.availability) ?? '' };
    if (availability === notServed) return { dropped: 'no_coverage', technology };
    const date = text(fields.planned_date);
    if (meaning?.planned_date === undefined && date === null) byDefault.add('planned_date');
    if (availability === 'available')
      return { technology, availability, planned_date: null, remarks, byDefault };
    const read = meaning?.planned_date ?? (date === null ? undefined : parseDate(date));
    if (date !== null && read === undefined) remarks.push({ about: 'planned_date_not_read', value: date });
    const planned = read ?? (date === null ? rules.planned_date : undefined);
    if (planned !== undefined && planned < rules.today)
      remarks.push({ about: 'planned_date_past', value: planned });
    return { technology, availability, planned_date: planned ?? null, remarks, byDefault };
  }

  function speedsOf(
    feature: SourceFeature,
    meaning: Meaning | undefined,
  ): { speeds: Partial<Record<SpeedField, number>>; byDefault: SpeedField[] } | Unusable {
    const read: Partial<Record<SpeedField, SpeedText>> = {};
    for (const name of speedFields) {
      const source = fields.speeds[name];
      const text = source ? feature.attributes.text(source.field) : null;
      const kind = source && layer.kinds?.[source.field];
      if (!source || text === null || isNotGiven(text, kind)) continue;
      const parsed = parseSpeed(text, source.unit, kind);
      // A range or a pair may stand only in the attribute of a maximum.
      const single = parsed?.min === undefined && parsed?.other === undefined;
      const mayBeMore = name === 'bandwidth_max_mbps' || (name === 'bandwidth_up_max_mbps' && !parsed?.other);
      if (!parsed || Number.isNaN(parsed.max) || !(single || mayBeMore)) {
        return { dropped: 'speed_not_a_number', value: text };
      }
      read[name] = parsed;
    }
    const implied: Partial<Record<SpeedField, number | undefined>> = {
      bandwidth_min_mbps: read.bandwidth_max_mbps?.min,
      bandwidth_up_max_mbps: read.bandwidth_max_mbps?.other,
      bandwidth_up_min_mbps: read.bandwidth_up_max_mbps?.min,
    };
    const speeds: Partial<Record<SpeedField, number>> = {};
    const givenSpeed = (name: SpeedField) => meaning?.speeds[name] ?? read[name]?.max ?? implied[name];
    for (const name of speedFields) {
      const value = givenSpeed(name) ?? rules.speeds[name];
      if (value !== undefined) speeds[name] = round(value);
    }
    // A missing minimum is a given maximum.
    const byDefault = speedFields.filter(
      (name) =>
        givenSpeed(name) === undefined &&
        (rules.speeds[name] !== undefined ||
          givenSpeed(name.replace('_min_', '_max_') as SpeedField) === undefined),
    );
    return { speeds, byDefault };
  }

  /** To be called after the last feature. */
  function warnings(): Warning[] {
    unused.end();
    const codes = numbers.found().map((found) => mayBeCodes(layer.name, found));
    return [...fields.warnings, ...remarks.warnings(), ...codes];
  }
  const { mapping, watched } = fields;
  return { offerOf, mapping, watched, unused: fields.unused, isOpenTo, warnings };
}

/** The names of a layer and of folders as one text, with its words apart. */
export const textOfNames = (names: readonly string[]) =>
  [...new Set(names)].join(' / ').replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** Higher speeds are probably in another unit. For an unknown technology, the limit is that of the fastest. */
const plausibleMbps = (technology: string, known: readonly KnownTechnology[]): number =>
  known.find(({ name }) => name === technology)?.plausibleMbps ??
  Math.max(...known.map((one) => one.plausibleMbps));

const maxValues = 5;
const maxValueLength = 60;

/** Warnings by subject. @param examples the texts or speeds in question */
const sentences = {
  planned_date_past: (features: string, examples: string) =>
    `The planned date of ${features} has passed: ${examples}. Coverage that is there by now is available; else give the date that is expected now.`,
  planned_date_not_read: (features: string, examples: string) =>
    `The planned date of ${features} cannot be read: ${examples}. They are loaded without one; write it as 2027-03-31.`,
  speeds_implausible: (features: string, examples: string) =>
    `The speeds of ${features} are higher than is plausible, in Mbps: ${examples}. If they are in another unit, name it in the manifest, as in "attributes": {"bandwidth_max_mbps": {"field": "DOWN", "unit": "kbps"}}.`,
  speeds_unclear: (features: string, examples: string) =>
    `The speeds of ${features} are not speeds, or could mean two numbers: ${examples}. These are dropped. Write plain numbers of Mbps, or say in the manifest what each text means ("tiers").`,
};

function mayBeCodes(layer: string, { numbersOf, textsOf, numbers, texts }: NumbersBesideTexts): Warning {
  const examples = numbers
    .slice(0, maxValues)
    .map((number, i) => `${number} "${texts[i]?.slice(0, maxValueLength)}"`);
  const message = `The attribute ${numbersOf} of ${layer} holds speeds that may be codes: each stands beside one text of ${textsOf}, ${examples.join(', ')}. If the texts say the speeds, say in the manifest what each means: "tiers": {"field": ${JSON.stringify(textsOf)}, ...}. If the numbers are Mbps: "ignore": [${JSON.stringify(textsOf)}].`;
  return { code: 'speeds_may_be_codes', message };
}

/** Counts the remarks on a layer's features. */
function remarksOf({ name }: SourceLayer, rules: TierRules) {
  const remarked = new Map<string, { about: Remark['about']; count: number; values: Set<string> }>();
  return {
    add({ about, value }: Remark, features = 1): void {
      const key =
        typeof about === 'string' ? about : `${about.contradicts.subject} ${about.contradicts.field}`;
      const remark = remarked.get(key) ?? { about, count: 0, values: new Set() };
      remarked.set(key, remark);
      remark.count += features;
      if (remark.values.size < maxValues) remark.values.add(value.slice(0, maxValueLength));
    },
    warnings: (): Warning[] =>
      [...remarked.values()].map(({ about, count, values }) => {
        const features = count === 1 ? '1 feature' : `${count} features`;
        const examples = [...values].map((value) => `"${value}"`).join(', ');
        if (typeof about === 'string')
          return { code: about, message: sentences[about](`${features} of ${name}`, examples) };
        const { contradicts, offer } = about;
        const message = contradictionText(contradicts, name, examples, features, offer, rules);
        return { code: codeOf(contradicts.subject), message };
      }),
  };
}

export function offerKey(offer: Offer): string {
  const { technology, availability, planned_date } = offer;
  return [technology, availability, planned_date, ...speedFields.map((field) => offer[field])].join();
}

interface Fields {
  speeds: Partial<Record<SpeedField, { field: number; unit: SpeedUnit }>>;
  technology?: number;
  availability?: number;
  planned_date?: number;
  tiers?: number;
  /** Unused attributes, compared with defaults. */
  watched: WatchedAttribute[];
  /** The indexes of all unused attributes that the manifest does not say to ignore. */
  unused: number[];
  mapping: MappedAttribute[];
  warnings: Warning[];
}

function mapFields(layer: SourceLayer, rules: TierRules): Fields {
  const result: Fields = { speeds: {}, watched: [], unused: [], mapping: [], warnings: [] };
  // Pixels have no attributes; those of the manifest are of other layers.
  if (layer.raster) return result;
  type From = MappedAttribute['from'];
  const map = (to: MappedAttribute['to'], field: number, from: From, unit?: SpeedUnit) => {
    result.mapping.push({ to, attribute: layer.fields[field] as string, ...(unit ? { unit } : {}), from });
    return field;
  };
  const mapSpeed = (name: SpeedField, field: number, from: From, unit: SpeedUnit) => {
    result.speeds[name] = { field: map(name, field, from, unit), unit };
  };
  const { attributes } = rules;
  const ignored = new Set(rules.ignore?.map((name) => name.toLowerCase()));
  const isIgnored = (name: string) => ignored.has(name.toLowerCase());
  const known = layer.fields.map((name) => (isIgnored(name) ? '' : name));
  for (const name of speedFields) {
    const wanted = attributes[name];
    if (!wanted) continue;
    const unit = ('unit' in wanted ? wanted.unit : undefined) ?? unitInName(wanted.field);
    mapSpeed(name, findField(layer, wanted.field), 'manifest', unit);
  }
  for (const name of ['technology', 'availability', 'planned_date'] as const) {
    const wanted = attributes[name];
    if (wanted) result[name] = map(name, findField(layer, wanted.field), 'manifest');
  }
  if (rules.tiers) result.tiers = map('tiers', findField(layer, rules.tiers.field), 'manifest');
  const free = (name: SpeedField) => attributes[name] === undefined;
  const named = new Set(Object.values(result.speeds).map(({ field }) => field));
  for (const { speed, field, unit } of recogniseFields(known)) {
    if (free(speed) && !named.has(field)) mapSpeed(speed, field, 'recognised', unit);
  }
  const cut = cutOwnNames(known).filter((field) => !named.has(field));
  const cutNames = `The attributes ${cut.map((i) => layer.fields[i]).join(', ')} of ${layer.name} are cut off`;
  if (cut.length === speedFields.length && speedFields.every((name) => !result.speeds[name] && free(name))) {
    for (const [i, name] of speedFields.entries()) mapSpeed(name, cut[i] as number, 'assumed', 'mbps');
    result.warnings.push({
      code: 'cut_names_assumed',
      message: `${cutNames}; they are assumed to be ${speedFields.join(', ')}, in this order. Name them in the manifest to be sure.`,
    });
  } else if (cut.length > 0 && cut.length !== speedFields.length) {
    result.warnings.push({
      code: 'cut_names_unclear',
      message: `${cutNames}, so which speeds they hold is unknown. Name them in the manifest.`,
    });
  }
  const { technology, availability, planned_date, tiers } = result;
  const used = new Set([
    ...[technology, availability, planned_date, tiers],
    ...Object.values(result.speeds).map(({ field }) => field),
  ]);
  result.unused = known.flatMap((name, field) => (name === '' || used.has(field) ? [] : [field]));
  result.watched = attributesToWatch(layer, result.unused, (subject) => isFree(subject, rules));
  // Coverage that is available by default has no date. A mapped attribute of dates may contradict that.
  if (planned_date !== undefined)
    result.watched.push({
      ...{ subject: 'planned_date', field: planned_date, about: 'certain', isMapped: true },
      name: layer.fields[planned_date] as string,
    });
  return result;
}

const isWatched = (watched: readonly WatchedAttribute[], subject: Subject, field: number) =>
  watched.some((one) => one.subject === subject && one.field === field);

/** Tells if the manifest leaves a subject open: it neither names an attribute nor rules one out. */
function isFree(subject: Subject, { attributes, technology }: TierRules): boolean {
  if (subject === 'provider' || subject === 'wholesale_network') return true;
  if (subject === 'speeds') return speedFields.some((name) => attributes[name] === undefined);
  return attributes[subject] === undefined && (subject !== 'technology' || technology !== undefined);
}

function findField(layer: SourceLayer, wanted: string): number {
  const exact = layer.fields.indexOf(wanted);
  if (exact >= 0) return exact;
  const field = layer.fields.findIndex((candidate) => candidate.toLowerCase() === wanted.toLowerCase());
  if (field >= 0) return field;
  throw new IngestError(
    'attribute_not_found',
    `The layer ${layer.name} has no attribute "${wanted}".`,
    layer.fields.length > 0 ? `It has ${layer.fields.join(', ')}.` : 'It has no attributes at all.',
  );
}

/** The meaning that the manifest gives a text; null: it is no coverage. */
function listed(
  attribute: { field: string; values?: Record<string, string | null> | undefined } | null | undefined,
  text: string,
): string | null | undefined {
  const wanted = folded(text);
  return Object.entries(attribute?.values ?? {}).find(([key]) => folded(key) === wanted)?.[1];
}

const folded = (text: string) => text.trim().toLowerCase();

const isRange = (min: number, max: number) => min >= 0 && min <= max && max <= maxSpeedMbps;

/** To three decimals, as stored. */
const round = (mbps: number) => Math.round(mbps * 1000) / 1000;
