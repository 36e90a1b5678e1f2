import { setTimeout as sleep } from 'node:timers/promises';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { signIn as beginSession, clientWith, cookieOf, customerWithKey } from './operator.ts';
import type { Entry } from './registry.ts';

/*
 * Everything that a service is used for, at once, and what its answers should have been. Each provider has an area of its own, and
 * publishes versions that differ by their speed: an answer says which version it is of.
 */

interface Published {
  name: string;
  west: number;
  /** The version that was acknowledged last; more than one while another is being published. */
  current: Set<number>;
  /** The id of its dataset. */
  dataset: number;
  /** The version published last, going back or not. */
  last: number;
  /** For each answer on its way, the versions that it may be of. */
  watchers: Set<Set<number>>;
}

export type MixedLoad = Awaited<ReturnType<typeof startMixedLoad>>;

const south = -41;
/** Each client pauses between its requests: the machine has other things to do. */
const pauseMs = 15;

/** @param urls of the APIs, which take turns */
export async function startMixedLoad(urls: readonly string[], staffToken: string, providers = 3) {
  /** Faults of answers, at most the first hundred. */
  const faults: string[] = [];
  /** Counts of requests, by kind. */
  const done: Record<string, number> = {};
  /** Answered queries by customer, for customers that got all of their answers. */
  const counted = new Map<number, number>();
  let turn = 0;
  const url = () => urls[turn++ % urls.length] as string;
  const staff = () => clientWith(url(), staffToken);
  const fault = (text: string) => {
    if (faults.length < 100) faults.push(text);
  };
  const areas = Array.from({ length: providers }, (_, i): Published => {
    const sets = { current: new Set<number>(), watchers: new Set<Set<number>>() };
    return { name: `Soak ${i + 1}`, west: 170 + i, dataset: 0, last: 0, ...sets };
  });
  const customer = async (name: string) => {
    const made = await customerWithKey(staff(), name);
    counted.set(made.id, 0);
    return made;
  };
  type Customer = Awaited<ReturnType<typeof customer>>;
  const count = ({ id }: Customer, queries: number) => counted.set(id, (counted.get(id) ?? 0) + queries);

  /** Publishes the next version of an area; now and then goes back to the one before. */
  async function publish(area: Published): Promise<void> {
    const version = ++area.last;
    const manifest = {
      provider: { name: area.name, url: 'https://soak.example/' },
      technology: 'fibre',
      speeds: { bandwidth_max_mbps: version, bandwidth_up_max_mbps: 20 },
      publish: 'auto',
    };
    const file = await zippedRectangle(area.west, south, area.west + 0.8, south + 0.8);
    const before = new Set(area.current);
    allow(area, new Set([...before, version]));
    const by = staff();
    const submission = await by.handIn(file, manifest);
    if (submission.status !== 'published')
      fault(`${area.name}, version ${version}, is ${submission.status}: ${submission.error?.message}`);
    allow(area, new Set([version]));
    const previous = area.dataset;
    area.dataset = submission.datasets[0]?.id ?? 0;
    if (version % 4 !== 0) return;
    allow(area, new Set([...before, version]));
    await by.json(`/api/operator/datasets/${previous}/rollback`, { replaces: area.dataset });
    area.dataset = previous;
    allow(area, before);
    done.rollbacks = (done.rollbacks ?? 0) + 1;
  }
  function allow(area: Published, versions: Set<number>): void {
    area.current = versions;
    for (const watcher of area.watchers) for (const version of versions) watcher.add(version);
  }

  async function text(response: Response, status: number, what: string): Promise<string> {
    const body = await response.text();
    if (response.status !== status) fault(`${what}: ${response.status} ${body.slice(0, 300)}`);
    return body;
  }
  const position = (area: Published): [number, number] => [
    south + 0.1 + 0.6 * Math.random(),
    area.west + 0.1 + 0.6 * Math.random(),
  ];
  /** Asks about positions of an area: all must show one version, which was current at some time during the request. */
  async function askAbout(area: Published, by: Customer, queries: number, ask: () => Promise<Response>) {
    const possible = new Set(area.current);
    area.watchers.add(possible);
    try {
      const body = await text(await ask(), 200, `${queries} queries`);
      count(by, queries);
      const versions = [...body.matchAll(/"name":"([^"]*)"[^}]*?"bandwidth_max_mbps":(\d+)/g)]
        .filter(([, name]) => name === area.name)
        .map(([, , speed]) => Number(speed));
      const [first] = versions;
      const areAlike = versions.length === queries && versions.every((one) => one === first);
      if (!areAlike || !possible.has(first as number))
        fault(`of ${area.name} with ${[...possible]}: ${versions} in ${body.slice(0, 300)}`);
    } finally {
      area.watchers.delete(possible);
    }
  }
  const lookup = (area: Published, by: Customer) => {
    const address = `${url()}/api/2.0/availability/${position(area).join('/')}`;
    return askAbout(area, by, 1, () => fetch(address, { headers: { 'x-api-key': by.key } }));
  };
  const lookup1 = (area: Published, by: Customer) => {
    const address = `${url()}/api/1.0/availability/yx/${position(area).join('/')}?api_key=${by.key}`;
    return askAbout(area, by, 1, () => fetch(address));
  };
  const askForMany = (positions: [number, number][], by: Customer, signal: AbortSignal | null = null) =>
    fetch(`${url()}/api/2.0/availability/bulk`, {
      ...{ method: 'POST', body: JSON.stringify(positions), signal },
      headers: { 'x-api-key': by.key, 'content-type': 'application/json' },
    });
  const bulk = (area: Published, by: Customer) => {
    const positions = Array.from({ length: 20 }, () => position(area));
    return askAbout(area, by, positions.length, () => askForMany(positions, by));
  };
  async function tile(): Promise<void> {
    const origin = url();
    const sets = JSON.parse(await text(await fetch(`${origin}/tiles.json`), 200, 'tile sets'));
    const { tilejson } = (sets.sets ?? sets)[0];
    const { tiles } = JSON.parse(await text(await fetch(tilejson), 200, 'tile set'));
    const zoom = 5 + Math.floor(Math.random() * 8);
    const [x, y] = [Math.floor(((171.4 + 180) / 360) * 2 ** zoom), Math.floor(0.6247 * 2 ** zoom)];
    const response = await fetch(tiles[0].replace('{z}', zoom).replace('{x}', x).replace('{y}', y));
    await response.arrayBuffer();
    if (![200, 204].includes(response.status)) fault(`tile ${zoom}/${x}/${y}: ${response.status}`);
  }
  async function registry(): Promise<void> {
    const name = `soak-${Math.floor(Math.random() * 1e6)}.nz`;
    const response = await fetch(`${url()}/1.0/availability?domains[]=kauri.nz&domains[]=${name}`);
    const entries: Entry[] = JSON.parse(await text(response, 200, 'registry'));
    const said = entries.map(({ code, domain }) => `${code} ${domain}`).join(', ');
    if (said !== `200 kauri.nz, 220 ${name}`) fault(`registry: ${said}`);
    await text(await fetch(`${url()}/1.0/droplist`), 200, 'droplist');
  }
  async function signIn(): Promise<void> {
    const origin = url();
    const begun = await beginSession(origin, staffToken);
    await text(begun, 200, 'signing in');
    const cookie = cookieOf(begun);
    const elsewhere = url();
    await text(await fetch(`${elsewhere}/api/session`, { headers: { cookie } }), 200, 'session');
    const signedOut = { method: 'DELETE', headers: { cookie, origin: elsewhere } };
    await text(await fetch(`${elsewhere}/api/session`, signedOut), 204, 'signing out');
    await text(await fetch(`${origin}/api/session`, { headers: { cookie } }), 401, 'session after its end');
  }
  async function wrongKey(): Promise<void> {
    const headers = { 'x-api-key': crypto.randomUUID() };
    const response = await fetch(`${url()}/api/2.0/availability/${south + 0.5}/171.5`, { headers });
    await text(response, 403, 'a wrong key');
  }
  async function leave(by: Customer): Promise<void> {
    await sleep(100);
    const positions = Array.from({ length: 100 }, (): [number, number] => [south + 0.5, 171.5]);
    await askForMany(positions, by, AbortSignal.timeout(Math.ceil(Math.random() * 25)))
      .then((response) => response.text())
      .catch(() => undefined);
  }
  async function rotate(by: Customer): Promise<void> {
    const address = `/api/staff/customers/${by.id}/keys/${by.keyId}/rotate`;
    type Made = { key: { id: number }; secret: string };
    const { key, secret } = await staff().json<Made>(address, { overlap_hours: 0 });
    Object.assign(by, { keyId: key.id, key: secret });
    await sleep(200);
  }

  const askers = [await customer('Asker 1'), await customer('Asker 2')];
  const lister = await customer('Lister');
  const rotating = await customer('Rotating');
  const leaving = await customer('Leaving');
  counted.delete(leaving.id);
  for (const area of areas) await publish(area);
  const any = () => areas[Math.floor(Math.random() * areas.length)] as Published;
  const clients: Record<string, () => Promise<void>> = {
    lookups: () => lookup(any(), askers[0] as Customer),
    'lookups of version 1.0': () => lookup1(any(), askers[1] as Customer),
    lists: () => bulk(any(), lister),
    tiles: tile,
    'registry requests': registry,
    'sign-ins': signIn,
    'wrong keys': wrongKey,
    'clients that left': () => leave(leaving),
    'lookups with a rotated key': async () => {
      await rotate(rotating);
      for (let i = 0; i < 5; i++) await lookup(any(), rotating);
    },
  };
  for (const area of areas) clients[`publications of ${area.name}`] = () => publish(area);
  return {
    faults,
    done,
    counted,
    staff: staff(),
    /** Resolves when all requests have ended. */
    async run(untilMs: number) {
      const loop = async ([kind, act]: [string, () => Promise<void>]) => {
        for (; Date.now() < untilMs; await sleep(pauseMs)) {
          await act().catch((error) => fault(`${kind}: ${error.message} ${error.cause ?? ''}`));
          done[kind] = (done[kind] ?? 0) + 1;
        }
      };
      await Promise.all(Object.entries(clients).map(loop));
    },
  };
}
