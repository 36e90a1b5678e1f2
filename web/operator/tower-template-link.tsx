import type { ComponentChildren } from 'preact';

/** Downloads a list of towers with every column, to fill in. */
export function TowerTemplateLink({ children, ...props }: { class?: string; children: ComponentChildren }) {
  return (
    <a {...props} href="/tower-template.csv" download>
      {children}
    </a>
  );
}
