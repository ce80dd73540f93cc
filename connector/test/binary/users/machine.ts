/** A machine with several users: each has an account and a connector, and the registry may be a service. */
import { chmod, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, createAccount } from '../../../../test/bed/accounts.ts'
import { homePaths } from '../../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { createEnvironment, type Program, startProgram } from '../../../../test/bed/program.ts'
import { connectorProgram } from '../../../../test/bed/repository.ts'
import { createTokenSigner } from '../../../../test/bed/token-signer.ts'

/** Certificates are made, each with a new root. */
export const startMs = 60_000

export interface MachineUser {
  readonly account: Account
  readonly display: Display
  connector: Program
  /** The port of this user's API. */
  port(): Promise<number>
  managementToken(): Promise<string>
  /** The file of this user's root, which no other user may read. */
  readonly caFile: string
  start(): Promise<void>
  stop(): Promise<unknown>
}

export interface SharedMachine {
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
  ): Program
  /** Starts the registry as a service, and waits until it has certificates. */
  startService(): Promise<Program>
  stopService(): Promise<void>
  /** An account with a desktop of its own, whose connector runs. */
  createUser(): Promise<MachineUser>
  /** A token that every connector here accepts. */
  token(): string
  close(): Promise<void>
}

/** `origin`: the pages that every connector serves. */
export async function createSharedMachine(origin: string): Promise<SharedMachine> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-machine-'))
  await chmod(folder, 0o755)
  const program = join(folder, 'cardwire')
  await copyFile(connectorProgram, program)
  await chmod(program, 0o755)
  const registryPort = await findFreePort()
  const service = await createAccount(folder)
  const serviceCa = join(service.home, 'public/rootCA.pem')
  const signer = await createTokenSigner(folder)
  const users: MachineUser[] = []
  let registry: Program | undefined

  const run: SharedMachine['run'] = ({ uid, gid, home, name }, args, settings = {}) => {
    const env = createEnvironment(home, {
      USER: name,
      CARDWIRE_REGISTRY_PORT: String(registryPort),
      CARDWIRE_MACHINE_DIR: service.home,
      ...settings,
    })
    return startProgram([program, ...args], { account: { uid, gid }, env })
  }

  const stopService = async () => {
    await registry?.stop()
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
      await registry.waitForOutput(/listening on port/)
      return registry
    },
    stopService,
    async createUser() {
      const account = await createAccount(folder)
      const display = await startDisplay(account)
      const paths = homePaths(account.home)
      const settings = {
        ...display.settings,
        CARDWIRE_CORS: origin,
        CARDWIRE_JWKS: signer.jwks,
        CARDWIRE_API_PORTS: '25200-25999',
        CARDWIRE_VIRTUAL_READER: join(account.home, 'card'),
      }
      const start = () => run(account, ['run'], settings)
      const user: MachineUser = {
        account,
        display,
        connector: start(),
        port: async () => Number(await readFile(join(paths.runtime, 'api-port'), 'utf8')),
        managementToken: () => readFile(join(paths.runtime, 'management-token'), 'utf8'),
        caFile: join(paths.certificates, 'rootCA.pem'),
        async start() {
          user.connector = start()
          await user.connector.waitForOutput(/listening on port/)
        },
        stop: () => user.connector.stop(),
      }
      users.push(user)
      await user.connector.waitForOutput(/listening on port/)
      return user
    },
    token: signer.token,
    async close() {
      for (const user of users) await user.stop()
      await stopService()
      for (const { display, account } of users) {
        await display.stop()
        await account.remove()
      }
      await service.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
