/** Administrators: they change policies, block devices, rotate and withdraw keys, and restore backups. */

import type { SeededRandom } from '../bed/random.ts'
import type { EventQueue } from './event-queue.ts'
import type { Installed } from './machine.ts'
import type { Model } from './model.ts'
import { createPublishers, laterVersionIds, type Publishers } from './publishers.ts'
import type { Report } from './report.ts'
import type { ServiceProcess } from './service-process.ts'
import { originOf } from './stored-rows.ts'

/** They have counted: each change may affect every device. */
const anyReach = 'maxReach=999999999'

export interface Administrators extends Pick<Publishers, 'rollOut'> {
  /** Registers the versions and the label, before anything else happens. */
  begin(): Promise<void>
  changePolicy(): Promise<void>
  changeVersion(): Promise<void>
  block(): Promise<void>
  delete(): Promise<void>
  rotateKey(use: 'reply' | 'application'): Promise<void>
  withdrawKey(use: 'reply' | 'application'): Promise<void>
  rotateInstallationKey(): Promise<void>
  backUp(): void
  restore(): void
  /** Whether none of them is at work. */
  areDone(): boolean
  /** Puts what they believe is there once more. */
  repeat(): Promise<void>
  /** The versions that anybody can install now; oldest first. */
  installable(): readonly Installed[]
  /** Also one that is rolled out. */
  findInstallable(version: string): Installed | undefined
  /** What the service has to say of a version. */
  verdictOf(version: string): 'none' | 'require' | 'stop'
  /** Whether the installation key of a machine is still one. */
  isValid(installed: Installed): boolean
  /** A token as an application has it for its pages. */
  token(): Promise<string | undefined>
}

interface AdministratorOptions {
  readonly queue: EventQueue
  readonly random: SeededRandom
  readonly report: Report
  readonly model: Model
  readonly service: ServiceProcess
}

interface VersionFacts {
  readonly id: string
  allowed: boolean
  mandatory: boolean
  configuration: string
  key: string
}

const versionIds = ['4.0.0', '4.1.0']

export function createAdministrators(options: AdministratorOptions): Administrators {
  const { queue, random, report, model, service } = options
  let versions: VersionFacts[] = []
  const later = laterVersionIds.map((id) => createVersion(id, random.uuid()))
  let saved:
    | { readonly service: ReturnType<ServiceProcess['backUp']>; versions: VersionFacts[] }
    | undefined
  let revisions = 0
  let labelKey = ''
  let asking = 0
  /** Things that somebody works on: two administrators do not decide of one at once. */
  const busy = new Set<string>()

  const wait = (ms: number) => new Promise<void>((resolve) => void queue.after(ms, resolve))

  /** Asks until there is an answer; what the service fails to do is asked again. */
  async function insist(method: string, path: string, body?: unknown, before?: () => void) {
    asking += 1
    for (;;) {
      before?.()
      const answer = await service.ask(method, path, body)
      report.event(`administrator: ${method} ${answer?.status ?? 'not answered'}`, path)
      if (answer && answer.status < 500) {
        asking -= 1
        return answer
      }
      await wait(random.integer(1000, 20_000))
    }
  }

  async function alone(name: string, act: () => Promise<void>): Promise<void> {
    if (busy.has(name)) return
    busy.add(name)
    await act()
    busy.delete(name)
  }

  const versionBody = ({ id, allowed, mandatory }: VersionFacts) => ({
    ...{ id, allowed, mandatory, recommended: false },
    uris: [{ os: 'UNIX', uri: `https://downloads.example/cardwire-${id}.deb` }],
  })

  const findVersion = (id: string) => {
    const found = [...versions, ...later].find((version) => version.id === id)
    if (!found) throw new Error(`Cannot find version ${id}`)
    return found
  }

  async function put(id: string): Promise<void> {
    revisions += 1
    const revision = revisions
    const { data, status } = await insist('PUT', `/v3/configurations?${anyReach}`, {
      ...{ type: 'CONTEXT_CONFIG', versionId: id, config: { cors: [originOf(revision)] } },
      ...(findVersion(id).configuration && { id: findVersion(id).configuration }),
    })
    if (status === 404) {
      // A backup that does not have it was restored.
      findVersion(id).configuration = ''
      return put(id)
    }
    if (status === 409) {
      // It was made, and the answer lost.
      const { data: list } = await insist('GET', `/v3/configurations?versionId=${id}`)
      findVersion(id).configuration = list.items[0].id
      return put(id)
    }
    if (status >= 400) throw new Error(`Cannot put a policy: ${status}`)
    findVersion(id).configuration = data.id
    model.inForce.set(id, revision)
  }

  const putVersion = (version: VersionFacts) =>
    insist('PUT', `/v3/versions?${anyReach}`, {
      ...versionBody(version),
      installationApiKey: version.key,
    })

  async function register(version: VersionFacts): Promise<void> {
    const { data, status } = await putVersion(version)
    if (status === 409) return register(version)
    if (status >= 400) throw new Error(`Cannot put a version: ${status} ${JSON.stringify(data)}`)
  }

  async function devices() {
    const page = 1 + random.integer(0, 1)
    const { data } = await insist('GET', `/v3/devices?size=50&page=${page}`)
    return data.items as { readonly id: string; readonly blocked: boolean }[]
  }

  async function withDevice(
    act: (device: { readonly id: string; readonly blocked: boolean }) => Promise<void>,
  ) {
    const all = await devices()
    if (all.length === 0) return
    const device = random.pick(all)
    await alone(device.id, () => act(device))
  }

  const keysOf = async (use: string) => {
    const { data } = await insist('GET', '/v3/signing-keys')
    return (data as { id: string; use: string; state: string }[]).filter((key) => key.use === use)
  }

  const publishers = createPublishers({
    ...{ random, model, insist, alone },
    // Nodes that wait for long would hardly ever decide at once.
    mostHoldS: service.nodes > 1 ? 100 : 400,
    register: (id) => putVersion(findVersion(id)),
  })

  return {
    async begin() {
      for (const id of versionIds) {
        const version = createVersion(id, random.uuid())
        versions.push(version)
        await register(version)
        await put(id)
      }
      for (const version of later) {
        await register(version)
        await put(version.id)
      }
      await publishers.begin()
      await insist('PUT', '/v3/organizations', { name: 'shop' })
      labelKey = random.uuid()
      await insist('PUT', '/v3/labels', { name: 'shop', orgId: 'shop', apiKey: labelKey })
    },
    changePolicy() {
      const id = random.pick(versionIds)
      return alone(id, () => put(id))
    },
    changeVersion() {
      const id = random.pick(versionIds)
      return alone(id, async () => {
        const version = findVersion(id)
        if (id === versionIds[0]) version.allowed = !version.allowed
        else version.mandatory = !version.mandatory
        await register(version)
      })
    },
    block: () =>
      withDevice(async ({ id, blocked }) => {
        const { status } = await insist(
          ...(['POST', `/v3/devices/${id}/${blocked ? 'unblock' : 'block'}`] as const),
          undefined,
          () => model.mayBeUnblocked(id),
        )
        if (status === 200 && !blocked) model.blocked(id)
      }),
    delete: () =>
      withDevice(async ({ id }) => {
        await insist('DELETE', `/v3/devices/${id}`, undefined, () => model.mayBeDeleted(id))
        model.mayBeDeleted(id)
      }),
    async rotateKey(use) {
      await insist('POST', '/v3/signing-keys', { use })
    },
    async withdrawKey(use) {
      const keys = await keysOf(use)
      const { id } = random.pick(keys)
      await alone(id, async () => {
        const { status, node } = await insist('DELETE', `/v3/signing-keys/${id}?${anyReach}`)
        if (status < 300) model.withdrawn(id, node)
      })
    },
    rotateInstallationKey() {
      const id = random.pick(versionIds)
      return alone(id, async () => {
        const version = findVersion(id)
        version.key = random.uuid()
        await register(version)
      })
    },
    backUp() {
      report.event('backup made')
      saved = { service: service.backUp(), versions: versions.map((version) => ({ ...version })) }
    },
    restore() {
      if (saved === undefined) return
      report.fault('backup restored')
      service.restore(saved.service)
      versions = saved.versions.map((version) => ({ ...version }))
    },
    areDone: () => asking === 0,
    rollOut: publishers.rollOut,
    async repeat() {
      await publishers.takeBack()
      for (const version of versions) {
        await register(version)
        await put(version.id)
      }
    },
    installable: () => versions.map(toInstalled),
    findInstallable(id) {
      const found = [...versions, ...later].find((version) => version.id === id)
      return found && toInstalled(found)
    },
    verdictOf(id) {
      const [older, newer] = versions
      if (!findVersion(id).allowed) return 'stop'
      return id === older?.id && newer?.mandatory ? 'require' : 'none'
    },
    isValid: ({ version, installationKey }) => findVersion(version).key === installationKey,
    async token() {
      const answer = await service.ask('GET', '/v3/tokens/application', undefined, {
        apikey: labelKey,
      })
      return typeof answer?.data === 'string' ? answer.data : undefined
    },
  }
}

const createVersion = (id: string, key: string): VersionFacts => ({
  ...{ id, key, allowed: true, mandatory: false, configuration: '' },
})

const toInstalled = ({ id, key }: VersionFacts): Installed => ({
  ...{ version: id, installationKey: key, fingerprints: [] },
})
