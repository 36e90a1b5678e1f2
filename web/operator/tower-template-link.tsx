import type { ComponentChildren } from 'preact';

/** Downloads a list of towers with every column, to fill in. */
export function TowerTemplateLink({ children }: { children: ComponentChildren }) {
  return (
    <a href="/tower-template.csv" download>
      {children}
    </a>
  );
}
