/** The service on workerd, as `wrangler dev --local` starts it from wrangler.toml: real D1, R2 and rate limits. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getPlatformProxy } from 'wrangler'
import { freePort } from './free-port.ts'
import { bin, cleanEnvironment, launch, type Runtime, root } from './service.ts'

const quiet = { WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG_SANITIZE: 'false', CI: 'true' }

export const worker: Runtime = async ({ folder, settings, packages }) => {
  const persist = join(folder, 'state')
  await promisify(execFile)(
    bin('wrangler'),
    ['d1', 'migrations', 'apply', 'cardwire', '--local', '--persist-to', persist],
    { cwd: root, env: { ...cleanEnvironment(), ...quiet } },
  )
  await fillBucket(join(persist, 'v3'), packages)

  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const variables = { DS_URL: url, DS_SECRET: randomBytes(32).toString('base64'), ...settings }
  const options = [
    ...['dev', '--local', '--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0'],
    ...['--persist-to', persist, '--log-level', 'log', '--show-interactive-dev-session', 'false'],
    ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ]
  const started = await launch(bin('wrangler'), options, quiet, /Ready on (http:\S+)/)
  return { ...started, url, addressHeader: 'cf-connecting-ip' }
}

async function fillBucket(
  path: string,
  packages: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  if (Object.keys(packages).length === 0) return
  const proxy = await getPlatformProxy<{
    PACKAGES: { put(key: string, bytes: Uint8Array): Promise<unknown> }
  }>({
    configPath: join(root, 'wrangler.toml'),
    persist: { path },
  })
  for (const [key, bytes] of Object.entries(packages)) await proxy.env.PACKAGES.put(key, bytes)
  await proxy.dispose()
}
