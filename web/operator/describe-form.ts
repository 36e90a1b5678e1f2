import { request } from '../shared/api.ts';
import { money } from '../shared/billing/words.ts';
import { fill, h } from '../shared/dom.ts';
import {
  checkbox,
  errorSummary,
  field,
  numberInput,
  radioGroup,
  select,
  textInput,
} from '../shared/fields.ts';
import { notice } from '../shared/notice.ts';
import type {
  Availability,
  Catalog,
  Inspection,
  Manifest,
  PublishedCoverage,
  SpeedField,
  SpeedUnit,
} from '../shared/types.ts';
import { number } from '../shared/words.ts';
import { classEditor, type EarlierClasses } from './class-editor.ts';
import type { Context } from './context.ts';
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
import { type PixelTable, tableOf } from './pixel-table.ts';
import { replacesWords } from './replaces.ts';
import { systemQuestion } from './system-question.ts';

const speedQuestions: Record<SpeedField, string> = {
  bandwidth_max_mbps: 'Maximum download speed',
  bandwidth_up_max_mbps: 'Maximum upload speed',
  bandwidth_min_mbps: 'Minimum download speed',
  bandwidth_up_min_mbps: 'Minimum upload speed',
};

const units: readonly (readonly [SpeedUnit | '', string])[] = [
  ['', 'As in file'],
  ['mbps', 'Mbps'],
  ['kbps', 'kbps'],
  ['gbps', 'Gbps'],
];

export interface DescribeForm {
  element: HTMLElement;
  /**
   * Takes over what was found in the file, but for what somebody has said already.
   * @param earlier tables of classes of earlier files, the newest first
   */
  inspected(inspection: Inspection | null, earlier?: EarlierClasses[]): void;
  /** Takes over what somebody said of the file before. */
  answered(manifest: Manifest): void;
  /** The manifest, or undefined where something is missing; then the form says what. */
  manifest(): ReturnType<typeof toManifest> | undefined;
  remove(): void;
}

/**
 * The questions about a file. Those that only the file can raise come once it has been looked into.
 * @param catalog as it is now: what is published shows what the file would replace
 */
export function describeForm({ catalog, session, technologyLabel }: Context): DescribeForm {
  const technologies = catalog.technologies.map(({ name }) => name);
  let inspection: Inspection | null = null;
  let isInspected = false;
  let description: Description = describe(null, technologies);
  let problems: FormProblems = {};
  let answeredBefore: Manifest | undefined;
  const said = new Set<keyof Description>();
  /** Parts that somebody has opened stay open when the form is drawn again. */
  const opened = new Set<string>();
  const element = h('div', { class: 'stack large' });
  let initialPixels: PixelTable = description.pixels;
  let earlierClasses: EarlierClasses[] = [];
  const classes = classEditor(catalog.today, (pixels) => say('pixels', pixels));
  const systems = systemQuestion(catalog, (crs) => say('crs', crs));
  const replacing = h('div', { 'aria-live': 'polite' });

  /** Notes what somebody said. @param reshapes whether other questions depend on it */
  function say<K extends keyof Description>(name: K, value: Description[K], reshapes = false): void {
    description = { ...description, [name]: value };
    said.add(name);
    if (reshapes) draw();
    else showReplaced();
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
        scopeQuestion(),
        publishQuestion(),
        replacing,
        moreQuestion(),
      ].filter((part) => part instanceof Node),
    );
    showReplaced();
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
        'Operator',
        textInput('provider', description.provider, (value) => say('provider', value), {
          list: 'provider-names',
          autocomplete: 'off',
        }),
        { hint: 'A name that is not in the list adds a new operator.', error: problems.provider },
      ),
      list,
    );
  }

  function technologyQuestion(): HTMLElement {
    const fromFile = inspection?.manifest.attributes?.technology;
    const options: [string, string][] = [
      ...(fromFile ? [['from-file', `From the file (${nameOf(fromFile)})`] as [string, string]] : []),
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
          showReplaced();
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
      'Availability',
      [
        ...(fromFile ? [['from-file', `From the file (${nameOf(fromFile)})`] as const] : []),
        ['available', 'Available now'],
        ['underway', 'Under construction'],
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
        'Planned date (optional)',
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
      h('legend', {}, 'Coverage layers'),
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
    const { count = 0, problems: rows = [] } = inspection?.towers ?? {};
    const { first_cents, later_cents, next_cents } = catalog.processing_fees;
    const fee =
      next_cents === null
        ? `${money(first_cents)} + GST for an operator's first, ${money(later_cents)} for each later one`
        : next_cents === first_cents
          ? `${money(first_cents)} + GST (later updates ${money(later_cents)})`
          : `${money(next_cents)} + GST`;
    return h(
      'div',
      { class: 'stack', id: 'towers', tabindex: '-1' },
      count > 0
        ? notice(
            'info',
            `This is a list of ${number(count)} towers.`,
            `We model coverage from these towers, and you see it here before it is published. Fee: ${fee}, charged on publication.`,
          )
        : notice('bad', 'No tower in this list can be used.', rows.map(String).join(' ')),
      count > 0 &&
        speedGrid('Default speeds', ['bandwidth_max_mbps', 'bandwidth_up_max_mbps'], {
          hint: 'For towers for which the file says none.',
        }),
    );
  }

  /** Before the file has been looked into: asked, and not insisted on. */
  function speedsLater(): HTMLElement {
    return speedGrid('Speeds', ['bandwidth_max_mbps', 'bandwidth_up_max_mbps'], {
      hint: 'Leave these empty if the file holds speeds, or a picture of the signal: it is inspected once it is uploaded, and the form is filled in from it.',
    });
  }

  function speedQuestionsOf(): HTMLElement {
    const questions = questionsOf(inspection);
    const hasPixels = questions.pixels.length > 0 || questions.needsClasses;
    const ways: (readonly [Description['speedsBy'], string, string?])[] = [
      ...(questions.needsClasses
        ? []
        : [
            ['field', questions.attributes.length > 0 ? 'From attributes, or fixed' : 'Fixed value'] as const,
          ]),
      ...(questions.textFields.length > 0 || description.speedsBy === 'text'
        ? [['text', 'By category field'] as const]
        : []),
      ...(hasPixels || description.speedsBy === 'pixels' ? [['pixels', 'By raster class'] as const] : []),
    ];
    return h(
      'div',
      { class: 'stack' },
      ways.length > 1
        ? radioGroup('speedsBy', 'Speed source', ways, description.speedsBy, (way) => {
            if (way === 'text' && !description.textField) chooseTextField(questions.textFields[0] ?? '');
            say('speedsBy', way, true);
          })
        : null,
      description.speedsBy === 'field'
        ? fieldSpeeds()
        : description.speedsBy === 'text'
          ? textSpeeds(questions.textFields)
          : pixelSpeeds(),
      (hasPixels || description.sieve !== undefined) && sieveQuestion(),
    );
  }

  /** Rasters of noise hold more areas than can be read: small ones are merged where somebody wants it. */
  function sieveQuestion(): HTMLElement {
    return field(
      'Merge areas smaller than … pixels (optional)',
      numberInput('sieve', description.sieve, (sieve) => say('sieve', sieve), {
        inputmode: 'numeric',
        class: 'short',
      }),
      {
        hint: 'Smaller areas take the class around them. Leave this empty to keep every pixel as it is.',
        error: problems.sieve,
      },
    );
  }

  function pixelSpeeds(): HTMLElement {
    const { pixels: summaries } = questionsOf(inspection);
    classes.show({
      table: description.pixels,
      summaries,
      initial: initialPixels,
      earlier: earlierClasses,
      problems: problems.pixels ?? {},
    });
    return classes.element;
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
        h('summary', {}, 'Minimum speeds (optional)'),
        speedGrid('Minimum speeds', more, { isQuiet: true }),
      ),
    );
  }

  function speedGrid(
    legend: string,
    fields: SpeedField[],
    { isQuiet = false, hint }: { isQuiet?: boolean; hint?: string } = {},
  ): HTMLElement {
    return h(
      'fieldset',
      { class: 'stack small-gap' },
      h('legend', { class: isQuiet && 'visually-hidden' }, legend),
      hint && h('p', { class: 'hint' }, hint),
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
              ['', 'Fixed value'],
              ...attributes.map((field): [string, string] => [`field:${field}`, `Field: ${field}`]),
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
        some && h('p', { class: 'hint span break' }, `Sample values: ${some}`),
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
        'Category field',
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
      meaningRows('Speeds per category', description.texts, (rows) => say('texts', rows)),
    );
  }

  function meaningRows(
    legend: string,
    rows: ClassMeaning[],
    change: (rows: ClassMeaning[]) => void,
  ): HTMLElement {
    const replace = (i: number, next: Partial<ClassMeaning>) => {
      change(description.texts.map((row, at) => (at === i ? { ...row, ...next } : row)));
    };
    return h(
      'fieldset',
      { class: 'meanings' },
      h('legend', {}, legend),
      ...rows.map((row, i) => {
        const title = row.key || '(empty)';
        const id = i === 0 ? 'meanings' : `meanings-${i}`;
        return h(
          'div',
          { class: 'meaning', role: 'group', 'aria-label': title },
          h(
            'div',
            { class: 'meaning-head' },
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
                { error: problems.meanings && !row.download ? 'Enter a speed' : undefined },
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
    systems.show(questionsOf(inspection).systems, description.crs, problems.crs);
    return systems.element;
  }

  /** A file replaces what has its scope; those that are published are offered. */
  function scopeQuestion(): HTMLElement {
    const names = [...new Set(publishedOf().map(({ scope }) => scope))].filter((scope) => scope !== '');
    const list = h('datalist', { id: 'scope-names' }, ...names.map((name) => h('option', { value: name })));
    return h(
      'div',
      {},
      field(
        'Scope (optional)',
        textInput('scope', description.scope, (scope) => say('scope', scope), {
          list: 'scope-names',
          maxlength: 60,
          autocomplete: 'off',
        }),
        {
          hint: 'A name for part of your coverage, such as a region, a product or “planned”. The file then replaces only that part; leave it empty to replace the coverage without a scope.',
        },
      ),
      list,
    );
  }

  /** What is published of the operator whose file it is. */
  function publishedOf(): PublishedCoverage[] {
    const wanted = description.provider.trim().toLowerCase();
    const named = catalog.providers.find(({ name }) => name.toLowerCase() === wanted);
    const id = catalog.provider?.id ?? named?.id;
    return catalog.published.filter((one) => one.provider_id === id);
  }

  /** Says what this file takes the place of, before it is submitted. */
  function showReplaced(): void {
    const { technology, technologyFromFile, availability } = description;
    const isKnown = technology !== '' || technologyFromFile;
    const file = { technology, scope: description.scope.trim(), availability };
    const words = isKnown && replacesWords(file, publishedOf(), technologyLabel);
    fill(replacing, words && notice(words.tone, words.title, words.text));
  }

  function publishQuestion(): HTMLElement {
    return radioGroup(
      'publish',
      'After validation',
      [
        ['review', 'Review first', 'You look at the map and the report, and publish it yourself.'],
        ['auto', 'Publish automatically', 'Unless validation finds something that you should see first.'],
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
      h('summary', {}, 'Advanced: manifest JSON'),
      h(
        'div',
        { class: 'field' },
        h('label', { class: 'visually-hidden', for: id }, 'Manifest JSON'),
        input,
        h(
          'p',
          { class: 'hint break', id: `${id}-hint` },
          'Overrides the fields above. For example: { "smoothing": true }',
        ),
        problems.more && h('p', { class: 'field-error' }, problems.more),
      ),
    );
  }

  /** Takes over what a file or somebody says, but for what somebody has said in the form since. */
  function takeOver(fresh: Description): void {
    const kept = Object.fromEntries([...said].map((name) => [name, description[name]]));
    description = { ...fresh, ...kept };
  }

  // What is published may be another version since the page was opened; where it cannot be had, what was known counts.
  void request<Catalog>('GET', '/api/operator/catalog').then(
    (fresh) => {
      Object.assign(catalog, fresh);
      showReplaced();
    },
    () => undefined,
  );
  draw();
  return {
    element,
    inspected(found, earlier = []) {
      inspection = found;
      isInspected = true;
      const { pixels } = questionsOf(found);
      initialPixels = tableOf(pixels, found?.manifest.classes ?? []);
      earlierClasses = earlier.filter(({ classes: [first] }) =>
        pixels.some(({ kind }) => (kind === 'colours') === (first?.colour !== undefined)),
      );
      const answers = answeredBefore;
      takeOver(describe(answers ? withAnswers(found, answers) : found, technologies));
      draw();
    },
    answered(manifest) {
      answeredBefore = manifest;
      takeOver(describe(withAnswers(inspection, manifest), technologies));
      draw();
    },
    manifest() {
      problems = problemsOf(description, catalog, questionsOf(inspection), isInspected);
      const { pixels = {}, ...named } = problems;
      const [firstPixel] = Object.keys(pixels);
      const missing = Object.entries(named).map(([id, text]) => ({ id, text: String(text) }));
      if (firstPixel) {
        const count = Object.keys(pixels).length;
        missing.push({
          id: firstPixel,
          text:
            count === 1
              ? `Speeds per class: ${pixels[firstPixel]}.`
              : `Speeds per class: ${count} fields need an answer.`,
        });
      }
      draw();
      if (missing.length === 0) return toManifest(description, inspection);
      const summary = errorSummary(missing);
      element.prepend(summary);
      summary.focus();
      return undefined;
    },
    remove: () => systems.remove(),
  };
}

/** An inspection as if the file had said what somebody says of it. */
function withAnswers(inspection: Inspection | null, answers: Manifest): Inspection {
  const nothing = { kind: 'coverage' as const, layers: [], speeds_missing: [], warnings: [], towers: null };
  const found = inspection ?? { ...nothing, manifest: {} };
  const attributes = { ...found.manifest.attributes, ...answers.attributes };
  return {
    ...found,
    manifest: {
      ...found.manifest,
      ...answers,
      ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
    },
  };
}

function nameOf(use: unknown): string {
  return typeof use === 'string' ? use : ((use as { field?: string }).field ?? '');
}
