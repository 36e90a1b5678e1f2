/** Who does something, and from where. */
export interface Actor {
  /** `command`: at the terminal; `service`: covermap by itself, as an operator asked it to. */
  kind: 'operator' | 'staff' | 'customer' | 'command' | 'service';
  name: string;
  tokenId?: number | undefined;
  address?: string | undefined;
}

export const commandActor: Actor = { kind: 'command', name: 'npm run' };
export const serviceActor: Actor = { kind: 'service', name: 'covermap' };

/** Whose submissions, versions and uploads somebody may see: operators those of their provider, staff all. */
export interface Viewer {
  /** Null: every provider's. */
  providerId: number | null;
}
