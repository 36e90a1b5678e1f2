import { announce } from '../shared/announce.ts';
import { ApiError, asApiError, request } from '../shared/api.ts';
import { button } from '../shared/button.ts';
import { keepFresh } from '../shared/changes.ts';
import { fill, h, icon, icons } from '../shared/dom.ts';
import { errorSummary, field, radioGroup, textArea, textInput } from '../shared/fields.ts';
import { errorNotice, notice } from '../shared/notice.ts';
import { part } from '../shared/part.ts';
import type { View } from '../shared/router.ts';
import { table } from '../shared/table.ts';
import type { ProviderProfile } from '../shared/types.ts';
import { when } from '../shared/words.ts';
import type { Context } from './main.ts';

const maxDescription = 2000;
const maxAreas = 100;
const address = '/api/operator/providers';

const wholesale = [
  ['No', 'Retail', 'Sells to homes and businesses.'],
  ['Yes', 'Wholesale only', 'Sells to other providers, who sell to the public.'],
  ['Both', 'Both', 'Sells to the public and to other providers.'],
] as const;

/** For staff: all providers, those without an address first. */
export function providersView(): View {
  const list = part(() => request<{ providers: ProviderProfile[] }>('GET', address), show);
  void list.load();
  const end = keepFresh(list.load);
  return {
    title: 'Providers',
    element: h(
      'div',
      { class: 'stack large' },
      h(
        'div',
        { class: 'page-head' },
        h('h1', {}, 'Providers'),
        h('p', { class: 'muted' }, 'What answers say of each provider.'),
      ),
      h('section', { class: 'card stack', 'aria-label': 'Providers' }, list.element),
    ),
    leave: end,
  };

  function show({ providers }: { providers: ProviderProfile[] }): Node[] {
    if (providers.length === 0) return [h('p', { class: 'muted' }, 'No providers yet.')];
    const missing = providers.filter(({ url }) => url === '').length;
    const sorted = [...providers].sort((a, b) => Number(a.url !== '') - Number(b.url !== ''));
    return [
      ...(missing > 0
        ? [
            notice(
              'warning',
              missing === 1
                ? 'One provider has no web address.'
                : `${missing} providers have no web address.`,
              'Nothing more of theirs is published before it is given.',
            ),
          ]
        : []),
      table(
        'Providers, by name',
        [
          {
            title: 'Provider',
            heading: true,
            cell: ({ id, name }: ProviderProfile) => h('a', { href: `#/providers/${id}` }, name),
          },
          {
            title: 'Web address',
            cell: ({ url }) =>
              url === ''
                ? h('span', { class: 'badge warning' }, 'Missing')
                : h('a', { href: url, rel: 'noreferrer', target: '_blank' }, url),
          },
          {
            title: 'Sells',
            cell: (one) => wholesale.find(([value]) => value === one.wholesale_network)?.[1] ?? '',
          },
          { title: 'Areas served', cell: ({ area_served: areas }) => areas.join(', ') || '–' },
        ],
        sorted,
      ),
    ];
  }
}

/** What is in the form, as it was typed. */
interface Draft {
  name: string;
  url: string;
  wholesale_network: ProviderProfile['wholesale_network'];
  description: string;
  /** A line each. */
  areas: string;
}

/** What answers say of a provider, to be changed: by its operator, or by staff. */
export function profileView({ session }: Context, id: number): View {
  const isStaff = session.role === 'staff';
  const heading = h('h1', { class: 'break' }, isStaff ? 'Provider' : 'Profile');
  const body = h('div', { class: 'stack large' }, h('p', { class: 'muted' }, 'Loading …'));
  const outcome = h('div', {});
  let saved: ProviderProfile | undefined;
  let draft: Draft | undefined;
  let left = false;

  const element = h(
    'div',
    { class: 'narrow stack large' },
    h(
      'div',
      { class: 'page-head' },
      isStaff && h('a', { class: 'back', href: '#/providers' }, icon(icons.back, 18), 'Providers'),
      heading,
      h('p', { class: 'muted' }, 'Answers of the service show these details.'),
    ),
    body,
  );
  void load();
  const end = keepFresh(refresh);

  async function load(): Promise<void> {
    try {
      begin(await request<ProviderProfile>('GET', `${address}/${id}`));
    } catch (error) {
      if (!left) fill(body, errorNotice(asApiError(error), button('Try again', load)));
    }
  }

  /** What somebody else has saved is shown where nothing is typed here; else saving will say so. */
  async function refresh(): Promise<void> {
    if (!saved || (draft && !isSame(draft, draftOf(saved)))) return;
    const now = await request<ProviderProfile>('GET', `${address}/${id}`).catch(() => undefined);
    if (now && now.revision !== saved?.revision && !left) begin(now);
  }

  function begin(profile: ProviderProfile): void {
    if (left) return;
    saved = profile;
    draft = draftOf(profile);
    fill(heading, isStaff ? profile.name : `Profile of ${profile.name}`);
    show([]);
  }

  function show(problems: readonly { id: string; text: string }[]): void {
    const now = draft as Draft;
    const error = (name: string) => problems.find((one) => one.id === name)?.text;
    const save = button('Save profile', () => submit(), { kind: 'primary' });
    fill(
      body,
      saved?.url === '' &&
        notice(
          'warning',
          'The web address is missing.',
          'Answers need it: nothing more is published before it is given.',
        ),
      h(
        'form',
        {
          class: 'card stack large',
          novalidate: true,
          onsubmit: (event) => {
            event.preventDefault();
            save.click();
          },
        },
        problems.length > 0 && errorSummary(problems),
        field(
          'Name',
          textInput('name', now.name, (text) => set('name', text), {
            readonly: !isStaff,
            maxlength: 200,
            autocomplete: 'off',
          }),
          {
            hint: isStaff
              ? 'Answers, tokens and manifests name the provider by it.'
              : 'To change it, ask the people who run this service.',
            error: error('name'),
          },
        ),
        field(
          'Web address',
          textInput('url', now.url, (text) => set('url', text), {
            type: 'url',
            inputmode: 'url',
            maxlength: 500,
            autocomplete: 'url',
            placeholder: 'https://',
            required: true,
          }),
          { hint: 'Where people can order. It begins with https:// or http://.', error: error('url') },
        ),
        radioGroup('wholesale', 'Wholesale network', wholesale, now.wholesale_network, (value) => {
          if (draft) draft.wholesale_network = value;
        }),
        field(
          'Description (optional)',
          textArea('description', now.description, (text) => set('description', text), {
            rows: 4,
            class: 'prose',
            maxlength: maxDescription,
          }),
          { hint: 'A sentence or two for the list of providers.', error: error('description') },
        ),
        field(
          'Areas served (optional)',
          textArea('areas', now.areas, (text) => set('areas', text), { rows: 4, class: 'prose' }),
          { hint: 'One region a line, such as Waikato.', error: error('areas') },
        ),
        outcome,
        h('div', { class: 'actions' }, save),
        h('button', { type: 'submit', hidden: true }),
      ),
      h(
        'p',
        { class: 'hint' },
        saved?.profile_saved_at
          ? `Saved ${when(saved.profile_saved_at)}. Manifests of uploaded files do not change it.`
          : 'Until it is saved here, the manifests of uploaded files may change it.',
      ),
    );
    if (problems.length > 0) body.querySelector<HTMLElement>('[role=alert]')?.focus();
  }

  function set(name: 'name' | 'url' | 'description' | 'areas', text: string): void {
    if (draft) draft[name] = text;
  }

  async function submit(overwrite = false): Promise<void> {
    fill(outcome);
    const now = draft as Draft;
    const problems = problemsOf(now);
    if (problems.length > 0) return show(problems);
    const { name, url, wholesale_network, description } = now;
    const profile = {
      ...(isStaff ? { name: name.trim() } : {}),
      url: url.trim(),
      wholesale_network,
      description: description.trim(),
      area_served: areasOf(now),
    };
    try {
      const tag = overwrite ? '*' : `"${saved?.revision}"`;
      begin(
        await request<ProviderProfile>('PUT', `${address}/${id}`, profile, undefined, { 'If-Match': tag }),
      );
      show([]);
      fill(outcome, notice('good', 'Profile saved.', 'Answers show it from now on.'));
      announce('Profile saved.');
    } catch (caught) {
      const error = asApiError(caught);
      if (error instanceof ApiError && error.code === 'provider_changed') return showConflict();
      fill(outcome, errorNotice(error));
    }
    outcome.scrollIntoView({ block: 'nearest' });
  }

  /** What was saved by somebody else meanwhile, beside what is in the form. */
  async function showConflict(): Promise<void> {
    const theirs = await request<ProviderProfile>('GET', `${address}/${id}`);
    const differing = (
      [
        ['Name', theirs.name, draft?.name],
        ['Web address', theirs.url, draft?.url],
        ['Wholesale network', theirs.wholesale_network, draft?.wholesale_network],
        ['Description', theirs.description, draft?.description],
        ['Areas served', theirs.area_served.join(', '), areasOf(draft as Draft).join(', ')],
      ] as const
    ).filter(([, their, mine]) => their !== mine);
    fill(
      outcome,
      notice(
        'warning',
        'Somebody has changed this profile since you opened it.',
        undefined,
        h(
          'ul',
          { class: 'plain-list' },
          ...differing.map(([what, their]) => h('li', {}, `${what} is now: ${their || '(empty)'}`)),
        ),
        button('Show their version', () => begin(theirs)),
        button('Save mine over it', () => submit(true)),
      ),
    );
    announce('Somebody has changed this profile since you opened it.');
  }

  return {
    title: isStaff ? 'Provider' : 'Profile',
    element,
    leave() {
      left = true;
      end();
    },
  };
}

function draftOf({ name, url, wholesale_network, description, area_served }: ProviderProfile): Draft {
  return { name, url, wholesale_network, description, areas: area_served.join('\n') };
}

function isSame(a: Draft, b: Draft): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function areasOf({ areas }: Draft): string[] {
  return [...new Set(areas.split('\n').map((area) => area.trim()))].filter(Boolean);
}

/** What the API would refuse, each at its field. */
function problemsOf(draft: Draft): { id: string; text: string }[] {
  const problems: { id: string; text: string }[] = [];
  if (draft.name.trim() === '') problems.push({ id: 'name', text: 'Enter the name.' });
  const url = draft.url.trim();
  if (!/^https?:\/\/[^\s/]\S*$/i.test(url) || !URL.canParse(url)) {
    problems.push({ id: 'url', text: 'Enter a web address such as https://example.nz/.' });
  }
  const areas = areasOf(draft);
  if (areas.length > maxAreas) {
    problems.push({ id: 'areas', text: `Enter at most ${maxAreas} areas; these are ${areas.length}.` });
  } else if (areas.some((area) => area.length > 200)) {
    problems.push({ id: 'areas', text: 'Enter one area a line, each of at most 200 characters.' });
  }
  return problems;
}
