import { withoutEntities } from '../entities.ts';
import { childOf, childrenOf, cleanText, textOf, type XmlElement } from './element.ts';

/* The attributes of a Placemark: ExtendedData (KML 2.3, 9.3), and the tables that ArcGIS, QGIS and others write into descriptions. */

/** The part of a description that is searched for a table, in characters. */
const maxTableLength = 64 * 1024;
const maxNameLength = 100;
const row = /<tr\b[^<>]*>\s*<t[dh]\b[^<>]*>([^<]*)<\/t[dh]>\s*<t[dh]\b[^<>]*>([^<]*)<\/t[dh]>\s*<\/tr>/gi;
const inlineTags = /<\/?(?:b|i|u|em|strong|font|span|small|center|p|br|a)\b[^<>]*>/gi;

/** A placemark's own elements without children. */
const ownElements = new Set(
  'name description Snippet snippet styleUrl visibility open address phoneNumber'.split(' '),
);

const keyOf = (name: string | undefined) => cleanText(name ?? '').slice(0, maxNameLength);

/** The types of numbers in a SimpleField. */
const numberTypes = /^(?:u?int|u?short|float|double)$/;

/** The names that a Schema declares, and if they are of numbers. */
export const declaredFields = (schema: XmlElement) =>
  childrenOf(schema, 'SimpleField').map(({ attributes: { name, type = '' } }) => ({
    name: keyOf(name),
    isNumber: numberTypes.test(type.trim()),
  }));

/**
 * Values by name, in the order of the file. The first value of a name counts.
 * @param undeclared gets the names of values whose type no Schema can declare
 */
export function attributesOf(placemark: XmlElement, undeclared?: Set<string>): Map<string, string> {
  const values = new Map<string, string>();
  const add = (name: string | undefined, value: string, isDeclared = false) => {
    const key = keyOf(name);
    if (key === '' || values.has(key)) return;
    values.set(key, value);
    if (!isDeclared) undeclared?.add(key);
  };
  for (const extended of childrenOf(placemark, 'ExtendedData')) {
    for (const child of extended.children) {
      if (child.name === 'Data') {
        add(child.attributes.name, textOf(child, 'value'));
      } else if (child.name === 'SchemaData') {
        for (const simple of childrenOf(child, 'SimpleData'))
          add(simple.attributes.name, cleanText(simple.text), true);
      } else if (child.name === 'SimpleData') {
        add(child.attributes.name, cleanText(child.text));
      } else if (child.children.length === 0) {
        // Elements of another namespace (9.3, "untyped" data).
        add(child.name, cleanText(child.text));
      }
    }
  }
  for (const child of placemark.bySchema ? placemark.children : []) {
    if (child.children.length === 0 && !child.coordinates && !ownElements.has(child.name))
      add(child.name, cleanText(child.text), true);
  }
  const description = childOf(placemark, 'description')?.text;
  if (description && description.length <= maxTableLength && /<tr\b/i.test(description)) {
    for (const [, name, value] of description.replace(inlineTags, '').matchAll(row)) {
      add(withoutEntities(name as string), cleanText(withoutEntities(value as string)));
    }
  }
  return values;
}

/** The id of a placemark's style in its normal state (KML 2.3, 12.3); else its fill colour (aabbggrr). */
export function styleOf(placemark: XmlElement, styleMaps: ReadonlyMap<string, string>): string {
  const url = textOf(placemark, 'styleUrl');
  if (url === '') return textOf(placemark, 'Style', 'PolyStyle', 'color');
  let id = url.replace(/^#/, '');
  // A map may refer to another map; circles end here.
  for (let i = 0; i < 5; i++) {
    const next = styleMaps.get(id);
    if (next === undefined) break;
    id = next;
  }
  return id;
}

export function normalStyle(styleMap: XmlElement): string | undefined {
  const pair = childrenOf(styleMap, 'Pair').find((candidate) => textOf(candidate, 'key') === 'normal');
  const url = textOf(pair, 'styleUrl');
  return url === '' ? undefined : url.replace(/^#/, '');
}
