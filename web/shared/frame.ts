import { h, render } from 'preact';
import { PublicHeader } from './ui/header.tsx';

/** The head of the pages for everybody. @param current the address of the page */
export function showPublicHeader(current: '/' | '/docs'): void {
  render(h(PublicHeader, { current }), document.getElementById('header') as HTMLElement);
}
