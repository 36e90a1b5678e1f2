import { useLayoutEffect, useRef } from 'preact/hooks';

/** What is wrong with a form, each a link to the field. Gets the focus whenever there is another list, so that it is read. */
export function ErrorSummary({ problems }: { problems: readonly { id: string; text: string }[] }) {
  const element = useRef<HTMLDivElement>(null);
  // Each list is read anew.
  useLayoutEffect(() => element.current?.focus(), [problems]);
  if (problems.length === 0) return null;
  return (
    <div class="notice bad" role="alert" tabIndex={-1} ref={element}>
      <div class="notice-body">
        <p class="notice-title">Check these fields:</p>
        <ul class="plain-list">
          {problems.map(({ id, text }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                onClick={(event) => {
                  // The address behind # is the page's own way to its views.
                  event.preventDefault();
                  document.getElementById(id)?.focus();
                }}
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
