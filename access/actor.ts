/** `command`: at the terminal; `service`: covermap by itself, as an operator asked it to. */
export const actorKinds = ['operator', 'staff', 'customer', 'command', 'service'] as const;

export interface Actor {
  kind: (typeof actorKinds)[number];
  name: string;
  tokenId?: number | undefined;
  address?: string | undefined;
}

export const commandActor: Actor = { kind: 'command', name: 'npm run' };
export const serviceActor: Actor = { kind: 'service', name: 'covermap' };

/** The viewer of submissions, versions and uploads: operators see those of their provider, staff all. */
export interface Viewer {
  /** Null: every provider's. */
  providerId: number | null;
}

export type Role = 'operator' | 'staff' | 'customer';

/** The owner of an active token, or of a session that began with one. */
export interface Identity {
  tokenId: number;
  role: Role;
  name: string;
  /** The provider of an operator; null for staff, who may act for any. */
  provider: { id: number; name: string } | null;
  /** The customer whose account it is; null for operators and staff. */
  customer: { id: number; name: string } | null;
  /** When the token expires, and every session with it. */
  expiresAt: Date;
  localOnly: boolean;
}
