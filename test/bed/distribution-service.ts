/** The real distribution service as a program of its own, on any runtime, with its administrator. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Administrator, administrator, createAdministrator } from './administrator.ts'
import { findFreePort } from './free-port.ts'
import type { Program, Settings } from './program.ts'
import { createServiceClient, type RequestService } from './service-request.ts'
import { type Runtime, runtimes } from './service-runtimes.ts'

export interface DistributionService extends Administrator {
  readonly url: string
  readonly folder: string
  /** The file of its database, where it has one, or the address of one that is no file. */
  readonly database: string
  /** The bodies of all responses so far, for tests that look for secrets. */
  readonly responseBodies: string[]
  readonly request: RequestService
  /** Its process; 0 when it was never started. */
  pid(): number
  /** What it has written since it was started last. */
  output(): string
  /** Ends the process and leaves its files; its exit status. */
  pause(signal?: NodeJS.Signals): Promise<number | null>
  /** Starts it on the same port and files, with more settings; nothing when it runs. */
  resume(settings?: Settings): Promise<void>
  /** Puts a file where the `file:///` addresses of installers lie, in place of one that is there. */
  putPackage(key: string, file: Uint8Array): Promise<void>
  /** The same for the addresses of keystores. */
  putKeystore(key: string, file: Uint8Array): Promise<void>
  /** Copies its files as they are now; resolves with the folder of the copy. */
  backUp(): Promise<string>
  restore(backup: string): Promise<void>
  stop(): Promise<void>
}

/** `given`: the settings, or what makes them for its address; `packages` and `keystores`: files by their key. */
export async function startDistributionService(
  runtime: Runtime = runtimes.Node,
  given: Settings | ((url: string) => Promise<Settings>) = {},
  packages: Readonly<Record<string, Uint8Array>> = {},
  keystores: Readonly<Record<string, Uint8Array>> = {},
): Promise<DistributionService> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-ds-'))
  const data = join(folder, 'data')
  const port = await findFreePort()
  const service = runtime(folder, port)
  let program: Program | undefined
  let url = `http://127.0.0.1:${port}`
  const putPackage = (key: string, file: Uint8Array) => service.putFile('packages', key, file)
  const putKeystore = (key: string, file: Uint8Array) => service.putFile('keystores', key, file)
  const settings = typeof given === 'function' ? { DS_URL: url, ...(await given(url)) } : given
  const resume: DistributionService['resume'] = async (more = {}) => {
    if (program?.isRunning()) return
    const password = { DS_ADMIN_PASSWORD: administrator.password }
    program = await service.start({ ...password, ...settings, ...more })
    const [, found = url] = await program.waitForOutput(service.ready)
    url = found
  }
  const pause: DistributionService['pause'] = async (signal = 'SIGTERM') => {
    return (await program?.stopGroup(signal)) ?? null
  }
  try {
    await resume()
    for (const [key, file] of Object.entries(packages)) await putPackage(key, file)
    for (const [key, file] of Object.entries(keystores)) await putKeystore(key, file)
  } catch (error) {
    await pause('SIGKILL')
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  const responseBodies: string[] = []
  const client = createServiceClient(url, service.addressHeader)
  const request: RequestService = async (...args) => {
    const response = await client(...args)
    responseBodies.push(response.text)
    return response
  }
  const admin = createAdministrator(request)
  return {
    ...admin,
    url,
    folder,
    responseBodies,
    request,
    pause,
    resume,
    get database() {
      return service.database?.() ?? join(data, 'ds.sqlite')
    },
    pid: () => program?.pid ?? 0,
    output: () => program?.output() ?? '',
    putPackage,
    putKeystore,
    async backUp() {
      await pause()
      const backup = await mkdtemp(join(tmpdir(), 'cardwire-ds-backup-'))
      await cp(data, backup, { recursive: true })
      await resume()
      return backup
    },
    async restore(backup) {
      await pause()
      await rm(data, { recursive: true, force: true })
      await cp(backup, data, { recursive: true })
      await rm(backup, { recursive: true, force: true })
      admin.forgetSession()
      await resume()
    },
    async stop() {
      await pause()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
