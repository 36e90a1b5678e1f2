import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { findOrInstall, which } from './debian.ts';
import { request } from './load.ts';
import { answers, freePort } from './private-servers.ts';

export type ProxyBinaries = NonNullable<ReturnType<typeof findProxy>>;

/** The programs for a proxy in front of the service, installed first where that can be done; else what is missing, in words. */
export const findOrInstallProxy = (): ProxyBinaries | string =>
  findOrInstall(findProxy, ['nginx-light', 'openssl'], 'nginx and OpenSSL are');

function findProxy() {
  const [nginx, openssl] = [which('nginx'), which('openssl')];
  return nginx && openssl ? { nginx, openssl } : undefined;
}

export type RunningProxy = Awaited<ReturnType<typeof startProxy>>;

/** Runs nginx with deploy/nginx.conf, for the name covermap.example. @param services the ports of the API's processes */
export async function startProxy({ nginx, openssl }: ProxyBinaries, services: number[]) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-proxy-'));
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2
    -subj /CN=covermap.example -keyout ${folder}/key.pem -out ${folder}/certificate.pem`;
  const certificate = spawnSync(openssl, words.split(/\s+/), { encoding: 'utf8' });
  if (certificate.status !== 0) throw new Error(certificate.stderr);
  const ports = { http: await freePort(), https: await freePort() };
  const site = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8')
    .replaceAll('/etc/letsencrypt/live/covermap.example/fullchain.pem', `${folder}/certificate.pem`)
    .replaceAll('/etc/letsencrypt/live/covermap.example/privkey.pem', `${folder}/key.pem`)
    .replaceAll('/var/log/nginx', folder)
    .replace(/(?:^ *server 127\.0\.0\.1:\d+(.*)\n)+/m, (_lines, how: string) =>
      services.map((port) => `server 127.0.0.1:${port}${how}\n`).join(''),
    )
    .replaceAll(/listen \[::\].*/g, '')
    .replaceAll('listen 80', `listen 127.0.0.1:${ports.http}`)
    .replaceAll('listen 443', `listen 127.0.0.1:${ports.https}`);
  for (const name of ['body', 'proxy', 'other']) mkdirSync(path.join(folder, name));
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/start.log;
     events {}
     http {
       client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/other;
       uwsgi_temp_path ${folder}/other; scgi_temp_path ${folder}/other;
       ${site}
     }`,
  );
  const options = ['-p', folder, '-c', `${folder}/nginx.conf`, '-e', `${folder}/start.log`];
  const check = spawnSync(nginx, [...options, '-t'], { encoding: 'utf8' });
  if (check.status !== 0) throw new Error(check.stderr);
  const proxy = spawn(nginx, options, { stdio: 'ignore' });
  const stop = async () => {
    const ended = once(proxy, 'exit');
    proxy.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  };
  const agent = new Agent({ rejectUnauthorized: false });
  const asked = { path: '/', headers: { host: 'covermap.example' } };
  await answers(async () => {
    const { status, text } = await request(`https://127.0.0.1:${ports.https}`, agent, asked);
    if (status === 0) throw new Error(text);
  }).catch(async (error) => {
    const log = readFileSync(`${folder}/start.log`, 'utf8');
    await stop();
    throw new Error(log, { cause: error });
  });
  // Its logs are in the folder.
  return { ports, folder, stop };
}
