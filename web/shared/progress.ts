import { fill, h, newId } from './dom.ts';

export interface ProgressBar {
  element: HTMLElement;
  /** @param percent 0 to 100; null where nobody knows how far it is */
  show(label: string, percent: number | null, detail?: string): void;
}

/** A bar with the name of the step above it, and under it what there is to say of it. */
export function progressBar(): ProgressBar {
  const id = newId('progress');
  const label = h('span', { id, class: 'progress-label' });
  const share = h('span', { class: 'progress-share', 'aria-hidden': 'true' });
  const done = h('div', { class: 'progress-done' });
  const track = h('div', { class: 'progress-track', role: 'progressbar', 'aria-labelledby': id }, done);
  track.setAttribute('aria-valuemin', '0');
  track.setAttribute('aria-valuemax', '100');
  const detail = h('p', { class: 'progress-detail' });
  return {
    element: h(
      'div',
      { class: 'progress' },
      h('div', { class: 'progress-head' }, label, share),
      track,
      detail,
    ),
    show(text, percent, more = '') {
      fill(label, text);
      fill(detail, more);
      track.classList.toggle('unknown', percent === null);
      if (percent === null) {
        track.removeAttribute('aria-valuenow');
        fill(share, '');
        return;
      }
      const shown = Math.min(100, Math.max(0, Math.round(percent)));
      track.setAttribute('aria-valuenow', String(shown));
      done.style.width = `${shown}%`;
      fill(share, `${shown}%`);
    },
  };
}
