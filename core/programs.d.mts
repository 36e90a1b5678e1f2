export function isCommand(name: string | undefined): boolean;
export function programFile(name: string): Promise<string>;
export function threadProgram(name: string): Promise<[file: string, ...args: string[]]>;
