import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { announce } from '../shared/announce.ts';
import { api, asApiError } from '../shared/client.ts';
import { fieldOf } from '../shared/field-value.ts';
import { MailSettings } from '../shared/mail-settings.tsx';
import type { ProviderProfile } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { RadioGroup, TextArea, TextField } from '../shared/ui/fields.tsx';
import { ErrorNotice, ErrorSummary, Notice } from '../shared/ui/notice.tsx';
import { View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { when } from '../shared/words.ts';
import { isStaff } from './context.ts';

const maxDescription = 2000;
const maxAreas = 100;
const address = '/api/operator/providers/{id}';

export const wholesaleNetworks = [
  ['No', 'Retail', 'Sells to homes and businesses.'],
  ['Yes', 'Wholesale only', 'Sells to other providers, who sell to the public.'],
  ['Both', 'Both', 'Sells to the public and to other providers.'],
] as const;

/** The form's contents; areas are a line each. */
type Draft = Pick<ProviderProfile, 'name' | 'url' | 'wholesale_network' | 'description'> & { areas: string };

type Problem = { id: keyof Draft; text: string };

/** A provider's details, which its operator and staff change. */
export function ProfileView({ id }: { id: number }) {
  /** The profile that filled in the form. */
  const saved = useSignal<ProviderProfile | undefined>(undefined);
  const draft = useSignal<Draft>(emptyDraft);
  const problems = useSignal<Problem[]>([]);
  const outcome = useSignal<ComponentChildren>(null);
  const field = <K extends keyof Draft>(name: K) => ({
    name,
    value: fieldOf(draft, name),
    error: problems.value.find((one) => one.id === name)?.text,
  });

  const begin = (profile: ProviderProfile) => {
    saved.value = profile;
    draft.value = draftOf(profile);
    problems.value = [];
    outcome.value = null;
  };
  /** Changes by others are shown unless the form has been edited; else saving reports them. */
  const profile = useResource(async () => {
    const now = await api.get(address, { path: { id } });
    const before = saved.peek();
    const isTyped = before && !isSame(draft.peek(), draftOf(before));
    if (now.revision !== before?.revision && !isTyped) begin(now);
    return now;
  }, 'elsewhere');

  const save = async (revision: string) => {
    outcome.value = null;
    problems.value = problemsOf(draft.value);
    if (problems.value.length > 0) return;
    const { name, url, wholesale_network, description } = draft.value;
    const body = {
      ...(isStaff() ? { name: name.trim() } : {}),
      url: url.trim(),
      wholesale_network,
      description: description.trim(),
      area_served: areasOf(draft.value),
    };
    try {
      begin(await api.put(address, { path: { id }, headers: { 'If-Match': revision }, body }));
      outcome.value = <Notice tone="good" title="Profile saved." text="Answers show it from now on." />;
      announce('Profile saved.');
    } catch (caught) {
      const error = asApiError(caught);
      if (error.code === 'provider_changed') await showConflict();
      else outcome.value = <ErrorNotice error={error} />;
    }
  };

  const showConflict = async () => {
    const title = 'Somebody has changed this profile since you opened it.';
    const theirs = await api.get(address, { path: { id } });
    outcome.value = (
      <Notice tone="warning" title={title}>
        <ul class="plain-list">
          {differences(theirs, draft.value).map(([what, their]) => (
            <li key={what}>
              {what} is now: {their || '(empty)'}
            </li>
          ))}
        </ul>
        <Button onClick={() => begin(theirs)}>Show their version</Button>
        <Button onClick={() => save('*')}>Save mine over it</Button>
      </Notice>
    );
    announce(title);
  };

  const name = saved.value?.name;
  const [title, heading, back] = isStaff()
    ? ['Provider', name, { href: '#/providers', label: 'Providers' }]
    : ['Profile', name && `Profile of ${name}`, undefined];
  return (
    <div class="narrow">
      <View title={title} heading={heading} back={back} lead="Answers of the service show these details.">
        <Loaded of={profile}>
          {() => (
            <>
              {saved.value?.url === '' && (
                <Notice
                  tone="warning"
                  title="The web address is missing."
                  text="Coverage cannot be published without it."
                />
              )}
              <form class="card stack large" noValidate onSubmit={(event) => event.preventDefault()}>
                <ErrorSummary problems={problems.value} />
                <TextField
                  {...field('name')}
                  label="Name"
                  hint={
                    isStaff()
                      ? 'Answers, tokens and manifests name the provider by it.'
                      : 'To change it, ask your service administrator.'
                  }
                  readOnly={!isStaff()}
                  maxLength={200}
                />
                <TextField
                  {...field('url')}
                  label="Web address"
                  hint="Where people can order. Begins with https:// or http://."
                  type="url"
                  inputMode="url"
                  autoComplete="url"
                  placeholder="https://"
                  required
                  maxLength={500}
                />
                <RadioGroup
                  legend="Wholesale network"
                  name="wholesale"
                  options={wholesaleNetworks}
                  value={field('wholesale_network').value}
                />
                <TextArea
                  {...field('description')}
                  label="Description (optional)"
                  hint="A sentence or two for the list of providers."
                  rows={4}
                  maxLength={maxDescription}
                />
                <TextArea
                  {...field('areas')}
                  label="Areas served (optional)"
                  hint="One region per line, e.g. Waikato."
                  rows={4}
                />
                {outcome.value}
                <div class="actions">
                  <Button type="submit" kind="primary" onClick={() => save(`"${saved.value?.revision}"`)}>
                    Save profile
                  </Button>
                </div>
              </form>
              <p class="hint">
                {saved.value?.profile_saved_at
                  ? `Saved ${when(saved.value.profile_saved_at)}. Manifests of uploaded files do not change it.`
                  : 'Until it is saved here, the manifests of uploaded files may change it.'}
              </p>
            </>
          )}
        </Loaded>
        <MailSettings
          load={() => api.get('/api/operator/providers/{id}/mail', { path: { id } })}
          save={(body) => api.post('/api/operator/providers/{id}/mail', { path: { id }, body })}
        />
      </View>
    </div>
  );
}

const emptyDraft: Draft = { name: '', url: '', wholesale_network: 'No', description: '', areas: '' };

function draftOf({ name, url, wholesale_network, description, area_served }: ProviderProfile): Draft {
  return { name, url, wholesale_network, description, areas: area_served.join('\n') };
}

function isSame(a: Draft, b: Draft): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function areasOf({ areas }: Draft): string[] {
  return [...new Set(areas.split('\n').map((area) => area.trim()))].filter(Boolean);
}

/** The fields that somebody else has changed meanwhile. */
function differences(theirs: ProviderProfile, mine: Draft): [what: string, theirs: string][] {
  const fields = [
    ['Name', theirs.name, mine.name],
    ['Web address', theirs.url, mine.url],
    ['Wholesale network', theirs.wholesale_network, mine.wholesale_network],
    ['Description', theirs.description, mine.description],
    ['Areas served', theirs.area_served.join(', '), areasOf(mine).join(', ')],
  ] as const;
  return fields.flatMap(([what, their, my]) => (their === my ? [] : [[what, their]]));
}

/** Problems for which the API would refuse the form. */
function problemsOf(draft: Draft): Problem[] {
  const url = draft.url.trim();
  const isAddress = /^https?:\/\/[^\s/]\S*$/i.test(url) && URL.canParse(url);
  const areas = areasOf(draft);
  const tooMany = `Enter at most ${maxAreas} areas; these are ${areas.length}.`;
  const areasText =
    areas.length > maxAreas ? tooMany : 'Enter one area per line, at most 200 characters each.';
  const isWrong: [keyof Draft, boolean, string][] = [
    ['name', draft.name.trim() === '', 'Enter the name.'],
    ['url', !isAddress, 'Enter a web address such as https://example.nz/.'],
    ['areas', areas.length > maxAreas || areas.some((area) => area.length > 200), areasText],
  ];
  return isWrong.flatMap(([id, isIt, text]) => (isIt ? [{ id, text }] : []));
}
