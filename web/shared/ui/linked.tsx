import type { ComponentChildren } from 'preact';

/** Own addresses that sentences name. No others: a sentence may have a name out of somebody's file in it. */
const ownAddress = /(\/docs#\/[a-z0-9-]+|\/tower-template\.csv)/;

/** A text with its addresses of this service as links; anything else as it is. */
export function linked(text: ComponentChildren): ComponentChildren {
  if (typeof text !== 'string') return text;
  return text.split(ownAddress).map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : (
      <a key={part} href={part} target="_blank" rel="noopener">
        {part}
      </a>
    ),
  );
}
