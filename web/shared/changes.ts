/* Keeps views up to date: other tabs of the browser announce their changes, and the server is polled for others. */

/** Gathers several changes in a row. */
const gatherMs = 200;

const channel = new BroadcastChannel('covermap-changes');
const here = new EventTarget();

/** Announces that this tab may have changed something. */
export function announceChange(): void {
  channel.postMessage('changed');
  here.dispatchEvent(new Event('changed'));
}

export type Freshness = 'here' | 'elsewhere' | 'anywhere';

/** Calls `load` when its data may have changed. @param everyMs the interval of polling while the tab is visible @returns stops it */
export function keepFresh(load: () => unknown, from: Freshness, everyMs = 30_000): () => void {
  let gathering: ReturnType<typeof setTimeout> | undefined;
  // Waits while a dialog is open, so that the element which gets the focus back still exists.
  const loadOnceAnswered = () => (document.querySelector('dialog[open]') ? soon() : load());
  const soon = () => {
    clearTimeout(gathering);
    gathering = setTimeout(loadOnceAnswered, gatherMs);
  };
  const stop = from === 'here' ? undefined : onChangesElsewhere(soon);
  const timer = from === 'here' ? undefined : setInterval(ifVisible(soon), everyMs);
  if (from !== 'elsewhere') here.addEventListener('changed', soon);
  return () => {
    clearTimeout(gathering);
    clearInterval(timer);
    stop?.();
    here.removeEventListener('changed', soon);
  };
}

/** Calls back after changes by other tabs, and whenever this one is looked at again. @returns stops it */
export function onChangesElsewhere(listener: () => unknown): () => void {
  const onVisible = ifVisible(listener);
  document.addEventListener('visibilitychange', onVisible);
  channel.addEventListener('message', listener);
  return () => {
    document.removeEventListener('visibilitychange', onVisible);
    channel.removeEventListener('message', listener);
  };
}

const ifVisible = (call: () => unknown) => () => {
  if (document.visibilityState === 'visible') call();
};
