import { h } from '../shared/dom.ts';
import {
  checkbox,
  errorSummary,
  field,
  numberInput,
  radioGroup,
  select,
  textInput,
} from '../shared/fields.ts';
import type { Availability, Inspection, PixelClass, SpeedField, SpeedUnit } from '../shared/types.ts';
import { number } from '../shared/words.ts';
import {
  type ClassMeaning,
  type Description,
  describe,
  type FormProblems,
  problemsOf,
  questionsOf,
  textMeanings,
  toManifest,
} from './description.ts';
import type { Context } from './main.ts';

const speedQuestions: Record<SpeedField, string> = {
  bandwidth_max_mbps: 'Download, fastest',
  bandwidth_up_max_mbps: 'Upload, fastest',
  bandwidth_min_mbps: 'Download, slowest',
  bandwidth_up_min_mbps: 'Upload, slowest',
};

const units: readonly (readonly [SpeedUnit | '', string])[] = [
  ['', 'unit as the file says'],
  ['mbps', 'Mbps'],
  ['kbps', 'kbps'],
  ['gbps', 'Gbps'],
];

const referenceSystems: readonly (readonly [string, string])[] = [
  ['', 'Find it out'],
  ['EPSG:4326', 'Longitude and latitude (WGS 84)'],
  ['EPSG:2193', 'New Zealand Transverse Mercator 2000 (NZTM)'],
  ['EPSG:27200', 'New Zealand Map Grid, of before 2000 (NZMG)'],
];

export interface DescribeForm {
  element: HTMLElement;
  /** Takes over what was found in the file, but for what somebody has said already. */
  inspected(inspection: Inspection | null): void;
  /** The manifest, or undefined where something is missing; then the form says what. */
  manifest(): ReturnType<typeof toManifest> | undefined;
}

/** The questions about a file. Those that only the file can raise come once it has been looked into. */
export function describeForm({ catalog, session }: Context): DescribeForm {
  const technologies = catalog.technologies.map(({ name }) => name);
  let inspection: Inspection | null = null;
  let isInspected = false;
  let description: Description = describe(null, technologies);
  let problems: FormProblems = {};
  const said = new Set<keyof Description>();
  /** Parts that somebody has opened stay open when the form is drawn again. */
  const opened = new Set<string>();
  const element = h('div', { class: 'stack large' });

  /** Notes what somebody said. @param reshapes whether other questions depend on it */
  function say<K extends keyof Description>(name: K, value: Description[K], reshapes = false): void {
    description = { ...description, [name]: value };
    said.add(name);
    if (reshapes) draw();
  }

  function draw(): void {
    const focused = document.activeElement;
    const name = focused instanceof HTMLElement && element.contains(focused) ? focused.id : '';
    const questions = questionsOf(inspection);
    element.replaceChildren(
      ...[
        session.role === 'staff' && providerQuestion(),
        technologyQuestion(),
        availabilityQuestion(),
        questions.layers.length > 1 && layersQuestion(questions.layers),
        description.isTowers ? towerNote() : isInspected ? speedQuestionsOf() : speedsLater(),
        (questions.needsCrs || problems.crs) && crsQuestion(),
        publishQuestion(),
        moreQuestion(),
      ].filter((part) => part instanceof Node),
    );
    if (name) document.getElementById(name)?.focus();
  }

  function foldable(name: string, isOpen: boolean) {
    const ontoggle = ({ target }: Event) => {
      if ((target as HTMLDetailsElement).open) opened.add(name);
      else opened.delete(name);
    };
    return { open: isOpen || opened.has(name), ontoggle };
  }

  function providerQuestion(): HTMLElement {
    const list = h(
      'datalist',
      { id: 'provider-names' },
      ...catalog.providers.map((one) => h('option', { value: one.name })),
    );
    return h(
      'div',
      {},
      field(
        'Whose coverage it is',
        textInput('provider', description.provider, (value) => say('provider', value), {
          list: 'provider-names',
          autocomplete: 'off',
        }),
        { hint: 'A name that is not in the list makes a new provider.', error: problems.provider },
      ),
      list,
    );
  }

  function technologyQuestion(): HTMLElement {
    const fromFile = inspection?.manifest.attributes?.technology;
    const options: [string, string][] = [
      ...(fromFile ? [['from-file', `As the file says (${nameOf(fromFile)})`] as [string, string]] : []),
      ...(description.technology || (fromFile && description.technologyFromFile)
        ? []
        : [['', 'Choose …'] as [string, string]]),
      ...catalog.technologies.map(({ name, label }): [string, string] => [name, label]),
    ];
    return field(
      'Technology',
      select(
        'technology',
        options,
        description.technologyFromFile ? 'from-file' : description.technology,
        (value) => {
          description.technologyFromFile = value === 'from-file';
          say('technology', value === 'from-file' ? '' : value);
          said.add('technologyFromFile');
        },
      ),
      { error: problems.technology },
    );
  }

  function availabilityQuestion(): HTMLElement {
    const fromFile = inspection?.manifest.attributes?.availability;
    const value = description.availabilityFromFile ? 'from-file' : description.availability;
    const group = radioGroup<Availability | 'from-file'>(
      'availability',
      'Can people have it?',
      [
        ...(fromFile ? [['from-file', `As the file says (${nameOf(fromFile)})`] as const] : []),
        ['available', 'Available now'],
        ['underway', 'Being built'],
        ['planned', 'Planned'],
      ],
      value,
      (chosen) => {
        description.availabilityFromFile = chosen === 'from-file';
        said.add('availabilityFromFile');
        say('availability', chosen === 'from-file' ? 'available' : chosen, true);
      },
    );
    if (value !== 'underway' && value !== 'planned') return group;
    return h(
      'div',
      { class: 'stack' },
      group,
      field(
        'From when? (if known)',
        textInput('plannedDate', description.plannedDate, (date) => say('plannedDate', date), {
          type: 'date',
          min: catalog.today,
          class: 'short',
        }),
        { error: problems.plannedDate },
      ),
    );
  }

  function layersQuestion(layers: string[]): HTMLElement {
    return h(
      'fieldset',
      {},
      h('legend', {}, 'Which layers are coverage?'),
      h(
        'div',
        { class: 'checks' },
        ...layers.map((layer, i) =>
          checkbox(
            i === 0 ? 'layers' : `layers-${i}`,
            layer,
            description.layers.includes(layer),
            (isChosen) =>
              say(
                'layers',
                isChosen ? [...description.layers, layer] : description.layers.filter((one) => one !== layer),
              ),
          ),
        ),
      ),
      problems.layers && h('p', { class: 'field-error' }, problems.layers),
    );
  }

  function towerNote(): HTMLElement {
    const towers = inspection?.towers?.count ?? 0;
    return h(
      'div',
      { class: 'stack' },
      h(
        'div',
        { class: 'notice' },
        h(
          'div',
          { class: 'notice-body' },
          h('p', { class: 'notice-title' }, `This is a list of ${number(towers)} towers.`),
          h(
            'p',
            {},
            'We work out the coverage from it for you, and you see it here before it is published. A processing fee is charged when it is published.',
          ),
        ),
      ),
      speedGrid('Speeds of towers for which the file says none', [
        'bandwidth_max_mbps',
        'bandwidth_up_max_mbps',
      ]),
    );
  }

  function speedsLater(): HTMLElement {
    return h(
      'div',
      {},
      h('h3', {}, 'Speeds'),
      h(
        'p',
        { class: 'hint' },
        'Once the file has arrived, it is looked into for speeds. What it does not say is asked here.',
      ),
    );
  }

  function speedQuestionsOf(): HTMLElement {
    const questions = questionsOf(inspection);
    const ways = [
      [
        'field',
        questions.attributes.length > 0
          ? 'Each area has its own, or all have the same'
          : 'The same everywhere',
      ],
      ...(questions.textFields.length > 0 || description.speedsBy === 'text'
        ? [['text', 'By a word in the file, such as “strong” and “weak”'] as const]
        : []),
      ...(questions.pixelClasses.length > 0 || description.pixels.length > 0
        ? [['pixels', 'By colour or level of the picture'] as const]
        : []),
    ] as const;
    return h(
      'div',
      { class: 'stack' },
      ways.length > 1
        ? radioGroup('speedsBy', 'How does the file tell speeds?', ways, description.speedsBy, (way) => {
            if (way === 'text' && !description.textField) chooseTextField(questions.textFields[0] ?? '');
            say('speedsBy', way as Description['speedsBy'], true);
          })
        : null,
      description.speedsBy === 'field'
        ? fieldSpeeds()
        : description.speedsBy === 'text'
          ? textSpeeds(questions.textFields)
          : meaningRows('What each colour or level stands for', description.pixels, (rows) =>
              say('pixels', rows),
            ),
    );
  }

  function fieldSpeeds(): HTMLElement {
    const more: SpeedField[] = ['bandwidth_min_mbps', 'bandwidth_up_min_mbps'];
    const isOpen = more.some((name) => {
      const source = description.speeds[name];
      return source.from === 'attribute' || source.mbps !== undefined || problems[name];
    });
    return h(
      'div',
      { class: 'stack' },
      speedGrid('Speeds', ['bandwidth_max_mbps', 'bandwidth_up_max_mbps']),
      h(
        'details',
        foldable('slowest', isOpen),
        h('summary', {}, 'Slowest speeds, where they differ'),
        speedGrid('Slowest speeds', more, true),
      ),
    );
  }

  function speedGrid(legend: string, fields: SpeedField[], isQuiet = false): HTMLElement {
    return h(
      'fieldset',
      { class: 'stack small-gap' },
      h('legend', { class: isQuiet && 'visually-hidden' }, legend),
      ...fields.map(speedRow),
    );
  }

  function speedRow(name: SpeedField): HTMLElement {
    const source = description.speeds[name];
    const { attributes, examples } = questionsOf(inspection);
    const change = (next: Description['speeds'][SpeedField], reshapes = false) =>
      say('speeds', { ...description.speeds, [name]: next }, reshapes);
    const label = speedQuestions[name];
    const hasFields = attributes.length > 0 && !description.isTowers;
    const from = hasFields
      ? h(
          'div',
          { class: 'field' },
          h('label', { for: `${name}-from` }, label),
          select(
            `${name}-from`,
            [
              ['', 'the same everywhere'],
              ...attributes.map((field): [string, string] => [`field:${field}`, `from the field ${field}`]),
            ],
            source.from === 'attribute' ? `field:${source.field}` : '',
            (value) =>
              change(
                value
                  ? { from: 'attribute', field: value.slice(6), unit: undefined }
                  : { from: 'number', mbps: undefined },
                true,
              ),
          ),
        )
      : null;
    if (source.from === 'attribute') {
      const some = (examples[source.field] ?? []).slice(0, 4).join(', ');
      return h(
        'div',
        { class: 'speed-row' },
        from,
        field(
          'Unit',
          select(`${name}-unit`, units, source.unit ?? '', (unit) =>
            change({ ...source, unit: unit || undefined }),
          ),
        ),
        some && h('p', { class: 'hint span break' }, `Found there: ${some}`),
      );
    }
    return h(
      'div',
      { class: hasFields ? 'speed-row' : 'speed-row single' },
      from,
      field(
        hasFields ? 'Mbps' : `${label}, in Mbps`,
        numberInput(name, source.mbps, (mbps) => change({ from: 'number', mbps }), {
          'aria-label': hasFields && `${label}, in Mbps`,
        }),
        { error: problems[name] },
      ),
    );
  }

  function chooseTextField(name: string): void {
    const { examples } = questionsOf(inspection);
    description.textField = name;
    description.texts = textMeanings(examples[name] ?? [], description.texts);
  }

  function textSpeeds(fields: string[]): HTMLElement {
    return h(
      'div',
      { class: 'stack' },
      field(
        'The word is in the field',
        select(
          'textField',
          fields.map((one): [string, string] => [one, one]),
          description.textField,
          (value) => {
            chooseTextField(value);
            say('textField', value, true);
          },
        ),
      ),
      meaningRows('What each word stands for', description.texts, (rows) => say('texts', rows)),
    );
  }

  function meaningRows(
    legend: string,
    rows: ClassMeaning[],
    change: (rows: ClassMeaning[]) => void,
  ): HTMLElement {
    const replace = (i: number, next: Partial<ClassMeaning>) => {
      const current = description.speedsBy === 'text' ? description.texts : description.pixels;
      change(current.map((row, at) => (at === i ? { ...row, ...next } : row)));
    };
    return h(
      'fieldset',
      { class: 'meanings' },
      h('legend', {}, legend),
      ...rows.map((row, i) => {
        const title = typeof row.key === 'string' ? row.key || '(empty)' : pixelWords(row.key);
        const id = i === 0 ? 'meanings' : `meanings-${i}`;
        return h(
          'div',
          { class: 'meaning', role: 'group', 'aria-label': title },
          h(
            'div',
            { class: 'meaning-head' },
            typeof row.key !== 'string' && row.key.colour ? colourChip(row.key.colour) : null,
            h('strong', { class: 'break' }, title),
            checkbox(`${id}-coverage`, 'is coverage', row.coverage, (coverage) => {
              replace(i, { coverage });
              draw();
            }),
          ),
          row.coverage &&
            h(
              'div',
              { class: 'speed-row' },
              field(
                'Download, Mbps',
                numberInput(id, row.download, (download) => replace(i, { download })),
                { error: problems.meanings && row.download === undefined ? 'How fast?' : undefined },
              ),
              field(
                'Upload, Mbps',
                numberInput(`${id}-up`, row.upload, (upload) => replace(i, { upload })),
              ),
            ),
        );
      }),
    );
  }

  function crsQuestion(): HTMLElement {
    const known = referenceSystems.some(([code]) => code === description.crs);
    return field(
      'How are positions written in the file?',
      select(
        'crs',
        known ? referenceSystems : [...referenceSystems, [description.crs, description.crs]],
        description.crs,
        (value) => say('crs', value),
      ),
      {
        hint: 'The file does not say it. Who made it knows; if it is left open, we find it out where that is certain.',
        error: problems.crs,
      },
    );
  }

  function publishQuestion(): HTMLElement {
    return radioGroup(
      'publish',
      'When it has been checked',
      [
        ['review', 'Show it to me first', 'You look at the map and the report, and publish it yourself.'],
        ['auto', 'Publish it at once', 'Unless the check finds something that you should see before.'],
      ],
      description.publish,
      (value) => say('publish', value),
    );
  }

  function moreQuestion(): HTMLElement {
    const id = 'more';
    const input = h('textarea', {
      id,
      rows: 5,
      spellcheck: 'false',
      'aria-describedby': `${id}-hint`,
      'aria-invalid': problems.more && 'true',
      oninput: () => say('more', input.value),
    });
    input.value = description.more;
    return h(
      'details',
      foldable('more', description.more !== '' || problems.more !== undefined),
      h('summary', {}, 'For experts: more of the manifest, as JSON'),
      h(
        'div',
        { class: 'field' },
        h('label', { class: 'visually-hidden', for: id }, 'More of the manifest, as JSON'),
        input,
        h(
          'p',
          { class: 'hint break', id: `${id}-hint` },
          'It counts before the answers above. Such as: { "classes": [{ "min": -90, "speeds": { "bandwidth_max_mbps": 50 } }] }',
        ),
        problems.more && h('p', { class: 'field-error' }, problems.more),
      ),
    );
  }

  draw();
  return {
    element,
    inspected(found) {
      inspection = found;
      isInspected = true;
      const fresh = describe(found, technologies);
      const kept = Object.fromEntries([...said].map((name) => [name, description[name]]));
      description = { ...fresh, ...kept };
      draw();
    },
    manifest() {
      problems = problemsOf(description, catalog, questionsOf(inspection));
      const missing = Object.entries(problems).map(([id, text]) => ({ id, text }));
      draw();
      if (missing.length === 0) return toManifest(description, inspection);
      const summary = errorSummary(missing);
      element.prepend(summary);
      summary.focus();
      return undefined;
    },
  };
}

function nameOf(use: unknown): string {
  return typeof use === 'string' ? use : ((use as { field?: string }).field ?? '');
}

function pixelWords({ colour, value, min, max }: PixelClass): string {
  if (colour) return `Colour ${colour}`;
  if (value !== undefined) return `Value ${value}`;
  if (min !== undefined && max !== undefined) return `From ${min} to ${max}`;
  return min !== undefined ? `${min} and above` : `Below ${max}`;
}

function colourChip(colour: string): HTMLElement {
  const chip = h('span', { class: 'swatch', 'aria-hidden': 'true' });
  // Set by script, as the page allows no styles in its markup.
  chip.style.backgroundColor = colour;
  return chip;
}
