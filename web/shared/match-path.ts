/** The decoded parts of a path that a route asks for; undefined if it does not match or decode. */
export function matchPath(pattern: RegExp, path: string): string[] | undefined {
  try {
    return pattern.exec(path)?.slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
