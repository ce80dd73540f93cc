/** The connector for Windows, compiled, with a scripted card service in the place of the system's: its commands, and its API from outside. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connector } from '../../../test/bed/connector.ts'
import type { HttpsRequestOptions, HttpsResponse } from '../../../test/bed/https-client.ts'
import { parseJson } from '../../../test/bed/service-request.ts'
import { buildScriptedCardService } from '../scripted-card-service/build.ts'
import { buildConnector } from './build-program.ts'
import { type Wine, windowsPath } from './wine.ts'

/** As long as a loaded machine may take, in milliseconds. */
const maxWaitMs = 60_000

interface Ran {
  readonly code: number | null
  readonly output: string
}

export interface RunningConnector {
  /** Everything it said so far. */
  output(): string
  /** Resolves when it has said something that matches. Rejects when it ends before, or takes a minute. */
  waitForOutput(what: RegExp): Promise<void>
  /** Asks its API, or who has `port`, with curl, which verifies the certificate by the root alone. Rejects with curl's reason. */
  get(path: string, at?: { readonly host?: string; readonly port?: number }): Promise<unknown>
  /** Any request, as a program or page sends it. */
  readonly request: Connector['request']
  /** The same as `get`, with a JSON body. */
  post(path: string, body: object): Promise<unknown>
  /** What a page of this origin is answered; with a body it posts. */
  asPage(origin: string, path: string, body?: object): Promise<unknown>
  /** Ctrl-C; resolves with its exit status. Rejects when it had ended before, or takes a minute. */
  stop(): Promise<number | null>
}

export interface WindowsConnector {
  /** Where its certificates lie. */
  readonly certificates: string
  /** Runs a command to its end. Rejects when that takes more than a minute. */
  command(...args: readonly string[]): Promise<Ran>
  run(): Promise<RunningConnector>
}

/** Builds it into `folder`. `env`: what it needs to know, the port of the scripted card service among it. */
export async function buildWindowsConnector(
  wine: Wine,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<WindowsConnector> {
  await mkdir(folder, { recursive: true })
  const program = join(folder, 'cardwire.exe')
  await buildConnector(program)
  await buildScriptedCardService('windows', join(wine.prefix, 'drive_c/windows/system32'))
  const local = join(await profileIn(wine.prefix), 'AppData/Local/Cardwire')

  return {
    certificates: join(local, 'Certificates'),
    async command(...args) {
      const path = join(folder, `${crypto.randomUUID()}.txt`)
      const file = await open(path, 'w')
      const child = wine.start(windowsPath(program), args, env, file.fd)
      await waitForEnd(child, () => `cardwire ${args.join(' ')}:\n${readFileSync(path, 'utf8')}`)
      await file.close()
      return { code: child.exitCode, output: await readFile(path, 'utf8') }
    },
    async run() {
      const child = wine.start(windowsPath(program), ['run'], env)
      const watch = watchOutput(child)
      await watch.waitForOutput(/listening on port \d+/)
      const runtime = (name: string) => readFile(join(local, 'Runtime', name), 'utf8')
      const [own, token] = await Promise.all([runtime('api-port'), runtime('management-token')])
      const root = join(folder, 'root.pem')
      await copyFile(join(local, 'Certificates/rootCA.pem'), root)
      const headers = ['-H', `Authorization: Bearer ${token}`, '-H', 'X-CSRF-Token: t1c-js']
      const curl = (url: string, ...args: readonly string[]) =>
        runCurl(['--cacert', root, ...headers, ...args, url])
      return {
        ...watch,
        request: (path, options) =>
          requestByCurl(root, `https://localhost:${own}${path}`, { token, ...options }),
        get: (path, { host = 'localhost', port = Number(own) } = {}) =>
          curl(`https://${host}:${port}${path}`),
        post: (path, body) =>
          curl(`https://localhost:${own}${path}`, '--json', JSON.stringify(body)),
        asPage: (origin, path, body) => {
          const page = ['-H', `Origin: ${origin}`, '-H', 'X-CSRF-Token: t1c-js']
          const sent = body ? ['--json', JSON.stringify(body)] : []
          return runCurl(['--cacert', root, ...page, ...sent, `https://localhost:${own}${path}`])
        },
        async stop() {
          if (hasEnded(child))
            throw new Error(`It ended with ${child.exitCode}:\n${watch.output()}`)
          // Wine makes Ctrl-C of it.
          child.kill('SIGINT')
          await waitForEnd(child, () => `cardwire run, after Ctrl-C:\n${watch.output()}`)
          return child.exitCode
        },
      }
    },
  }
}

/** Bun knows no certificate that is for some names alone, as ours is: curl does. */
async function requestByCurl(
  root: string,
  url: string,
  { method = 'GET', headers = {}, body = '', token }: HttpsRequestOptions,
): Promise<HttpsResponse> {
  const all = { ...headers, 'x-csrf-token': 't1c-js', ...(token && authorize(token)) }
  const lines = Object.entries(all).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const wanted = '%{stderr}{"status":%{response_code},"headers":%{header_json}}'
  const args = ['-sS', '--cacert', root, '-X', method, '-w', wanted, '--data-binary', '@-']
  const curl = Bun.spawn(['curl', ...args, ...lines, url], {
    ...{ stdin: new Blob([body as BlobPart]), stderr: 'pipe' },
  })
  const [bytes, about] = await Promise.all([
    new Response(curl.stdout).arrayBuffer(),
    new Response(curl.stderr).text(),
  ])
  if ((await curl.exited) !== 0) throw new Error(about)
  const text = Buffer.from(bytes).toString()
  return { ...JSON.parse(about), text, bytes: Buffer.from(bytes), json: parseJson(text) }
}

const authorize = (token: string) => ({ authorization: `Bearer ${token}` })

/** The body of the answer. */
async function runCurl(args: readonly string[]): Promise<unknown> {
  const curl = Bun.spawn(['curl', '-sS', ...args], { stderr: 'pipe' })
  const [body, complaint] = await Promise.all([
    new Response(curl.stdout).text(),
    new Response(curl.stderr).text(),
  ])
  if ((await curl.exited) !== 0) throw new Error(complaint)
  return JSON.parse(body)
}

/** The folder of the one user who has a profile. */
async function profileIn(prefix: string): Promise<string> {
  const users = join(prefix, 'drive_c/users')
  const [user, ...others] = (await readdir(users)).filter((name) => name !== 'Public')
  if (user === undefined || others.length > 0) throw new Error('Expected one profile')
  return join(users, user)
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Kills a program that does not end in time; `describe`: which it is, and what it said, for the error. */
async function waitForEnd(child: ChildProcess, describe: () => string): Promise<void> {
  if (hasEnded(child)) return
  await once(child, 'exit', { signal: AbortSignal.timeout(maxWaitMs) }).catch(() => {
    child.kill('SIGKILL')
    throw new Error(`It does not end: ${describe()}`)
  })
}

/** Remembers what a program says. */
function watchOutput(child: ChildProcess): Pick<RunningConnector, 'output' | 'waitForOutput'> {
  let output = ''
  const waiting = new Set<() => void>()
  const append = (part: unknown) => {
    output += String(part)
    for (const look of [...waiting]) look()
  }
  child.stdout?.on('data', append)
  child.stderr?.on('data', append)
  return {
    output: () => output,
    waitForOutput: (what) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(
          () => reject(new Error(`It does not say ${what}:\n${output}`)),
          maxWaitMs,
        )
        const look = () => {
          if (!what.test(output)) return
          waiting.delete(look)
          clearTimeout(late)
          resolve()
        }
        waiting.add(look)
        child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${output}`)))
        look()
      }),
  }
}
