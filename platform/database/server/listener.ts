import pg from 'pg';

const reconnectDelayMs = 1000;
/** A server may take this long to connect and to listen: neither takes work. */
const limits: pg.PoolConfig = { connectionTimeoutMillis: 3_000, query_timeout: 3_000 };

interface Subscription {
  channel: string;
  onNotify: (payload: string) => void;
  onGap: (() => void) | undefined;
}

/** One connection for all LISTENs of the process, opened on first use and reopened whenever it is lost. */
export class Listener {
  readonly #settings: pg.PoolConfig;
  readonly #subscriptions = new Set<Subscription>();
  #client: Promise<pg.Client> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(settings: pg.PoolConfig) {
    this.#settings = settings;
  }

  async listen(channel: string, onNotify: (payload: string) => void, onGap?: () => void) {
    const subscription: Subscription = { channel, onNotify, onGap };
    this.#subscriptions.add(subscription);
    const client = await this.#connected();
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    return async () => {
      this.#subscriptions.delete(subscription);
    };
  }

  async close() {
    this.#closed = true;
    clearTimeout(this.#retry);
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#settings, ...limits });
    client.on('notification', ({ channel, payload }) => {
      for (const subscription of this.#subscriptions) {
        if (subscription.channel === channel) subscription.onNotify(payload ?? '');
      }
    });
    client.on('error', () => this.#reconnectLater(client));
    client.on('end', () => this.#reconnectLater(client));
    try {
      await client.connect();
      for (const channel of new Set([...this.#subscriptions].map((subscription) => subscription.channel))) {
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      }
    } catch (error) {
      this.#reconnectLater(client);
      throw error;
    }
    return client;
  }

  #reconnectLater(client: pg.Client) {
    client.removeAllListeners();
    client.on('error', () => undefined);
    client.end().catch(() => undefined);
    this.#client = undefined;
    if (this.#closed) return;
    clearTimeout(this.#retry);
    const reconnect = async () => {
      await this.#connected();
      for (const { onGap } of this.#subscriptions) onGap?.();
    };
    this.#retry = setTimeout(() => void reconnect().catch(() => undefined), reconnectDelayMs);
  }
}
