import { useEffect } from 'preact/hooks';

/** Calls a function at an interval while `isOn`. */
export function useInterval(call: () => unknown, ms: number, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(call, ms);
    return () => clearInterval(timer);
  }, [call, ms, isOn]);
}
