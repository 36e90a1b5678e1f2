import { SaxesParser } from 'saxes';

/*
 * Subtypes of a geodatabase layer: kinds of features, each with a code in one attribute, a name, and domains for other attributes. GDAL returns the
 * codes; the names are in the layer's definition, which ArcGIS keeps as XML ("XML Schema of the Geodatabase", Esri 2008, DETable).
 */

export interface Subtypes {
  field: string;
  /** By code; `domains` are names of domains by attribute, in lower case. */
  byCode: Map<string, { name: string; domains: Map<string, string> }>;
}

const maxDepth = 100;

/** The subtypes in a layer's definition; undefined if there are none. */
export function parseSubtypes(definition: string): Subtypes | undefined {
  const subtypes: Subtypes = { field: '', byCode: new Map() };
  const path: string[] = [];
  // The texts of elements that ended since the last subtype began, and since the last attribute began.
  let ofSubtype: Record<string, string> = {};
  let ofField: Record<string, string> = {};
  let domains = new Map<string, string>();
  let text = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name: qualified }) => {
    if (path.length >= maxDepth) throw new Error('the definition is nested too deep');
    const name = qualified.slice(qualified.indexOf(':') + 1);
    path.push(name);
    text = '';
    if (name === 'Subtype') {
      ofSubtype = {};
      domains = new Map();
    } else if (name === 'SubtypeFieldInfo') ofField = {};
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('closetag', () => {
    const name = path.pop() ?? '';
    const parent = path.at(-1);
    if (name === 'SubtypeFieldName' && path.length === 1) subtypes.field = text;
    else if (parent === 'Subtype') ofSubtype[name] = text;
    else if (parent === 'SubtypeFieldInfo') ofField[name] = text;
    else if (name === 'Subtype' && ofSubtype.SubtypeCode?.trim())
      subtypes.byCode.set(ofSubtype.SubtypeCode.trim(), { name: ofSubtype.SubtypeName ?? '', domains });
    if (name === 'SubtypeFieldInfo' && ofField.FieldName && ofField.DomainName)
      domains.set(ofField.FieldName.toLowerCase(), ofField.DomainName);
    text = '';
  });
  try {
    parser.write(definition).close();
  } catch {
    // Codes then stay codes, as without a definition.
    return undefined;
  }
  return subtypes.field && subtypes.byCode.size > 0 ? subtypes : undefined;
}
