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

export type Role = 'operator' | 'staff' | 'customer';

/** Whoever presented an active token, or a session that began with one. */
export interface Identity {
  tokenId: number;
  role: Role;
  name: string;
  /** Whom an operator acts for; null for staff, who may act for any. */
  provider: { id: number; name: string } | null;
  /** The one whose account it is; null for operators and staff. */
  customer: { id: number; name: string } | null;
  /** When the token expires, and every session with it. */
  expiresAt: Date;
  localOnly: boolean;
}
