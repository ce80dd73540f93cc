/** The compiled connector in a home of its own, and how a test talks to it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const binary = fileURLToPath(new URL('../../dist/cardwire', import.meta.url))

export interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly host?: string
  /** The header that every client sends; null leaves it out. */
  readonly csrf?: string | null
  /** The bearer token; null sends none. Default: the management token. */
  readonly token?: string | null
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: Json
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and assert what they find
export type Json = any

export interface Connector {
  readonly port: number
  readonly home: string
  readonly child: ChildProcess
  /** The management token. */
  readonly token: string
  /** The root certificate, PEM. */
  readonly ca: string
  output(): string
  ask(path: string, options?: Ask): Promise<Answer>
  stop(): Promise<void>
}

type Variables = Readonly<Record<string, string>>

export const homePaths = (home: string, { XDG_STATE_HOME, XDG_DATA_HOME }: Variables = {}) => ({
  runtime: join(XDG_STATE_HOME ?? join(home, '.local/state'), 'cardwire/runtime'),
  logs: join(XDG_STATE_HOME ?? join(home, '.local/state'), 'cardwire/logs'),
  certificates: join(XDG_DATA_HOME ?? join(home, '.local/share'), 'cardwire/certificates'),
  config: join(home, '.config/cardwire'),
})

export const newHome = () => mkdtemp(join(tmpdir(), 'cardwire-home-'))

/** The environment of a person who has just logged in. */
export const environmentOf = (home: string, settings: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: home,
  LANG: 'C.UTF-8',
  ...settings,
})

/** Runs a command of the binary to its end, away from a registry service that the machine may have. */
export function runCommand(
  home: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
) {
  const env = environmentOf(home, { CARDWIRE_MACHINE_DIR: join(home, 'machine'), ...settings })
  const { status, stdout, stderr } = spawnSync(binary, args, {
    env,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, out: stdout, err: stderr }
}

/** A port below those that systems take by themselves; free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 5000)
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (free) return port
  }
}

/** Starts `cardwire run`, or another role, and waits until it listens. */
export async function startConnector(
  settings: Readonly<Record<string, string>> = {},
  givenHome?: string,
  role: 'run' | 'api' = 'run',
): Promise<Connector> {
  const home = givenHome ?? (await newHome())
  const child = spawn(binary, [role], {
    env: environmentOf(home, {
      CARDWIRE_API_PORTS: '25200-25999',
      // Neither the port nor the service that the machine may have.
      CARDWIRE_REGISTRY_PORT: String(await freePort()),
      CARDWIRE_MACHINE_DIR: join(home, 'machine'),
      ...settings,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const port = await new Promise<number>((resolve, reject) => {
    const read = (part: Buffer) => {
      output += part.toString()
      const found = /listening on port (\d+)/.exec(output)?.[1]
      if (found) resolve(Number(found))
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) =>
      reject(new Error(`It ended with ${code} before it listened:\n${output}`)),
    )
  })
  const paths = homePaths(home, settings)
  const token = await readFile(join(paths.runtime, 'management-token'), 'utf8')
  // None where the keystore of a service stands alone.
  const ca = await readFile(join(paths.certificates, 'rootCA.pem'), 'utf8').catch(() => '')
  const ask = (path: string, options: Ask = {}) => askHttps(port, ca, path, { token, ...options })
  return {
    port,
    home,
    child,
    token,
    ca,
    output: () => output,
    ask,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      if (givenHome === undefined) await rm(home, { recursive: true, force: true })
    },
  }
}

/** Asks over TLS that trusts the given root alone. */
export function askHttps(port: number, ca: string, path: string, options: Ask): Promise<Answer> {
  const headers: Record<string, string> = { ...options.headers }
  if (options.csrf !== null) headers['x-csrf-token'] = options.csrf ?? 't1c-js'
  if (options.token != null) headers['authorization'] = `Bearer ${options.token}`
  if (options.host !== undefined) headers['host'] = options.host
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: options.method ?? 'GET',
        headers,
        ca,
        servername: 'localhost',
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: parsed(text),
          }),
        )
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(options.body)
  })
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
