/** Three nodes of the service on one PostgreSQL database, behind nginx with the sample of the release. */
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import {
  type DistributionService,
  startDistributionService,
} from '../../bed/distribution-service.ts'
import { findFreePort } from '../../bed/free-port.ts'
import { startPostgres } from '../../bed/postgres.ts'
import { type Program, type Settings, startProgram } from '../../bed/program.ts'
import { root } from '../../bed/repository.ts'
import { createPostgresRuntime } from '../../bed/service-runtimes.ts'
import { waitFor } from '../../bed/wait-for.ts'

export interface Nodes {
  /** Each is a process; what is requested of any goes to nginx. */
  readonly all: readonly [DistributionService, ...DistributionService[]]
  stop(): Promise<void>
}

const sample = join(root, 'ds/release/files/proxy/nginx-nodes.conf')
/** The ports of the sample. */
const samplePorts = ['8081', '8082', '8083'] as const

/** Starts all three at once, on an empty database. */
export async function startNodes(settings: Settings): Promise<Nodes> {
  const ports = await Promise.all(samplePorts.map(() => findFreePort()))
  const proxy = await startProxy(ports)
  const postgres = await startPostgres()
  const database = await postgres.createDatabase()
  const shared = {
    ...settings,
    DS_URL: proxy.url,
    DS_SECRET: randomBytes(32).toString('base64'),
  }
  const start = (port: number) =>
    startDistributionService(
      createPostgresRuntime(async () => database),
      { ...shared, DS_PORT: String(port) },
    )
  const [first = 0, ...others] = ports
  const all = await Promise.all([start(first), ...others.map(start)] as const)
  await waitFor(async () => (await fetch(`${proxy.url}/health`)).ok)
  return {
    all,
    async stop() {
      await Promise.all(all.map((node) => node.stop()))
      await postgres.remove()
      await proxy.stop()
    },
  }
}

async function startProxy(
  ports: readonly number[],
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-nodes-'))
  // As another account it keeps bodies there.
  await chmod(folder, 0o755)
  const port = await findFreePort()
  let upstream = await readFile(sample, 'utf8')
  for (const [at, of] of samplePorts.entries())
    upstream = upstream.replace(`127.0.0.1:${of} `, `127.0.0.1:${ports[at]} `)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join('\n')
  const configuration = `
    ${process.getuid?.() === 0 ? 'user root root;' : ''}
    daemon off;
    pid ${join(folder, 'pid')};
    error_log stderr notice;
    # A busy machine lets requests wait, each with two connections; nginx answers 500 when it has no more (default 512).
    events { worker_connections 8192; }
    http {
      access_log off;
      ${folders}
      ${upstream}
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://cardwire-ds;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $remote_addr;
        }
      }
    }`
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configuration)
  const program: Program = startProgram(['nginx', '-e', 'stderr', '-p', folder, '-c', file])
  await program.waitForOutput(/start worker process \d/)
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await program.stopGroup()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
