/*
 * What is shown stays true where something changes elsewhere: in another tab of this browser, which says so, or on another
 * machine, which is found out when the tab is looked at and now and then while it is.
 */

/** How often a tab that can be seen asks again. */
const askAgainMs = 30_000;
/** Several changes in a row are one. */
const gatherMs = 200;

const channel = new BroadcastChannel('covermap-changes');
const here = new EventTarget();

/** Says that something was changed from this tab. */
export function announceChange(): void {
  channel.postMessage('changed');
  here.dispatchEvent(new Event('changed'));
}

/**
 * Calls `load` when what it shows may have changed elsewhere.
 * @param own also when it was changed from this tab
 * @returns ends it
 */
export function keepFresh(load: () => unknown, own = false): () => void {
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const isSeen = () => document.visibilityState === 'visible';
  const soon = () => {
    clearTimeout(gathering);
    gathering = setTimeout(load, gatherMs);
  };
  const ifSeen = () => {
    if (isSeen()) soon();
  };
  const timer = setInterval(ifSeen, askAgainMs);
  document.addEventListener('visibilitychange', ifSeen);
  channel.addEventListener('message', soon);
  if (own) here.addEventListener('changed', soon);
  return () => {
    clearTimeout(gathering);
    clearInterval(timer);
    document.removeEventListener('visibilitychange', ifSeen);
    channel.removeEventListener('message', soon);
    here.removeEventListener('changed', soon);
  };
}
