import { maxTiers } from '../../coverage/offer.ts';
import { speedFields } from '../../coverage/speeds.ts';
import type { MappedAttribute } from '../../coverage/submissions/report.ts';
import { IngestError } from '../errors.ts';
import type { Offer } from './contradictions.ts';

const fields = [...speedFields, 'availability', 'planned_date'] as const;
type Field = (typeof fields)[number];

/** Limits tiers, which every answering process holds in memory: refuses an attribute that differs in each feature. */
export function tierCounter(): (offer: Offer, mapping: readonly MappedAttribute[]) => void {
  const offers = new Map<string, Offer[]>();
  /** @param offer a new one @param mapping of its layer's attributes @throws IngestError `tiers_too_many` */
  return (offer, mapping) => {
    const offersOfTechnology = offers.get(offer.technology) ?? [];
    offers.set(offer.technology, offersOfTechnology);
    if (offersOfTechnology.push(offer) > maxTiers) throw tooMany(offersOfTechnology, mapping);
  };
}

function tooMany(offers: readonly Offer[], mapping: readonly MappedAttribute[]): IngestError {
  // The attribute with the most different values is the likely cause.
  const counts = fields.map((field): [Field, number] => [
    field,
    new Set(offers.map((offer) => offer[field])).size,
  ]);
  const [[field = 'bandwidth_max_mbps', values = 0] = []] = counts.sort(([, a], [, b]) => b - a);
  // A missing minimum is the maximum, and a text such as "100/20" has two speeds.
  const sources = mapping.filter(({ to }) => to === field);
  const likely = sources.length > 0 ? sources : mapping.filter(({ to }) => isSpeed(to) === isSpeed(field));
  const names = [...new Set(likely.map(({ attribute }) => attribute))].join(', ');
  const kind = isSpeed(field) ? 'speeds' : field === 'planned_date' ? 'dates' : 'values';
  return new IngestError(
    'tiers_too_many',
    `The file offers more than ${maxTiers} combinations of speeds, availability and date${names ? `: the attribute ${names} alone has ${values} different ${kind} so far` : ''}.`,
    kind === 'speeds'
      ? 'Round the speeds to the classes that are sold, such as 50, 100 and 300 Mbps; or give an attribute that names the class, and the speeds of each of its values in "tiers" of the manifest.'
      : 'Round the dates to months or quarters, or give one in the manifest.',
  );
}

const isSpeed = (name: string) => name.startsWith('bandwidth_');
