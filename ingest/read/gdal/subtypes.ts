import { SaxesParser } from 'saxes';

/*
 * Subtypes of a geodatabase's layer: kinds of features, each with a code in one attribute, a name, and for other
 * attributes domains of its own. GDAL gives the codes; the names are in the definition of the layer, which ArcGIS keeps
 * as XML ("XML Schema of the Geodatabase", Esri 2008, DETable).
 */

export interface Subtypes {
  /** The attribute that holds the code. */
  field: string;
  /** By code. */
  byCode: Map<string, Subtype>;
}

export interface Subtype {
  name: string;
  /** Names of domains by attribute, in lower case. */
  domains: Map<string, string>;
}

/** What definitions are made of is a few deep. */
const maxDepth = 100;

/** The subtypes in the definition of a layer; undefined where it has none, or is no such definition. */
export function parseSubtypes(definition: string): Subtypes | undefined {
  let field = '';
  const byCode = new Map<string, Subtype>();
  const path: string[] = [];
  let text = '';
  let code = '';
  let subtype: Subtype = { name: '', domains: new Map() };
  let domainOf = '';
  let domain = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    if (path.length >= maxDepth) throw new Error('the definition is nested too deep');
    path.push(withoutPrefix(name));
    text = '';
    if (path.at(-1) === 'Subtype') {
      code = '';
      subtype = { name: '', domains: new Map() };
    }
    if (path.at(-1) === 'SubtypeFieldInfo') domainOf = domain = '';
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('closetag', () => {
    const name = path.pop();
    const parent = path.at(-1);
    if (name === 'SubtypeFieldName' && path.length === 1) field = text;
    else if (parent === 'Subtype' && name === 'SubtypeName') subtype.name = text;
    else if (parent === 'Subtype' && name === 'SubtypeCode') code = text.trim();
    else if (parent === 'SubtypeFieldInfo' && name === 'FieldName') domainOf = text;
    else if (parent === 'SubtypeFieldInfo' && name === 'DomainName') domain = text;
    else if (name === 'SubtypeFieldInfo' && domainOf && domain) {
      subtype.domains.set(domainOf.toLowerCase(), domain);
    } else if (name === 'Subtype' && code) byCode.set(code, subtype);
    text = '';
  });
  try {
    parser.write(definition).close();
  } catch {
    // Codes then stay codes, as in a file that has no definition.
    return undefined;
  }
  return field && byCode.size > 0 ? { field, byCode } : undefined;
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
