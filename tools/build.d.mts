export const parts: Record<'programs' | 'pages', { script: string; sources: string[]; variables: string[] }>;
export function build(names?: (keyof typeof parts)[]): Promise<void>;
export function digestOf(root: string, sources: readonly string[], variables: readonly string[]): string;
export function isMadeOf(place: string, digest: string): boolean;
export function putInPlace(place: string, digest: string, make: (folder: string) => unknown): Promise<void>;
