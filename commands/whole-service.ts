import path from 'node:path';
import { requireFreePort, startApi } from '../api/server.ts';
import type { Manifest } from '../coverage/submissions/manifest.ts';
import { pathProfiles } from '../ingest/towers/path-profiles.ts';
import { speedTrials } from '../ingest/towers/speed-trials.ts';
import type { Config } from '../platform/config.ts';
import { startWorkers } from '../workers/worker.ts';
import { administer } from './admin/commands.ts';
import { type Application, openApplication } from './application.ts';
import { makeBackup } from './backup/make.ts';
import { serveControl } from './control.ts';
import {
  type DemoAccess,
  demoAccess,
  demoAddress,
  demoCustomerToken,
  demoKey,
  demoOperatorToken,
  demoPosition,
  demoStaffToken,
  seedDemo,
} from './demo.ts';
import { seedAddresses } from './demo-addresses.ts';
import { seedFee } from './demo-fee.ts';
import { seedRegions } from './demo-regions.ts';
import { openDemoRehearsal } from './demo-rehearsal.ts';
import { lacksReview, seedReview } from './demo-review.ts';
import { type AddressCall, importAddressesAndFollow } from './import-addresses.ts';
import { type ImportCall, importAndFollow } from './import-register.ts';
import { untilStopped } from './run.ts';
import { newSamples, submitSamples } from './samples.ts';
import { submitAndFollow } from './submit.ts';

/** Runs API, pages and workers until it is stopped. The port opens once every answer is available. @returns the exit status */
export async function serveWhole(config: Config): Promise<number> {
  const application = await openApplication(config);
  const embedded = !config.databaseUrl;
  const closing: (() => Promise<void>)[] = [() => application.close()];
  let stopping = false;
  let starting: Promise<unknown> | undefined;
  const close = async () => {
    stopping = true;
    await starting?.catch(() => undefined);
    for (const step of closing.splice(0).reverse()) await step();
  };
  /** @returns undefined where the service is being stopped */
  const begin = async <P extends { close(): Promise<void> }>(start: () => Promise<P>) => {
    if (stopping) return undefined;
    const part = start().then((begun) => {
      closing.push(() => begun.close());
      return begun;
    });
    starting = part;
    return part;
  };
  const serve = async () => {
    // Opened before the demo is filled, as workers have its clock.
    const rehearsal = embedded ? await openDemoRehearsal(application) : undefined;
    const startWork = () => begin(() => startWorkers({ ...application, now: rehearsal?.now }));
    const works = embedded && (await fillDemo(application, closing, startWork));
    const { config, storage, database } = application;
    const pathProfile = pathProfiles(config, storage);
    const trySpeeds = speedTrials(config, storage, database);
    const api = await begin(() => startApi(application, { pathProfile, trySpeeds, rehearsal }));
    if (!api) return;
    const demo = embedded ? await demoAccess(application.database) : undefined;
    console.log(greeting(api.url, config.host, demo));
    // Workers run a hundred statements first, and nobody waits for those.
    if (!works) await startWork();
  };
  try {
    const stopped = untilStopped(close);
    // A stop while seeding closes the database, which is no failure.
    const served = serve().catch((error) => (stopping ? undefined : Promise.reject(error)));
    await Promise.race([served, stopped]);
    return await stopped;
  } catch (error) {
    await close();
    throw error;
  }
}

/** With the embedded database: does the work of other commands, and fills the demo. @returns true if workers were started for that */
async function fillDemo(
  application: Application,
  closing: (() => Promise<void>)[],
  startWork: () => Promise<unknown>,
): Promise<boolean> {
  closing.push(await serveControl(application.config.dataDir, controlHandlers(application)));
  await seedFee(application, new Date());
  await seedDemo(application.database);
  await seedAddresses(application);
  await seedRegions(application);
  const samples = await newSamples(application.database);
  if (samples.length === 0 && !(await lacksReview(application.database))) return false;
  // The samples take up to a minute, after which nobody wants to hear this.
  await requireFreePort(application.config);
  await startWork();
  await submitSamples(application, samples);
  await seedReview(application);
  return true;
}

function controlHandlers(application: Application) {
  return {
    ingest: ({ file, manifest }: { file: string; manifest: Manifest }) =>
      submitAndFollow(application, { path: file, name: path.basename(file) }, manifest),
    'addresses-import': (call: AddressCall) => importAddressesAndFollow(application, call),
    'registry-import': (call: ImportCall) => importAndFollow(application.database, call),
    async *backup({ folder }: { folder: string }) {
      yield await makeBackup(application, folder);
    },
    async *admin(words: string[]) {
      yield await administer(application, words);
    },
  };
}

/** @param demo the demo's credentials that are still active; undefined on servers */
function greeting(url: string, host: string, demo: DemoAccess | undefined): string {
  const key = demo?.key ? demoKey : '<key>';
  const token = (part: 'operator' | 'staff' | 'customer', name: string) =>
    demo?.[part] ? `, with the token ${name}` : '';
  const byAddress = demo?.key
    ? `\n  curl -H 'x-api-key: ${key}' '${url}/api/2.0/availability/address?q=${demoAddress.replaceAll(' ', '+')}'`
    : '';
  return `
covermap is ready.

  Map           ${url}/
  Docs          ${url}/docs
  Version 2.0   ${url}/api/2.0/availability/<lat>/<lng>
                ${url}/api/2.0/providers
  Version 1.0   ${url}/api/1.0/availability/yx/<lat>/<lng>?api_key=${key}
  Registry      ${url}/1.0/availability?string=<label>
                ${url}/1.0/droplist
  Operators     ${url}/operator${token('operator', demoOperatorToken)}
  Staff         ${url}/staff${token('staff', demoStaffToken)}
  Customers     ${url}/account${token('customer', demoCustomerToken)}
  Health        ${url}/healthz, ${url}/readyz

${
  demo && Object.values(demo).includes(true)
    ? aboutDemo(host, demo)
    : 'Make a key with: npm run admin -- key create "<customer>". Then:'
}

  curl -H 'x-api-key: ${key}' ${url}/api/2.0/availability/${demoPosition.lat}/${demoPosition.lng}${byAddress}

Ctrl-C stops it.`;
}

function aboutDemo(host: string, { key, registrar }: DemoAccess): string {
  const everywhere = !/^(localhost|127\..*|::1)$/.test(host);
  const listens = everywhere
    ? `It listens on ${host}, where other machines may reach it. The demo's key and tokens are public, and work on this machine only; create others: npm run admin -- key create, token create.`
    : `It listens on this machine only, as the demo's key and tokens are public.`;
  const registry = registrar ? ' The registry answers this machine too.' : '';
  return `${listens}${registry}${key ? ' Try:' : ''}`;
}
