import type { ComponentChildren } from 'preact';

/** A link to an element of the page by its id. It only moves the focus: the address behind # is for views. */
export function FocusLink(props: { to: string; class?: string; children: ComponentChildren }) {
  const { to, children } = props;
  return (
    <a
      href={`#${to}`}
      class={props.class}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
    >
      {children}
    </a>
  );
}
