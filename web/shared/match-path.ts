/** The parts of a path that a route asks for, decoded; undefined where it is not this route's, or does not decode. */
export function matchPath(pattern: RegExp, path: string): string[] | undefined {
  try {
    return pattern.exec(path)?.slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
