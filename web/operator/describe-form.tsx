import { asValue, isIn } from '../shared/field-value.ts';
import type { Catalog, PublishedCoverage } from '../shared/schemas.ts';
import { Checkbox, RadioGroup, Select, TextArea, TextField } from '../shared/ui/fields.tsx';
import { ErrorSummary, Notice } from '../shared/ui/notice.tsx';
import { availabilityWords } from '../shared/words.ts';
import { catalog as currentCatalog, isStaff, technologyLabel } from './context.ts';
import { choiceOf, fieldName, fromFile, providerName } from './description.ts';
import { Fold } from './fold.tsx';
import type { QuestionProps } from './form-state.ts';
import { isLater } from './meaning.ts';
import { replacesWords } from './replaces.ts';
import { SpeedQuestions, SpeedsLater, TowerNote } from './speed-questions.tsx';
import { SystemQuestion } from './system-question.tsx';

/** The questions about a file. Those that depend on its contents come once it has been inspected. */
export function DescribeForm({ form }: QuestionProps) {
  const catalog = currentCatalog();
  const { questions, problems, description } = form;
  const published = publishedOf(providerName(description.value), catalog);
  return (
    <div class="stack large">
      <ErrorSummary problems={form.missing.value} />
      {isStaff() && (
        <TextField
          {...form.field('provider')}
          value={asValue(providerName(description.value), (provider) => form.say({ provider }))}
          label="Operator"
          hint="A name that is not in the list adds a new operator."
          offers={catalog.providers.map(({ name }) => name)}
        />
      )}
      <TechnologyQuestion form={form} catalog={catalog} />
      <AvailabilityQuestion form={form} />
      {questions.value.layers.length > 1 && <LayersQuestion form={form} />}
      {questions.value.isTowers ? (
        <TowerNote form={form} />
      ) : form.isInspected.value ? (
        <SpeedQuestions form={form} />
      ) : (
        <SpeedsLater form={form} />
      )}
      {(questions.value.needsCrs || problems.value.crs) && (
        <SystemQuestion
          choices={questions.value.systems}
          value={form.answer('crs')}
          error={problems.value.crs}
        />
      )}
      <TextField
        {...form.field('scope')}
        label="Scope (optional)"
        hint="A name for part of your coverage, such as a region, a product or “planned”. The file then replaces only that part; leave it empty to replace the coverage without a scope."
        maxLength={60}
        offers={[...new Set(published.map(({ scope }) => scope))].filter((scope) => scope !== '')}
      />
      <RadioGroup
        legend="After validation"
        name="publish"
        options={[
          ['review', 'Review first', 'You look at the map and the report, and publish it yourself.'],
          ['auto', 'Publish automatically', 'Unless validation finds something that you should see first.'],
        ]}
        value={form.answer('publish')}
      />
      <Replaced form={form} published={published} />
      <Fold
        summary="Advanced: manifest JSON"
        isOpen={description.value.more !== '' || problems.value.more !== undefined}
      >
        <TextArea
          {...form.field('more')}
          label="Manifest JSON"
          rows={5}
          spellcheck={false}
          hint="Overrides the fields above. For example: { &quot;smoothing&quot;: true }"
        />
      </Fold>
    </div>
  );
}

/** The option "as in the file, for each feature". */
function fileChoice({ questions }: QuestionProps['form'], name: 'technology' | 'availability') {
  const field = fieldName(questions.value.known.attributes[name]);
  return field ? [[fromFile, `From the file (${field})`] as const] : [];
}

function TechnologyQuestion({ form, catalog }: QuestionProps & { catalog: Catalog }) {
  const value = form.choice('technology');
  return (
    <Select
      label="Technology"
      name="technology"
      error={form.problems.value.technology}
      options={[
        ...fileChoice(form, 'technology'),
        ...(value.value === '' ? [['', 'Choose …'] as const] : []),
        ...catalog.technologies.map(({ name, label }) => [name, label] as const),
      ]}
      value={value}
    />
  );
}

function AvailabilityQuestion({ form }: QuestionProps) {
  const value = form.choice('availability');
  const known = (['available', 'underway', 'planned'] as const).map(
    (one) => [one, availabilityWords[one]] as const,
  );
  const options = [...fileChoice(form, 'availability'), ...known];
  return (
    <div class="stack">
      <RadioGroup legend="Availability" name="availability" options={options} value={value} />
      {isLater(value.value) && (
        <TextField
          {...form.field('planned_date')}
          label="Planned date (optional)"
          type="date"
          min={currentCatalog().today}
          class="short"
        />
      )}
    </div>
  );
}

function LayersQuestion({ form }: QuestionProps) {
  const { value: chosen, error } = form.field('layers');
  return (
    <fieldset>
      <legend>Coverage layers</legend>
      <div class="stack tight">
        {form.questions.value.layers.map((layer, i) => (
          <Checkbox key={layer} name={i === 0 ? 'layers' : `layers-${i}`} value={isIn(chosen, layer)}>
            {layer}
          </Checkbox>
        ))}
      </div>
      {error && <p class="field-error">{error}</p>}
    </fieldset>
  );
}

/** The live coverage of the file's operator. */
function publishedOf(provider: string, catalog: Catalog): PublishedCoverage[] {
  const wanted = provider.trim().toLowerCase();
  const named = catalog.providers.find(({ name }) => name.toLowerCase() === wanted);
  const id = catalog.provider?.id ?? named?.id;
  return catalog.published.filter((one) => one.provider_id === id);
}

/** Tells before submission which coverage this file replaces. */
function Replaced({ form, published }: QuestionProps & { published: readonly PublishedCoverage[] }) {
  const { value: description } = form.description;
  const technology = choiceOf(description, 'technology');
  const availability = choiceOf(description, 'availability');
  const file = { technology, availability, scope: description.scope.trim() };
  const words = technology !== '' && replacesWords(file, published, technologyLabel);
  return <div aria-live="polite">{words && <Notice {...words} />}</div>;
}
