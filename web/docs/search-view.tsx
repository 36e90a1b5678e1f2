import { useMemo } from 'preact/hooks';
import { address, go } from '../shared/address.ts';
import { Icon } from '../shared/ui/icon.tsx';
import { View } from '../shared/ui/view.tsx';
import { chapters } from './chapters.ts';
import { maxFound, maxQuery, search, sectionsOf } from './search.ts';

/** The query in the address: `#/search?q=shapefile`. */
const queryOf = (hash: string) =>
  hash.startsWith('#/search?') ? (new URLSearchParams(hash.split('?')[1]).get('q') ?? '') : '';

let sections: ReturnType<typeof sectionsOf> | undefined;

/** The search field; results are a view of their own. */
export function SearchField() {
  const query = queryOf(address.value);
  return (
    <search aria-label="Documentation">
      <form
        class="docs-search"
        onSubmit={(event) => {
          event.preventDefault();
          const asked = String(new FormData(event.currentTarget).get('q') ?? '').trim();
          if (asked !== '') go(`/search?${new URLSearchParams({ q: asked })}`);
        }}
      >
        <label class="visually-hidden" for="docs-search">
          Search the documentation
        </label>
        <input
          key={query}
          id="docs-search"
          name="q"
          type="search"
          placeholder="Search"
          maxLength={maxQuery}
          defaultValue={query}
          enterkeyhint="search"
        />
        <button type="submit" class="button" aria-label="Search">
          <Icon name="search" size={18} />
        </button>
      </form>
    </search>
  );
}

export function SearchView() {
  const query = queryOf(address.value).slice(0, maxQuery);
  const { found, total } = useMemo(() => {
    sections ??= sectionsOf(chapters);
    return search(sections, query);
  }, [query]);
  const more = total > maxFound ? ` The best ${maxFound} are shown: more words find less.` : '';
  return (
    <main>
      <View
        title={`“${query}” in the documentation`}
        lead={
          total === 0
            ? 'Nothing was found. Sections are found that have all of the words, or words that contain them: try fewer, or shorter ones.'
            : `${total} ${total === 1 ? 'section' : 'sections'}.${more}`
        }
      >
        <ol class="bare-list stack large break found">
          {found.map(({ href, chapter, title, excerpt }) => (
            <li key={href}>
              <a href={href}>{title}</a>
              {title !== chapter && <span class="muted"> {chapter}</span>}
              <p class="muted">{excerpt.map(({ text, hit }) => (hit ? <mark>{text}</mark> : text))}</p>
            </li>
          ))}
        </ol>
      </View>
    </main>
  );
}
