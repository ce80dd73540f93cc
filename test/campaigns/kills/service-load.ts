/** Devices that register and count, and administrators who change things; they note what the service acknowledged. */

import {
  createDevice,
  createIdentity,
  type Device,
  register,
} from '../../../ds/test/harness/device.ts'
import type { DistributionService } from '../../bed/distribution-service.ts'
import type { Json, ServiceResponse } from '../../bed/service-request.ts'
import { attempt } from './attempt.ts'
import type { Results } from './results.ts'

/** What the service has to have from now on. */
export interface Acknowledged {
  readonly devices: Set<string>
  /** Tags of batches; each batch has one of its own, and one use. */
  readonly tags: Set<string>
  readonly labels: Set<string>
  /** The revision of each organization's name that was acknowledged last, and the one that was sent last. */
  readonly names: Map<string, { acknowledged: number; sent: number }>
}

export interface ServiceLoad {
  readonly acknowledged: Acknowledged
  /** Lets the load begin, and go on. */
  resume(): void
  /** New requests wait; resolves when all that were sent have ended. */
  pause(): Promise<void>
  /** Sends the batches that wait until all are acknowledged; ends the load. */
  finish(): Promise<void>
}

/** Milliseconds after which a connector gives up a request to the service (docs/conformance.md). */
const deadlineMs = 15_000
/** How many batches a device has at most that are not acknowledged: a request holds 20. */
const maxWaiting = 10

interface LoadParts {
  readonly service: DistributionService
  readonly results: Results
  /** The version, with its installation key. */
  readonly version: Json
}

export async function startServiceLoad({
  service,
  results,
  version,
}: LoadParts): Promise<ServiceLoad> {
  const acknowledged: Acknowledged = {
    devices: new Set(),
    tags: new Set(),
    labels: new Set(),
    names: new Map(),
  }
  let [isEnding, running] = [false, Promise.withResolvers<void>()]
  const pending = new Set<Promise<unknown>>()

  /** Sends one request as soon as the load may go on. */
  async function send<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    await running.promise
    if (isEnding) return undefined
    const sent = attempt(results, what, deadlineMs, work)
    pending.add(sent)
    return sent.finally(() => pending.delete(sent))
  }
  const isDone = (response: ServiceResponse | undefined) => {
    if (!response) return false
    results.check(
      'no-defect',
      response.status < 500 || response.status === 503,
      () => response.text,
    )
    if (response.status >= 300)
      results.count(`refused with ${response.status} ${response.json?.code}`)
    return response.status < 300
  }

  async function registerDevices(): Promise<void> {
    while (!isEnding) {
      const identity = await createIdentity()
      const body = { version: version.id }
      const response = await send('registration', () =>
        register(service, identity, version.installationApiKey, body),
      )
      if (isDone(response)) acknowledged.devices.add(response?.json.data.id)
    }
  }

  const counting = await Promise.all(
    Array.from({ length: 4 }, async (_, at) => {
      const device = await createDevice(service, version)
      acknowledged.devices.add(device.id)
      return createCountingDevice(device, `device ${at}`, acknowledged.tags)
    }),
  )
  async function count(device: CountingDevice): Promise<void> {
    while (!isEnding) {
      device.use()
      const response = await send('synchronization', device.synchronize)
      isDone(response)
    }
  }

  async function changeOrganization({ id, name }: Json): Promise<void> {
    const revisions = { acknowledged: 0, sent: 0 }
    acknowledged.names.set(id, revisions)
    while (!isEnding) {
      const response = await send('organization changed', async () => {
        const token = await service.login()
        revisions.sent += 1
        const body = { id, name: `${name} ${revisions.sent}` }
        return service.request('PUT', '/v3/organizations', { token, body })
      })
      if (isDone(response)) revisions.acknowledged = revisions.sent
    }
  }

  async function createLabels({ id: orgId }: Json): Promise<void> {
    for (let at = 1; !isEnding; at += 1) {
      const response = await send('label created', async () => {
        const token = await service.login()
        return service.request('PUT', '/v3/labels', { token, body: { name: `Label ${at}`, orgId } })
      })
      if (isDone(response)) acknowledged.labels.add(`label${at}`)
    }
  }

  await service.createLabel('shop')
  const create = (name: string) => service.admin('PUT', '/v3/organizations', { name })
  const [one, two, owner] = [await create('One'), await create('Two'), await create('Owner')]
  const load = [
    ...[registerDevices(), registerDevices(), changeOrganization(one), changeOrganization(two)],
    ...[createLabels(owner), ...counting.map(count)],
  ]
  return {
    acknowledged,
    resume: () => running.resolve(),
    async pause() {
      running = Promise.withResolvers()
      while (pending.size > 0) await Promise.allSettled(pending)
    },
    async finish() {
      isEnding = true
      running.resolve()
      await Promise.all(load)
      for (const device of counting) while (device.waits() > 0) isDone(await device.synchronize())
    },
  }
}

export interface CountingDevice {
  /** Adds a batch, unless too many wait. */
  use(): void
  synchronize(): Promise<ServiceResponse>
  waits(): number
}

export function createCountingDevice(
  device: Device,
  name: string,
  acknowledged: Set<string>,
): CountingDevice {
  const day = new Date().toISOString().slice(0, 10)
  let waiting: readonly { readonly id: string; readonly tag: string }[] = []
  let uses = 0
  return {
    use() {
      if (waiting.length >= maxWaiting) return
      uses += 1
      waiting = [...waiting, { id: crypto.randomUUID(), tag: `${name} use ${uses}` }]
    },
    async synchronize() {
      const entry = { label: 'shop', module: 'eid', useCase: 'signature', day, count: 1 }
      const batches = waiting.map(({ id, tag }) => ({ id, entries: [{ ...entry, tag }] }))
      const response = await device.sync({ batches })
      const done: readonly string[] = response.reply?.acknowledged ?? []
      for (const { id, tag } of waiting) if (done.includes(id)) acknowledged.add(tag)
      waiting = waiting.filter(({ id }) => !done.includes(id))
      return response
    },
    waits: () => waiting.length,
  }
}
