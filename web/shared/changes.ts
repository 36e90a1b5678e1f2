/* Views stay true when something changes elsewhere: other tabs of this browser say so, other machines are asked. */

/** Several changes in a row are one. */
const gatherMs = 200;

const channel = new BroadcastChannel('covermap-changes');
const here = new EventTarget();

/** Says that something may have been changed from this tab. */
export function announceChange(): void {
  channel.postMessage('changed');
  here.dispatchEvent(new Event('changed'));
}

/** The source of changes that are followed. */
export type Freshness = 'here' | 'elsewhere' | 'anywhere';

/** Calls `load` when what it shows may have changed. @param everyMs asks again so often where the tab is seen @returns ends it */
export function keepFresh(load: () => unknown, from: Freshness, everyMs: number): () => void {
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const isSeen = () => document.visibilityState === 'visible';
  // Nothing changes behind an open question, so that the element which gets the focus back still exists.
  const loadOnceAnswered = () => (document.querySelector('dialog[open]') ? soon() : load());
  const soon = () => {
    clearTimeout(gathering);
    gathering = setTimeout(loadOnceAnswered, gatherMs);
  };
  const ifSeen = () => {
    if (isSeen()) soon();
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  if (from !== 'here') {
    timer = setInterval(ifSeen, everyMs);
    document.addEventListener('visibilitychange', ifSeen);
    channel.addEventListener('message', soon);
  }
  if (from !== 'elsewhere') here.addEventListener('changed', soon);
  return () => {
    clearTimeout(gathering);
    clearInterval(timer);
    document.removeEventListener('visibilitychange', ifSeen);
    channel.removeEventListener('message', soon);
    here.removeEventListener('changed', soon);
  };
}
