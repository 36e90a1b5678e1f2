/** `command`: at the terminal; `service`: covermap by itself, as an operator asked it to. */
export const actorKinds = ['operator', 'staff', 'customer', 'command', 'service'] as const;

/** Who does something, and from where. */
export interface Actor {
  kind: (typeof actorKinds)[number];
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
