import type { ComponentChildren } from 'preact';

/** Own addresses in sentences. No others, as a sentence may contain a name from an uploaded file. */
const ownAddress = /(\/docs#\/[a-z0-9-]+|\/tower-template\.csv)/;

/** A text with its addresses of this service as links; other content as it is. */
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
