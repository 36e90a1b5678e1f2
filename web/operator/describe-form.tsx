import { asValue, isIn, set } from '../shared/field-value.ts';
import type { Catalog, PublishedCoverage } from '../shared/schemas.ts';
import { Checkbox, RadioGroup, Select, TextArea, TextField } from '../shared/ui/fields.tsx';
import { ErrorSummary, Notice } from '../shared/ui/notice.tsx';
import { availabilityWords } from '../shared/words.ts';
import { AskedFields } from './asked.tsx';
import { catalog as currentCatalog, isStaff, technologyLabel } from './context.ts';
import { choiceOf, fieldName, fromFile, providerName, type TextSubject } from './description.ts';
import { FieldWithTexts, SampleValues } from './field-with-texts.tsx';
import { Fold } from './fold.tsx';
import type { QuestionProps } from './form-state.ts';
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
          value={asValue(providerName(description.value), (provider) => form.change({ provider }))}
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
      <SystemOfFile form={form} />
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
function fileChoice({ questions }: QuestionProps['form'], name: TextSubject) {
  const { known, attributes, isTowers } = questions.value;
  const field = fieldName(known.attributes[name]);
  if (field) return [[fromFile, `From the file (${field})`] as const];
  return attributes.length > 0 && !isTowers ? [[fromFile, 'From a field of the file'] as const] : [];
}

function TechnologyQuestion({ form, catalog }: QuestionProps & { catalog: Catalog }) {
  const value = form.choice('technology');
  const known = catalog.technologies.map(({ name, label }) => [name, label] as const);
  return (
    <div class="stack">
      <Select
        label="Technology"
        name="technology"
        error={form.problems.value.technology}
        options={[
          ...fileChoice(form, 'technology'),
          ...(value.value === '' ? [['', 'Choose …'] as const] : []),
          ...known,
        ]}
        value={value}
      />
      {value.value === fromFile && (
        <FieldWithTexts form={form} about="technology" label="Field with the technology" meanings={known} />
      )}
      <AskedFields form={form} about="technology" focus={() => 'technology'} />
    </div>
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
      {value.value === fromFile && (
        <FieldWithTexts
          form={form}
          about="availability"
          label="Field with the availability"
          meanings={known}
        />
      )}
      <AskedFields form={form} about="availability" focus={() => `availability-${value.value}`} />
      {value.value !== 'available' && <PlannedDate form={form} isOfEach={value.value === fromFile} />}
      <AskedFields form={form} about="planned_date" focus={() => `availability-${value.value}`} />
    </div>
  );
}

/** A day for all of the coverage, or a field with the day of each feature. @param isOfEach only some of the features are to come */
function PlannedDate({ form, isOfEach }: QuestionProps & { isOfEach: boolean }) {
  const { attributes, isTowers } = form.questions.value;
  const mapped = form.part('attributes', 'planned_date');
  const field = fieldName(mapped.value);
  const hasFields = attributes.length > 0 && !isTowers;
  return (
    <>
      {hasFields && (
        <Select
          label="When it is ready"
          name="planned_date-from"
          options={[
            ['', isOfEach ? 'Not in the file' : 'One day for all of it'],
            ...attributes.map((one) => [one, `Field: ${one}`] as const),
          ]}
          value={asValue(field, (chosen) => set(mapped, chosen ? { field: chosen } : null))}
        />
      )}
      {field === '' && !isOfEach && (
        <TextField
          {...form.field('planned_date')}
          label="Planned date (optional)"
          type="date"
          min={currentCatalog().today}
          class="short"
        />
      )}
      {field !== '' && <SampleValues form={form} field={field} />}
    </>
  );
}

/** Asks for the reference system if that of the file is missing or doubtful, or if it was answered before. */
function SystemOfFile({ form }: QuestionProps) {
  const { needsCrs, systems, statedSystems, known } = form.questions.value;
  const error = form.problems.value.crs;
  if (!needsCrs && systems.length === 0 && !known.crs && !error) return null;
  return (
    <SystemQuestion
      choices={systems}
      stated={needsCrs ? [] : statedSystems}
      isElsewhere={!needsCrs && systems.length > 0}
      value={form.answer('crs')}
      error={error}
    />
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

/** Names the coverage that this file will replace. */
function Replaced({ form, published }: QuestionProps & { published: readonly PublishedCoverage[] }) {
  const { value: description } = form.description;
  const technology = choiceOf(description, 'technology');
  const availability = choiceOf(description, 'availability');
  const file = { technology, availability, scope: description.scope.trim() };
  const words = technology !== '' && replacesWords(file, published, technologyLabel);
  return <div aria-live="polite">{words && <Notice {...words} />}</div>;
}
