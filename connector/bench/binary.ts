/** The compiled connector, started as its user would, with requests by curl. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readLines } from '../src/system/ipc/read-lines.ts'

const binary = fileURLToPath(new URL('../dist/cardwire', import.meta.url))

export interface RunningConnector {
  readonly pid: number
  readonly port: number
  /** The file of the root certificate. */
  readonly ca: string
  readonly token: string
  /** From the start of the process to the end of its first answer. */
  readonly answeredMs: number
  /** How long it took to make the root, where it made one. */
  readonly keyMs: number
  /** Resolves when it lists the readers. */
  waitForReaders(): Promise<void>
  /** Resolves when it has found the registry. */
  waitForRegistry(): Promise<void>
  stop(): Promise<void>
}

export const createCurlCommand = ({ ca, token }: Pick<RunningConnector, 'ca' | 'token'>) => [
  ...['curl', '-sS', '--cacert', ca, '-H', 'X-CSRF-Token: t1c-js'],
  ...['-H', `Authorization: Bearer ${token}`],
]

export async function startBinary(
  home: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningConnector> {
  const started = performance.now()
  const child = Bun.spawn([binary, 'run'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      CARDWIRE_API_PORTS: '27000-27999',
      ...settings,
    },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  let keyMs = 0
  let port = 0
  const lines = readLines(child.stderr)
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    if (line.value.includes('created a root certificate')) keyMs = performance.now() - started
    port = Number(/listening on port (\d+)/.exec(line.value)?.[1] ?? 0)
    if (port > 0) break
  }
  const link = Promise.withResolvers<void>()
  void (async () => {
    for await (const line of lines) if (line.includes('registry found')) link.resolve()
  })()
  const ca = join(home, '.local/share/cardwire/certificates/rootCA.pem')
  const token = readFileSync(join(home, '.local/state/cardwire/runtime/management-token'), 'utf8')
  const ask = async (path: string) => {
    const curl = Bun.spawn(
      [...createCurlCommand({ ca, token }), `https://localhost:${port}${path}`],
      {
        stdout: 'pipe',
      },
    )
    return (await new Response(curl.stdout).json()) as { success: boolean }
  }
  await ask('/info')
  return {
    pid: child.pid,
    port,
    ca,
    token,
    answeredMs: performance.now() - started,
    keyMs,
    waitForRegistry: () => link.promise,
    async waitForReaders() {
      while (!(await ask('/v3/readers')).success) await Bun.sleep(20)
    },
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

/** The stream of events; `next` resolves with the time at which one of that type came. */
export async function watchEvents(connector: RunningConnector) {
  const url = `https://localhost:${connector.port}/v3/readers/events`
  const child = Bun.spawn([...createCurlCommand(connector), '-N', url], { stdout: 'pipe' })
  const lines = readLines(child.stdout)
  const next = async (type: string): Promise<number> => {
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      if (line.value === `event: ${type}`) return performance.now()
    }
    throw new Error('The stream ended')
  }
  await next('snapshot')
  return { next, stop: () => child.kill() }
}
