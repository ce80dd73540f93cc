/** A running service, whatever the runtime, and how a test talks to it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const bin = (name: string) => join(root, 'node_modules/.bin', name)

export type Settings = Readonly<Record<string, string>>

/** What a runtime needs to know to start the service; `packages` are files by their key. */
export interface Start {
  readonly folder: string
  readonly settings: Settings
  readonly packages: Readonly<Record<string, Uint8Array>>
}

export interface Started {
  readonly url: string
  readonly child: ChildProcess
  /** Everything the process has written so far. */
  output(): string
  /** The header by which the runtime is told whose request it is. */
  readonly addressHeader: string
}

export type Runtime = (start: Start) => Promise<Started>

export interface Service extends Started {
  readonly folder: string
  /** Every answer's body so far, for those who look for secrets. */
  readonly answers: string[]
  /** Asks; bodies are JSON unless they are text or bytes already. */
  ask(method: string, path: string, options?: Ask): Promise<Answer>
  /** An access token of the first administrator, good for some minutes. */
  login(): Promise<string>
  stop(): Promise<void>
}

export interface Ask {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** The address the request comes from, as the runtime believes it. */
  readonly from?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined when it is none. */
  readonly json: Json
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and assert what they find
export type Json = any

export const administrator = { name: 'admin', password: 'the-first-administrators-password' }

export async function startService(
  runtime: Runtime,
  settings: Settings = {},
  packages: Start['packages'] = {},
): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-ds-'))
  const all = { DS_ADMIN_PASSWORD: administrator.password, ...settings }
  const started = await runtime({ folder, settings: all, packages })
  const answers: string[] = []
  let session = { token: '', until: 0 }

  const ask: Service['ask'] = async (method, path, options = {}) => {
    const { token, body, form, from } = options
    const headers = new Headers(options.headers)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    if (from !== undefined) headers.set(started.addressHeader, from)
    if (body !== undefined && !headers.has('content-type'))
      headers.set('content-type', 'application/json')
    const sent = form
      ? new URLSearchParams(form)
      : typeof body === 'string' || body instanceof Uint8Array
        ? body
        : JSON.stringify(body)
    const response = await fetch(new URL(path, started.url), {
      method,
      headers,
      redirect: 'manual',
      ...(sent !== undefined && {
        body: sent as string | URLSearchParams | Uint8Array<ArrayBuffer>,
      }),
    })
    const text = await response.text()
    answers.push(text)
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }

  return {
    ...started,
    folder,
    answers,
    ask,
    async login() {
      if (session.until < Date.now()) {
        const path = '/auth/realms/cardwire/protocol/openid-connect/token'
        const { json } = await ask('POST', path, { form: passwordGrant })
        session = { token: json.access_token, until: Date.now() + renewAfterMs }
      }
      return session.token
    },
    async stop() {
      await end(started.child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Half of what an access token lives. */
const renewAfterMs = 150_000

export const passwordGrant = {
  client_id: 'cardwire',
  grant_type: 'password',
  username: administrator.name,
  password: administrator.password,
}

/** Starts a program and waits for the line that tells its address. */
export async function launch(
  command: string,
  args: readonly string[],
  settings: Settings,
  address: RegExp,
): Promise<Omit<Started, 'addressHeader'>> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...cleanEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: what the program starts ends with it.
    detached: true,
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (part: Buffer) => {
      output += part.toString()
      const found = address.exec(output)?.[1]
      if (found) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) =>
      reject(new Error(`It ended with ${code} before it listened:\n${output}`)),
    )
  })
  return { url, child, output: () => output }
}

/** The environment without settings of whoever runs the tests. */
export const cleanEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('DS_')))

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  const late = setTimeout(
    () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'),
    8000,
  )
  await ended
  clearTimeout(late)
}

/** Writes files below a folder. */
export async function writeFiles(folder: string, files: Start['packages']): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [key, bytes] of Object.entries(files)) {
    const path = join(folder, key)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
}

export function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
