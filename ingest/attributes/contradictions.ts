import type { SourceLayer, ValueKind } from '@covermap/coverage-files/format.ts';
import type { TierDefinition } from '../../coverage/datasets/load.ts';
import { attributeSubjects } from '../../coverage/offer.ts';
import { type SpeedField, speedFields } from '../../coverage/speeds.ts';
import type { AttributeQuestion } from '../../coverage/submissions/inspection.ts';
import { isAbout, unitInName } from './known-fields.ts';
import { isNotGiven, parseSpeed } from './speed-text.ts';
import {
  availabilitiesNamed,
  isBareAnswer,
  type KnownTechnology,
  notServed,
  parseAvailability,
  parseDate,
  saysYes,
  technologiesNamed,
} from './words.ts';

/* Compares unmapped attributes with values of the manifest and defaults. If they differ, the operator is asked (coverage/datasets/blocking.ts). */

export type Subject =
  | 'technology'
  | 'availability'
  | 'planned_date'
  | 'speeds'
  | 'provider'
  | 'wholesale_network';

export interface Offer extends TierDefinition {
  technology: string;
}

export interface Taken {
  offer: Offer;
  /** Fields that no attribute, class or tier has set. */
  byDefault: ReadonlySet<Subject | SpeedField>;
}

export interface Known {
  technologies: readonly KnownTechnology[];
  today: string;
  provider?: { name: string; wholesale_network?: string | undefined } | undefined;
}

/** The certainty with which an attribute's name tells its subject. */
type Likelihood = 'certain' | 'likely';

interface Attribute {
  name: string;
  about: Likelihood;
  kind?: ValueKind;
}

interface Watched {
  about(name: string): Likelihood | undefined;
  /** Tells if a text differs from the taken value; undefined where it says nothing about it. */
  contradicts(text: string, attribute: Attribute, taken: Taken, known: Known): boolean | undefined;
  taken(taken: Offer, known: Known): string;
  /** Says how the manifest maps the attribute. */
  mapped?: (attribute: string) => string;
}

const line = (key: 'technology' | 'availability') => (attribute: string) =>
  `If it says the ${key}, name it in the manifest: "attributes": {"${key}": ${JSON.stringify(attribute)}}`;

/** By subject. Each has a warning `<subject>_contradicts`. */
export const watched: Record<Subject, Watched> = {
  technology: {
    about: (name) => isAbout('technology', name),
    contradicts(text, { about }, { offer, byDefault }, { technologies }) {
      if (!byDefault.has('technology')) return undefined;
      const named = technologiesNamed(text, technologies, { codes: about === 'certain' });
      return named.length === 0 ? undefined : !named.includes(offer.technology);
    },
    taken: ({ technology }) => technology,
    mapped: line('technology'),
  },
  availability: {
    about: (name) => isAbout('availability', name) ?? (meaningOfName(name) ? 'certain' : undefined),
    contradicts(text, attribute, { offer, byDefault }, { today }) {
      if (!byDefault.has('availability')) return undefined;
      const stated = availabilityIn(text, attribute, today);
      const named = stated === undefined ? availabilitiesNamed(text) : [stated];
      return named.length === 0 ? undefined : !named.some((one) => one === offer.availability);
    },
    taken: ({ availability }) => availability,
    mapped: line('availability'),
  },
  planned_date: {
    about: (name) => isAbout('planned_date', name),
    contradicts(text, { about }, { offer, byDefault }, { today }) {
      const date = parseDate(text) ?? (about === 'certain' ? endOfYear(text) : undefined);
      if (date === undefined) return undefined;
      const isToCome = date > today;
      // Available coverage has no planned date, whichever attribute is mapped for it.
      if (offer.availability === 'available')
        return byDefault.has('availability') && isToCome ? true : undefined;
      if (!byDefault.has('planned_date') || (!isToCome && about === 'likely')) return undefined;
      return parseDate(text) === undefined
        ? !offer.planned_date?.startsWith(date.slice(0, 4))
        : date !== offer.planned_date;
    },
    taken: ({ availability, planned_date }) =>
      availability === 'available'
        ? availability
        : `${availability}${planned_date ? ` for ${planned_date}` : ' without a date'}`,
    mapped: (attribute) =>
      `If it is when they are ready, name it in the manifest: "availability": "planned", "attributes": {"planned_date": ${JSON.stringify(attribute)}}`,
  },
  speeds: {
    about: (name) => (isAbout('speeds', name) ? 'certain' : undefined),
    contradicts(text, { name, kind }, { offer, byDefault }) {
      const direction = directionOf(name);
      const asked = speedFields.filter(
        (field) => byDefault.has(field) && direction !== (field.includes('_up_') ? 'down' : 'up'),
      );
      if (asked.length === 0 || isNotGiven(text, kind)) return undefined;
      const stated = parseSpeed(text, unitInName(name), kind);
      if (!stated || Number.isNaN(stated.max)) return undefined;
      const taken = speedFields.map((field) => offer[field]);
      const differs = [stated.max, stated.min, stated.other].some(
        (value) => value !== undefined && !taken.includes(value),
      );
      // An attribute that agrees does not decide; others may differ.
      return differs || undefined;
    },
    taken: (offer) =>
      `${offer.bandwidth_min_mbps} to ${offer.bandwidth_max_mbps} Mbps down, ${offer.bandwidth_up_min_mbps} to ${offer.bandwidth_up_max_mbps} Mbps up`,
    mapped: (attribute) =>
      `If these are the speeds, say which in the manifest, as in "attributes": {"${directionOf(attribute) === 'up' ? 'bandwidth_up_max_mbps' : 'bandwidth_max_mbps'}": ${JSON.stringify(attribute)}}`,
  },
  provider: {
    about: (name) => (isAbout('provider', name) ? 'certain' : undefined),
    contradicts(text, _attribute, _taken, { provider }) {
      const [stated, fromProfile] = [letters(text), letters(provider?.name ?? '')];
      if (stated.length < 2 || fromProfile === '') return undefined;
      return !(stated.includes(fromProfile) || fromProfile.includes(stated));
    },
    taken: (_, { provider }) => `coverage of ${provider?.name}`,
  },
  wholesale_network: {
    about: (name) => (isAbout('wholesale_network', name) ? 'certain' : undefined),
    contradicts(text, _attribute, _taken, { provider }) {
      const yes = saysYes(text);
      const stated =
        yes === undefined ? (/^both$/i.test(text.trim()) ? 'Both' : undefined) : yes ? 'Yes' : 'No';
      const fromProfile = provider?.wholesale_network;
      return stated === undefined || fromProfile === undefined
        ? undefined
        : stated !== fromProfile && fromProfile !== 'Both';
    },
    taken: (_, { provider }) =>
      `of a wholesale network: ${provider?.wholesale_network}, by the provider's profile`,
  },
};

export const subjects = Object.keys(watched) as Subject[];

/** The max attributes of a layer that are asked about for a subject. */
export const maxOfSubject = 8;

/** In place of an attribute: the names of a layer and of the folders around a feature, which often describe their contents. */
export const namesAround = -1;

/** A layer's attributes that are about a subject by their names, the surest first. */
export interface WatchedAttribute extends Attribute {
  subject: Subject;
  field: number;
  /** True for one that is used; others can be ignored. */
  isMapped?: boolean;
}

/** Attributes that may contradict taken values. @param unused their indexes @param isFree true for a subject without a mapped attribute */
export function attributesToWatch(
  { fields, kinds }: Pick<SourceLayer, 'fields' | 'kinds'>,
  unused: readonly number[],
  isFree: (subject: Subject) => boolean,
): WatchedAttribute[] {
  return subjects.filter(isFree).flatMap((subject) => {
    const found = unused.flatMap((field): WatchedAttribute[] => {
      const name = fields[field] as string;
      const about = watched[subject].about(name);
      return about ? [{ subject, field, name, about, kind: kinds?.[field] }] : [];
    });
    const byLikelihood = (about: Likelihood) => found.filter((one) => one.about === about);
    const attributes = [...byLikelihood('certain'), ...byLikelihood('likely')].slice(0, maxOfSubject);
    if (subject === 'technology' || subject === 'availability')
      attributes.push({ subject, field: namesAround, name: '', about: 'likely' });
    return attributes;
  });
}

/**
 * The contradictions of a feature's attributes. For each subject, attributes count in order until one agrees; after a contradiction, only those whose
 * names are as certain.
 */
export function contradictionsIn(
  attributes: readonly WatchedAttribute[],
  textOf: (field: number) => string | null,
  taken: Taken,
  known: Known,
): { attribute: WatchedAttribute; value: string }[] {
  /** By subject: the likelihood of the contradicting attribute; null once one agrees. */
  const decided = new Map<Subject, Likelihood | null>();
  return attributes.flatMap((attribute) => {
    const { subject, about } = attribute;
    const isOpen = !decided.has(subject) || decided.get(subject) === about;
    const value = isOpen ? textOf(attribute.field) : null;
    if (value === null || value.trim() === '') return [];
    const verdict = watched[subject].contradicts(value, attribute, taken, known);
    if (verdict !== undefined) decided.set(subject, verdict ? about : null);
    return verdict ? [{ attribute, value }] : [];
  });
}

/** Tells if a text contradicts the taken offer. */
export const contradicts = (attribute: WatchedAttribute, text: string, taken: Taken, known: Known) =>
  watched[attribute.subject].contradicts(text, attribute, taken, known) === true;

/** The sentence about features whose attribute contradicts their offer. */
export function contradictionText(
  { subject, field, name, isMapped }: WatchedAttribute,
  layer: string,
  values: string,
  features: string,
  offer: Offer,
  known: Known,
): string {
  const { taken, mapped } = watched[subject];
  const meant = mapped?.(name) ?? 'If it means that, submit what is meant by itself, or change the profile';
  const none = `"attributes": {"${subject}": null}`;
  if (field === namesAround)
    return `The names of layers and folders say ${values} for ${features} of ${layer}, which are submitted as ${taken(offer, known)}. If that is what is in them, submit each by itself, with "layers" in the manifest; if not: ${none}.`;
  return `The attribute ${name} of ${layer} says ${values} for ${features}, which are submitted as ${taken(offer, known)}. ${meant}; if not: ${isMapped ? none : `"ignore": [${JSON.stringify(name)}]`}.`;
}

/** Coverage before anything is described. */
const undescribed: Offer = {
  ...{ technology: '', availability: 'available', planned_date: null },
  ...{ bandwidth_min_mbps: 0, bandwidth_max_mbps: 0, bandwidth_up_min_mbps: 0, bandwidth_up_max_mbps: 0 },
};
const maxQuestionValues = 5;
const maxQuestionValueLength = 60;

/**
 * The questions that attributes raise before anything is described. The operator's profile answers other subjects.
 * @param mapped the subjects and speeds that attributes of the file have @param textsOf an attribute's distinct texts
 */
export function questionsIn(
  attributes: readonly WatchedAttribute[],
  mapped: ReadonlySet<string>,
  textsOf: (field: number) => readonly string[],
  known: Known,
): AttributeQuestion[] {
  const byDefault = new Set([...subjects, ...speedFields].filter((one) => !mapped.has(one)));
  const taken = { offer: undescribed, byDefault };
  return attributes.flatMap((attribute) => {
    const about = attributeSubjects.find((one) => one === attribute.subject);
    const { contradicts } = watched[attribute.subject];
    const stated = textsOf(attribute.field).filter((text) => contradicts(text, attribute, taken, known));
    if (!about || stated.length === 0) return [];
    const values = stated.slice(0, maxQuestionValues).map((text) => text.slice(0, maxQuestionValueLength));
    return [{ about, attribute: attribute.field === namesAround ? null : attribute.name, values }];
  });
}

export const codeOf = (subject: Subject) => `${subject}_contradicts` as const;

/** The meaning of an attribute's name such as PLANNED, LIVE or "Under construction" if its text is "yes". */
function meaningOfName(name: string) {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/^is[_ ]/i, '');
  return isBareAnswer(words) ? undefined : parseAvailability(words);
}

function availabilityIn(text: string, { name, about }: Attribute, today: string) {
  const meaning = meaningOfName(name);
  const yes = saysYes(text);
  if (meaning !== undefined && yes !== undefined)
    return yes ? meaning : meaning === 'available' ? notServed : undefined;
  // A status of 1 may be anything.
  if (about === 'likely' && isBareAnswer(text) && !/^(?:yes|no)$/i.test(text.trim())) return undefined;
  const stated = parseAvailability(text);
  if (stated !== undefined || !/^avail(?!.*date)/i.test(name)) return stated;
  const date = parseDate(text) ?? endOfYear(text);
  if (date !== undefined) return date > today ? 'planned' : 'available';
  // An unknown word need not mean "available".
  return Number.isNaN(Number(text)) ? 'not understood' : undefined;
}

/** The last day of the year in a text such as "2027" or "Q3 2027". */
function endOfYear(text: string): string | undefined {
  const year = text.length <= 30 ? /(?<!\d)(20\d\d)(?!\d)/.exec(text)?.[1] : undefined;
  return year === undefined ? undefined : `${year}-12-31`;
}

function directionOf(name: string): 'up' | 'down' | undefined {
  if (/(?:^|[^a-z])u(?:p|l)(?![a-z])|up(?:load|link|stream|speed|max|min)|speedup/i.test(name)) return 'up';
  return /(?:^|[^a-z])d(?:own|l)(?![a-z])|down(?:load|link|stream|speed|max|min)|speeddown/i.test(name)
    ? 'down'
    : undefined;
}

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');
