import { h, icon, icons } from '../dom.ts';

/** A link that downloads a list. */
export function csvLink(href: string): HTMLAnchorElement {
  return h('a', { class: 'button', href, download: true }, icon(icons.download, 18), 'CSV');
}
