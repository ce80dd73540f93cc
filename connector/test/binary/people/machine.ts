/** A machine with several people: each has an account and a connector, and the registry may be its service. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { vi } from 'vitest'
import { type Account, newAccount } from '../accounts.ts'
import { binary, environmentOf, freePort, homePaths } from '../harness.ts'
import { type Desktop, startDesktop } from './desktop.ts'

/** Certificates are made, each with a new root. */
export const startMs = 60_000

export interface Running {
  readonly child: ChildProcess
  output(): string
}

export interface Person {
  readonly account: Account
  readonly desktop: Desktop
  connector: Running
  /** Where this person's API listens. */
  port(): Promise<number>
  managementToken(): Promise<string>
  /** The file of this person's root, which nobody else may read. */
  readonly ca: string
  start(): Promise<void>
  stop(): Promise<void>
}

export interface Machine {
  /** Every account may pass it. */
  readonly folder: string
  readonly registryPort: number
  /** The folder of the service. */
  readonly dir: string
  /** The root of the service, which everybody may read. */
  readonly serviceCa: string
  run(
    account: Account,
    args: readonly string[],
    settings?: Readonly<Record<string, string>>,
  ): Running
  /** Starts the registry as a service, and waits until it has certificates. */
  startService(): Promise<Running>
  stopService(): Promise<void>
  /** An account with a desktop of its own, whose connector runs. */
  newPerson(): Promise<Person>
  /** A token that every connector here accepts. */
  token(): Promise<string>
  close(): Promise<void>
}

/** `origin`: whose pages every connector answers. */
export async function newMachine(origin: string): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-machine-'))
  await chmod(folder, 0o755)
  const program = join(folder, 'cardwire')
  await copyFile(binary, program)
  await chmod(program, 0o755)
  const registryPort = await freePort()
  const service = await newAccount(folder)
  const serviceCa = join(service.home, 'public/rootCA.pem')
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const keys = join(folder, 'jwks.json')
  await writeFile(keys, JSON.stringify({ keys: [jwk] }))
  const people: Person[] = []
  let registry: Running | undefined

  const run: Machine['run'] = ({ uid, gid, home, name }, args, settings = {}) => {
    const env = environmentOf(home, {
      USER: name,
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      CARDWIRE_REGISTRY_PORT: String(registryPort),
      CARDWIRE_MACHINE_DIR: service.home,
      ...settings,
    })
    const stdio = ['ignore', 'ignore', 'pipe'] as const
    const child = spawn(program, args, { uid, gid, env, cwd: '/', stdio: [...stdio] })
    let output = ''
    child.stderr?.on('data', (part) => {
      output += String(part)
    })
    return { child, output: () => output }
  }

  const stopService = async () => {
    await end(registry)
    registry = undefined
  }

  return {
    folder,
    registryPort,
    dir: service.home,
    serviceCa,
    run,
    async startService() {
      registry = run(service, ['registry', '--service'])
      const { output } = registry
      await said(output, `listening on port ${registryPort}`)
      return registry
    },
    stopService,
    async newPerson() {
      const account = await newAccount(folder)
      const desktop = await startDesktop(account)
      const paths = homePaths(account.home)
      const settings = {
        ...desktop.environment,
        CARDWIRE_CORS: origin,
        CARDWIRE_JWKS: keys,
        CARDWIRE_API_PORTS: '25200-25999',
        CARDWIRE_VIRTUAL_READER: join(account.home, 'card'),
      }
      const start = () => run(account, ['run'], settings)
      const person: Person = {
        account,
        desktop,
        connector: start(),
        port: async () => Number(await readFile(join(paths.runtime, 'api-port'), 'utf8')),
        managementToken: () => readFile(join(paths.runtime, 'management-token'), 'utf8'),
        ca: join(paths.certificates, 'rootCA.pem'),
        async start() {
          person.connector = start()
          await said(person.connector.output, 'listening on port')
        },
        stop: () => end(person.connector),
      }
      people.push(person)
      await said(person.connector.output, 'listening on port')
      return person
    },
    token: () =>
      new SignJWT({ sub: 'shop', aud: 'cardwire-connector' })
        .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'cw-app+jwt' })
        .setIssuedAt()
        .setExpirationTime('20m')
        .sign(privateKey),
    async close() {
      for (const person of people) await person.stop()
      await stopService()
      for (const { desktop, account } of people) {
        await desktop.stop()
        await account.remove()
      }
      await service.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Until a program has said this. */
export const said = (output: () => string, text: string) =>
  vi.waitFor(
    () => {
      if (!output().includes(text)) throw new Error(`It has not said "${text}":\n${output()}`)
    },
    { timeout: startMs, interval: 50 },
  )

export async function end(running: Running | undefined): Promise<void> {
  if (!running) return
  const { child } = running
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
