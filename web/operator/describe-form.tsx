import { api } from '../shared/client.ts';
import type { Availability, Catalog, PublishedCoverage } from '../shared/schemas.ts';
import { Checkbox, RadioGroup, Select, TextArea, TextField } from '../shared/ui/fields.tsx';
import { ErrorSummary, Notice } from '../shared/ui/notice.tsx';
import { useResource } from '../shared/use-resource.ts';
import type { Context } from './context.ts';
import type { Description } from './description.ts';
import { Fold } from './fold.tsx';
import type { QuestionProps } from './form-state.ts';
import { replacesWords } from './replaces.ts';
import { SpeedQuestions, SpeedsLater, TowerNote } from './speed-questions.tsx';
import { SystemQuestion } from './system-question.tsx';

/** The questions about a file. Those that only the file can raise come once it has been inspected. */
export function DescribeForm({ context, form }: QuestionProps & { context: Context }) {
  // What is live may be another version since the page was opened; where it cannot be had, what was known counts.
  const fresh = useResource(() => api.get('/api/operator/catalog'));
  const catalog = fresh.data.value ?? context.catalog;
  const { questions, problems, description } = form;
  const published = publishedOf(description.value, catalog);
  return (
    <div class="stack large">
      <ErrorSummary problems={form.missing.value} />
      {context.isStaff && <ProviderQuestion form={form} catalog={catalog} />}
      <TechnologyQuestion form={form} catalog={catalog} />
      <AvailabilityQuestion form={form} today={catalog.today} />
      {questions.value.layers.length > 1 && <LayersQuestion form={form} />}
      {description.value.isTowers ? (
        <TowerNote form={form} catalog={catalog} />
      ) : form.isInspected.value ? (
        <SpeedQuestions form={form} today={catalog.today} />
      ) : (
        <SpeedsLater form={form} />
      )}
      {(questions.value.needsCrs || problems.value.crs) && (
        <SystemQuestion
          settings={catalog}
          choices={questions.value.systems}
          value={form.answer('crs')}
          error={problems.value.crs}
        />
      )}
      <ScopeQuestion form={form} published={published} />
      <RadioGroup
        legend="After validation"
        name="publish"
        options={publishOptions}
        value={form.answer('publish')}
      />
      <Replaced form={form} published={published} context={context} />
      <MoreQuestion form={form} />
    </div>
  );
}

const publishOptions = [
  ['review', 'Review first', 'You look at the map and the report, and publish it yourself.'],
  ['auto', 'Publish automatically', 'Unless validation finds something that you should see first.'],
] as const;

function ProviderQuestion({ form, catalog }: QuestionProps & { catalog: Catalog }) {
  return (
    <TextField
      label="Operator"
      name="provider"
      hint="A name that is not in the list adds a new operator."
      error={form.problems.value.provider}
      offers={catalog.providers.map(({ name }) => name)}
      value={form.answer('provider')}
    />
  );
}

const fromFile = 'from-file';

function TechnologyQuestion({ form, catalog }: QuestionProps & { catalog: Catalog }) {
  const attribute = form.inspection.value?.manifest.attributes?.technology;
  const { technology, technologyFromFile } = form.description.value;
  const isSaid = technology || (attribute && technologyFromFile);
  const value = {
    get value() {
      return technologyFromFile ? fromFile : technology;
    },
    set value(chosen) {
      const isFromFile = chosen === fromFile;
      form.say({ technology: isFromFile ? '' : chosen, technologyFromFile: isFromFile });
    },
  };
  return (
    <Select
      label="Technology"
      name="technology"
      error={form.problems.value.technology}
      options={[
        ...(attribute ? [[fromFile, `From the file (${nameOf(attribute)})`] as const] : []),
        ...(isSaid ? [] : [['', 'Choose …'] as const]),
        ...catalog.technologies.map(({ name, label }) => [name, label] as const),
      ]}
      value={value}
    />
  );
}

function AvailabilityQuestion({ form, today }: QuestionProps & { today: string }) {
  const attribute = form.inspection.value?.manifest.attributes?.availability;
  const { availability, availabilityFromFile } = form.description.value;
  const value = {
    get value(): Availability | typeof fromFile {
      return availabilityFromFile ? fromFile : availability;
    },
    set value(chosen) {
      const isFromFile = chosen === fromFile;
      form.say({ availability: isFromFile ? 'available' : chosen, availabilityFromFile: isFromFile });
    },
  };
  const isLater = !availabilityFromFile && availability !== 'available';
  return (
    <div class="stack">
      <RadioGroup<Availability | typeof fromFile>
        legend="Availability"
        name="availability"
        options={[
          ...(attribute ? [[fromFile, `From the file (${nameOf(attribute)})`] as const] : []),
          ['available', 'Available now'],
          ['underway', 'Under construction'],
          ['planned', 'Planned'],
        ]}
        value={value}
      />
      {isLater && (
        <TextField
          label="Planned date (optional)"
          name="plannedDate"
          type="date"
          min={today}
          class="short"
          error={form.problems.value.plannedDate}
          value={form.answer('plannedDate')}
        />
      )}
    </div>
  );
}

function LayersQuestion({ form }: QuestionProps) {
  const chosen = form.answer('layers');
  const isChosen = (layer: string) => ({
    get value() {
      return chosen.value.includes(layer);
    },
    set value(isChosen) {
      const others = chosen.value.filter((one) => one !== layer);
      chosen.value = isChosen ? [...others, layer] : others;
    },
  });
  const problem = form.problems.value.layers;
  return (
    <fieldset>
      <legend>Coverage layers</legend>
      <div class="checks">
        {form.questions.value.layers.map((layer, i) => (
          <Checkbox key={layer} name={i === 0 ? 'layers' : `layers-${i}`} value={isChosen(layer)}>
            {layer}
          </Checkbox>
        ))}
      </div>
      {problem && <p class="field-error">{problem}</p>}
    </fieldset>
  );
}

interface PublishedProps extends QuestionProps {
  /** Of the operator whose file it is. */
  published: readonly PublishedCoverage[];
}

/** A file replaces what has its scope; those that are live are offered. */
function ScopeQuestion({ form, published }: PublishedProps) {
  return (
    <TextField
      label="Scope (optional)"
      name="scope"
      hint="A name for part of your coverage, such as a region, a product or “planned”. The file then replaces only that part; leave it empty to replace the coverage without a scope."
      maxLength={60}
      offers={[...new Set(published.map(({ scope }) => scope))].filter((scope) => scope !== '')}
      value={form.answer('scope')}
    />
  );
}

function publishedOf({ provider }: Description, catalog: Catalog): PublishedCoverage[] {
  const wanted = provider.trim().toLowerCase();
  const named = catalog.providers.find(({ name }) => name.toLowerCase() === wanted);
  const id = catalog.provider?.id ?? named?.id;
  return catalog.published.filter((one) => one.provider_id === id);
}

/** Says what this file takes the place of, before it is submitted. */
function Replaced({ form, published, context }: PublishedProps & { context: Context }) {
  const { technology, technologyFromFile, availability, scope } = form.description.value;
  const isKnown = technology !== '' || technologyFromFile;
  const file = { technology, scope: scope.trim(), availability };
  const words = isKnown ? replacesWords(file, published, context.technologyLabel) : undefined;
  return <div aria-live="polite">{words && <Notice {...words} />}</div>;
}

function MoreQuestion({ form }: QuestionProps) {
  const problem = form.problems.value.more;
  return (
    <Fold
      summary="Advanced: manifest JSON"
      isOpen={form.description.value.more !== '' || problem !== undefined}
    >
      <TextArea
        label="Manifest JSON"
        name="more"
        rows={5}
        spellcheck={false}
        hint="Overrides the fields above. For example: { &quot;smoothing&quot;: true }"
        error={problem}
        value={form.answer('more')}
      />
    </Fold>
  );
}

/** The field of the file that says it. */
function nameOf(use: unknown): string {
  return typeof use === 'string' ? use : ((use as { field?: string }).field ?? '');
}
