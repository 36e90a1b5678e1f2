import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import S3rver from 's3rver';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../platform/config.ts';
import { variables } from '../../platform/config-variables.ts';
import { filesIn, readText, root, serverFolders } from '../setup/project.ts';

/* compose.yaml and what it names. Containers are not started here: what they would run is (test/setup/topology.ts). */

const text = readText('compose.yaml');
const folder = scratchFolder();

type Lists = 'command' | 'cap_drop' | 'cap_add' | 'security_opt' | 'tmpfs' | 'volumes' | 'ports';
interface ComposeService extends Partial<Record<Lists, string[]>> {
  image: string;
  environment?: Record<string, string | number>;
  user?: string;
  env_file?: string | string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  hostname?: string;
  restart: string;
}
interface Composed {
  services: Record<string, ComposeService>;
  volumes: Record<string, null>;
}
const { services, volumes } = parse(text, { merge: true }) as Composed;
const all = Object.entries(services);
const ours = all.filter(([, { image }]) => image === 'covermap');
/** Those that answer and work for as long as the installation does. */
const lasting = ['api', 'api-2', 'worker', 'worker-2'];
const secret = /\$\{(\w+)(?::\?)?\}/g;
const secrets = [...new Set([...text.matchAll(secret)].map(([, name]) => name as string))];
const dockerfile = readText('Dockerfile');
const imageCommand = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] as string) as string[];

test('services that must survive the loss of one process have two, and servers keep their data apart', () => {
  expect(ours.map(([name]) => name).sort()).toEqual([...lasting, 'bucket', 'migrate'].sort());
  const named = (list: typeof all) =>
    list.flatMap(([, service]) => service.volumes ?? []).filter((volume) => /^[a-z]/.test(volume));
  const servers = named(all.filter((one) => !ours.includes(one))).map((volume) => volume.split(':')[0]);
  expect(new Set(servers).size).toBe(servers.length);
  expect([...servers, 'data'].sort()).toEqual(Object.keys(volumes).sort());
  expect(new Set(named(ours))).toEqual(new Set(['data:/var/lib/covermap']));
});

test('every password is required, and deploy/compose.env has it', () => {
  for (const name of secrets) expect(text, name).toContain(`\${${name}:?}`);
  const example = [...readText('deploy/compose.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect(example.sort()).toEqual([...secrets].sort());
});

test('terrain and land cover are optional: their lines need no more than to be uncommented', () => {
  const commented = /^( *)#(?=- \/srv\/(?:terrain|clutter)|(?:TERRAIN|CLUTTER)_DIR:)/gm;
  expect([...text.matchAll(commented)]).toHaveLength(6);
  const { services: withTerrain }: Composed = parse(text.replaceAll(commented, '$1'), { merge: true });
  for (const name of lasting) {
    for (const variable of ['TERRAIN_DIR', 'CLUTTER_DIR']) {
      expect(services[name]?.environment).not.toHaveProperty(variable);
      const folder = withTerrain[name]?.environment?.[variable];
      expect(withTerrain[name]?.volumes, name).toContain(`${folder}:${folder}:ro`);
      expect(readText('deploy/covermap.env')).toContain(`\n#${variable}=${folder}\n`);
    }
  }
});

test.each(ours)('%s runs what is there, with variables that the configuration knows', (_, service) => {
  // YAML takes 3 for a number, the environment for a text.
  const given = Object.entries(service.environment ?? {});
  const env = Object.fromEntries(given.map(([name, value]) => [name, `${value}`.replaceAll(secret, 'x')]));
  const known = Object.values(variables).flatMap((group) => Object.keys(group));
  expect(Object.keys(env).filter((one) => !one.startsWith('AWS_') && !known.includes(one))).toEqual([]);
  expect(() => readConfig(env)).not.toThrow();
  const [program, file, name] = service.command ?? imageCommand;
  expect(program).toBe('node');
  expect(existsSync(path.join(root, file as string))).toBe(true);
  if (name) expect(readdirSync(path.join(root, 'commands'))).toContain(`${name}.ts`);
});

test('what others wait for can be seen to be well', () => {
  for (const [name, { depends_on: needed = {} }] of all) {
    for (const [other, { condition }] of Object.entries(needed)) {
      const service = services[other] as ComposeService;
      expect(service, `${name} needs ${other}`).toBeDefined();
      const ofImage = service.image === 'covermap' && /^HEALTHCHECK/m.test(dockerfile);
      if (condition === 'service_healthy') expect(service.healthcheck ?? ofImage, other).toBeTruthy();
      else expect(service.restart, other).toBe('no');
    }
  }
});

/** Paths on the machine that containers mount or compose reads. */
const ofTheMachine = all.flatMap(([, { volumes = [], env_file = [] }]) => [
  ...volumes.filter((volume) => !/^[a-z]/.test(volume)).map((volume) => volume.replace(/:[^:]*(:ro)?$/, '')),
  ...[env_file].flat(),
]);

describe('secrets get neither into git nor into the image', () => {
  const rules = [...readText('.dockerignore').matchAll(/^(!?)([^#\n].*)$/gm)].map(([, kept, glob = '']) => ({
    kept: kept === '!',
    pattern: new RegExp(`^${globOf(glob)}(/|$)`),
  }));
  /** By the last rule that names the file or a folder that it is in, as Docker decides. */
  const isInImage = (file: string) => rules.findLast(({ pattern }) => pattern.test(file))?.kept ?? true;
  /** The files that git ignores, by the rules of this checkout alone. */
  const ignoredByGit = (files: string[]) => {
    spawnSync('git', ['init', '--quiet', folder]);
    copyFileSync(path.join(root, '.gitignore'), path.join(folder, '.gitignore'));
    const { stdout, status } = spawnSync('git', ['-C', folder, 'check-ignore', '--no-index', ...files]);
    expect(status).toBeLessThan(2);
    return stdout.toString().split('\n').filter(Boolean);
  };
  const secretFiles = [
    // Read by docker compose where nothing else is named.
    ...['.env', '.env.production', 'deploy/.env', 'deploy/tls/privkey.pem', 'deploy/tls/fullchain.pem'],
    ...['covermap.key', 'web/covermap.p12', '.data/uploads/coverage.zip', 'docs/database.dump'],
    ...['covermap.log', 'backup/backup.json', 'backup-2026-11-22/database.tar'],
  ];

  test('git ignores them, and so does the image', () => {
    expect(ignoredByGit(secretFiles)).toEqual(secretFiles);
    expect(secretFiles.filter(isInImage)).toEqual([]);
  });
  test('what compose mounts or reads is a file of the project, or lies outside the checkout', () => {
    expect(ofTheMachine.length).toBeGreaterThan(4);
    const inside = ofTheMachine.filter((file) => file.startsWith('.')).map((file) => path.normalize(file));
    // These files are tracked by git: a secret in one would show as a change.
    expect(ignoredByGit(inside)).toEqual([]);
    for (const file of inside)
      expect([existsSync(path.join(root, file)), isInImage(file)], file).toEqual([true, false]);
    const outside = ofTheMachine.filter((file) => !file.startsWith('.'));
    for (const file of outside) expect(file).toMatch(/^(\$\{COVERMAP_SECRETS_DIR:-\/etc\/covermap\}|\/)\//);
  });
  test('what is not listed is not in the image, and what its commands are made of is', () => {
    const unlisted = 'notes.txt data/register.csv deploy/covermap.env test/setup/run.ts .git/config';
    expect(unlisted.split(' ').filter(isInImage)).toEqual([]);
    const copied = [...dockerfile.matchAll(/^COPY (?!--)(.*) \S+$/gm)].map(([, files]) => files).join(' ');
    const made = ['client', 'docs', 'migrations', 'tools', 'web', ...serverFolders];
    const needed = [
      ...copied.split(' ').filter((one) => one !== '.'),
      ...made.map((one) => `${one}/x.ts`),
      ...ours.map(([, { command = imageCommand }]) => command[1] as string),
    ];
    expect(needed.filter((file) => !isInImage(file))).toEqual([]);
  });
});

/** A pattern of .dockerignore as an expression. */
function globOf(pattern: string): string {
  return pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '(?:.*/)?')
    .replace(/(?<![.)])\*/g, '[^/]*');
}

test.each(all)('%s has no capabilities, gains no rights, and writes to its volumes', (name, service) => {
  // nginx listens on low ports, and runs its workers as another user.
  const needed: Record<string, string[]> = { nginx: ['CHOWN', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'] };
  const may = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
  expect(service).toMatchObject({ ...may, ...(needed[name] && { cap_add: needed[name] }) });
  expect(service.cap_add ?? []).toHaveLength(needed[name]?.length ?? 0);
  // The scripts of these images begin as root unless told otherwise.
  if (/^(postgis|redis)/.test(service.image)) expect(service.user).toMatch(/^(postgres|redis)$/);
});

test('scratch is on the disk: gigabytes of it would count as memory', () => {
  for (const [name, { tmpfs }] of ours) expect(tmpfs, name).toBeUndefined();
  expect(JSON.parse(/^VOLUME (.*)$/m.exec(dockerfile)?.[1] as string)).toContain('/tmp');
  expect(readText('deploy/covermap-.service.d/hardening.conf')).toMatch(/^Environment=TMPDIR=\/var\/tmp$/m);
});

test('a container that is made anew knows what it left behind: its name stays', () => {
  for (const name of lasting) expect(services[name]?.hostname).toBe(name);
});

test('the image is built on a supported Node, by its digest', () => {
  const [, major, digest] = /^ARG NODE=node:(\d+)[\w.-]+@sha256:([0-9a-f]+)$/m.exec(dockerfile) ?? [];
  // With long-term support: until April 2027, 2028, 2029.
  expect(['22', '24', '26']).toContain(major);
  expect(digest).toHaveLength(64);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of Docker
  expect(dockerfile.match(/^FROM .*$/gm)).toEqual(['FROM ${NODE} AS build', 'FROM ${NODE}']);
});

test('no unit has a password on a command line', () => {
  expect(readText('deploy/covermap-migrate.env')).toMatch(/^DATABASE_URL=postgres:\/\/covermap_owner@/m);
  for (const name of filesIn('deploy').filter((one) => one.endsWith('.service'))) {
    for (const [line] of readText(name).matchAll(/^Exec.*$/gm)) {
      expect(line, name).not.toMatch(/password|\$\{(?!DATABASE_URL\})/i);
    }
  }
});

test('a backup as the documentation makes it finds the files of the service, and the owner of the database', () => {
  const configured = (names: string[]) => {
    const lines = names.flatMap((name) => [...readText(`deploy/${name}`).matchAll(/^(\w+)=(.*)$/gm)]);
    return readConfig(Object.fromEntries(lines.map(([, name, value]) => [name, value])));
  };
  const { uploadDir, s3 } = configured(['covermap.env']);
  const blocks = readText('docs/administrator/backup.md').match(/^```sh$.*?^```$/gms) ?? [];
  const inContainers = blocks.filter((block) => block.includes('docker compose run'));
  expect(inContainers.join()).toMatch(/ migrate node .* backup .* migrate node .* restore /s);
  expect(services.migrate?.environment).toMatchObject(services.bucket?.environment ?? {});
  expect(dockerfile).toContain(' postgresql-client ');
  expect(blocks).toHaveLength(4);
  for (const block of blocks.filter((one) => !inContainers.includes(one))) {
    const named = [...block.matchAll(/\. \/etc\/([\w-]+\.env);/g)].map(([, name = '']) => name);
    const databaseUrl = expect.stringContaining('covermap_owner');
    expect(configured(named)).toMatchObject({ uploadDir, s3, databaseUrl });
  }
});

test('only the proxy is reached from outside', () => {
  const ports = all.flatMap(([name, service]) => (name === 'nginx' ? [] : (service.ports ?? [])));
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test('the proxy has both APIs behind it', () => {
  const command = services.nginx?.command?.at(-1) as string;
  const [, from = '', to = ''] = /s\/(server [^/]+)\/([^/]+)\//.exec(command) ?? [];
  const conf = readText('deploy/nginx.conf').replace(new RegExp(from), to.replaceAll('\\1', '$1'));
  // Both servers have the same parameters.
  const [, ofOne] = /server api:3000(.*?); server api-2:3000\1;/.exec(conf) ?? [];
  expect(ofOne).toMatch(/fail_timeout=\d/);
});

test('the image runs as nobody special, who owns none of its program', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('FROM'));
  expect(last).toMatch(/^USER node$/m);
  expect(last).not.toMatch(/--chown/);
});

test('the image lacks what only building needs, and nothing that the built programs load', () => {
  const removed = /rm -r (.*)$/m.exec(dockerfile)?.[1]?.split(' ') ?? [];
  const present = readdirSync(path.join(root, 'node_modules'));
  const isRemovedBy = (name: string) => (one: string) =>
    name.endsWith('*') ? one.startsWith(name.slice(0, -1)) : one === name || one.startsWith(`${name}/`);
  const programs = filesIn('dist/programs').filter((name) => name.endsWith('.js'));
  const loaded = programs
    .flatMap((name) => [...readText(name).matchAll(/(?:\bfrom |\bimport |\(|= )"([^".][^"]*)"/g)])
    .map((match) => match[1] as string);
  expect(loaded).toContain('@electric-sql/pglite');
  for (const name of removed) {
    expect(present.some(isRemovedBy(name)), name).toBe(true);
    expect(loaded.filter(isRemovedBy(name)), name).toEqual([]);
  }
});

test('the bucket is created once', async () => {
  const server = new S3rver({ directory: folder, silent: true, port: 0, address: '127.0.0.1' });
  const { port } = await server.run();
  onTestFinished(() => server.close());
  onTestFinished(() => void vi.unstubAllEnvs());
  const env = { S3_BUCKET: 'covermap', S3_ENDPOINT: `http://127.0.0.1:${port}` };
  const keys = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  for (const [name, value] of Object.entries({ ...env, ...keys })) vi.stubEnv(name, value);
  for (const time of [1, 2]) await import(/* @vite-ignore */ `../../deploy/create-bucket.mjs?time=${time}`);
  expect(existsSync(path.join(folder, 'covermap'))).toBe(true);
});

test.each(['deploy/compose-roles.sh', 'deploy/start-replica.sh'])('%s is a script of the shell', (name) => {
  expect(spawnSync('sh', ['-n', path.join(root, name)]).status).toBe(0);
});
