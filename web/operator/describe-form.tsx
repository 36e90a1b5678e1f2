import { api } from '../shared/client.ts';
import { isIn } from '../shared/field-value.ts';
import type { Catalog, PublishedCoverage } from '../shared/schemas.ts';
import { Checkbox, RadioGroup, Select, TextArea, TextField } from '../shared/ui/fields.tsx';
import { ErrorSummary, Notice } from '../shared/ui/notice.tsx';
import { useResource } from '../shared/use-resource.tsx';
import { availabilityWords } from '../shared/words.ts';
import { isStaff, catalog as knownCatalog, technologyLabel } from './context.ts';
import { type Description, fromFile } from './description.ts';
import { Fold } from './fold.tsx';
import type { QuestionProps } from './form-state.ts';
import { isLater } from './pixel-table.ts';
import { replacesWords } from './replaces.ts';
import { SpeedQuestions, SpeedsLater, TowerNote } from './speed-questions.tsx';
import { SystemQuestion } from './system-question.tsx';

/** The questions about a file. Those that depend on its contents come once it has been inspected. */
export function DescribeForm({ form }: QuestionProps) {
  // Another version may be live since the page was opened; on failure the known catalog counts.
  const fresh = useResource(() => api.get('/api/operator/catalog'));
  const catalog = fresh.data.value ?? knownCatalog();
  const { questions, problems, description } = form;
  const published = publishedOf(description.value, catalog);
  return (
    <div class="stack large">
      <ErrorSummary problems={form.missing.value} />
      {isStaff() && (
        <TextField
          {...form.field('provider')}
          label="Operator"
          hint="A name that is not in the list adds a new operator."
          offers={catalog.providers.map(({ name }) => name)}
        />
      )}
      <TechnologyQuestion form={form} catalog={catalog} />
      <AvailabilityQuestion form={form} today={catalog.today} />
      {questions.value.layers.length > 1 && <LayersQuestion form={form} />}
      {description.value.isTowers ? (
        <TowerNote form={form} />
      ) : form.isInspected.value ? (
        <SpeedQuestions form={form} today={catalog.today} />
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
function fileChoice({ inspection }: QuestionProps['form'], name: 'technology' | 'availability') {
  const use = inspection.value?.manifest.attributes?.[name];
  return use ? [[fromFile, `From the file (${typeof use === 'string' ? use : use.field})`] as const] : [];
}

function TechnologyQuestion({ form, catalog }: QuestionProps & { catalog: Catalog }) {
  const option = fileChoice(form, 'technology');
  const { technology } = form.description.value;
  const isSaid = technology !== '' && (technology !== fromFile || option.length > 0);
  return (
    <Select
      {...form.field('technology')}
      label="Technology"
      options={[
        ...option,
        ...(isSaid ? [] : [['', 'Choose …'] as const]),
        ...catalog.technologies.map(({ name, label }) => [name, label] as const),
      ]}
    />
  );
}

function AvailabilityQuestion({ form, today }: QuestionProps & { today: string }) {
  const value = form.answer('availability');
  const known = (['available', 'underway', 'planned'] as const).map(
    (one) => [one, availabilityWords[one]] as const,
  );
  const options = [...fileChoice(form, 'availability'), ...known];
  return (
    <div class="stack">
      <RadioGroup legend="Availability" name="availability" options={options} value={value} />
      {isLater(value.value) && (
        <TextField
          {...form.field('plannedDate')}
          label="Planned date (optional)"
          type="date"
          min={today}
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
function publishedOf({ provider }: Description, catalog: Catalog): PublishedCoverage[] {
  const wanted = provider.trim().toLowerCase();
  const named = catalog.providers.find(({ name }) => name.toLowerCase() === wanted);
  const id = catalog.provider?.id ?? named?.id;
  return catalog.published.filter((one) => one.provider_id === id);
}

/** Tells before submission which coverage this file replaces. */
function Replaced({ form, published }: QuestionProps & { published: readonly PublishedCoverage[] }) {
  const { technology, availability, scope } = form.description.value;
  const file = { technology, availability, scope: scope.trim() };
  const words = technology !== '' && replacesWords(file, published, technologyLabel);
  return <div aria-live="polite">{words && <Notice {...words} />}</div>;
}
