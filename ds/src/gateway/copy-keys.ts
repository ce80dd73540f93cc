/** Keeps the copies of the keys at other gateways as the database has them. */
import { describeError } from '../db/describe-error.ts'
import type { Log } from '../ports.ts'
import type { Consumer, Gateway } from './gateway.ts'
import { CopyRefusedError, type CopyStep, type CopyTarget, planCopy } from './mirror.ts'
import { nameConsumer, parseConsumer } from './names.ts'
import { readOwnConsumer, readOwnConsumers, type WorkingKeyParts } from './working-keys.ts'

/** Runs work after a time, if the service still runs then. */
export type Schedule = (work: () => Promise<void>, afterMs: number) => void

export interface CopyParts extends WorkingKeyParts {
  readonly tag: string
  readonly targets: readonly CopyTarget[]
  readonly log: Log
  /** Absent in a command, which says what has failed. */
  readonly schedule?: Schedule
}

export interface KeyCopies {
  /** Brings the copies of a consumer up to date. Never throws: what fails is tried again. */
  update(consumer: Consumer): Promise<void>
  /** What has to be done at each gateway, by its name. */
  plan(): Promise<ReadonlyMap<string, readonly CopyStep[]>>
  /** Does it. Throws when a gateway cannot be reached. */
  sync(): Promise<void>
  /** Does it now and every hour, and soon again when it fails. */
  start(): void
}

/** How often a consumer is compared again after a change: others may change it at the same time. */
const maxRounds = 5
const firstRetryMs = 5000
const lastRetryMs = 300_000
const hourMs = 3_600_000

export function createKeyCopies(parts: CopyParts): KeyCopies {
  const { tag, targets, log, schedule, clock } = parts

  const readOwn = async (name: string) => {
    const consumer = parseConsumer(tag, name)
    return consumer && readOwnConsumer(parts, consumer)
  }
  const apply = async (target: CopyTarget, { kind, consumer, key }: CopyStep): Promise<void> => {
    if (kind === 'add-consumer') return target.putConsumer(consumer)
    if (kind === 'remove-consumer') return target.removeConsumer(consumer)
    if (key === undefined || kind === 'missing-key') return
    if (kind === 'remove-key' || kind === 'replace-key') await target.removeKey(consumer, key.id)
    if (kind === 'remove-key' || key.key === undefined) return
    const lifetimeS =
      key.expiresAt === undefined
        ? undefined
        : Math.max(1, Math.ceil((key.expiresAt - clock()) / 1000))
    await target.putKey(consumer, { id: key.id, key: key.key, lifetimeS })
  }
  /**
   * Compares again after each change: a key that was removed from the database while it was being copied is removed there, too. The
   * gateway is read first: a key that it has then, and the database has not, is not one that is just coming.
   */
  const updateAt = async (target: CopyTarget, name: string): Promise<void> => {
    for (let round = 0; round < maxRounds; round += 1) {
      const copied = await target.find(name)
      const steps = planCopy(name, await readOwn(name), copied).filter(isPossible)
      if (steps.length === 0) return
      for (const step of steps) await apply(target, step)
    }
    throw new Error(`Cannot update "${name}": it is being changed all the time`)
  }

  const plan = async (target: CopyTarget): Promise<readonly CopyStep[]> => {
    const copied = await target.list()
    const own = new Map(
      (await readOwnConsumers(parts)).map((one) => [nameConsumer(tag, one.consumer), one]),
    )
    const names = new Set([...copied.keys(), ...own.keys()])
    return [...names].toSorted().flatMap((name) => planCopy(name, own.get(name), copied.get(name)))
  }
  /** A consumer that is refused holds up no other; throws the first refusal at the end. A gateway that is silent is not asked again. */
  const syncAt = async (target: CopyTarget): Promise<void> => {
    const steps = (await plan(target)).filter(isPossible)
    const failures: unknown[] = []
    for (const name of new Set(steps.map(({ consumer }) => consumer)))
      await updateAt(target, name).catch((error) => {
        if (!(error instanceof CopyRefusedError)) throw error
        failures.push(error)
      })
    if (failures.length > 0) throw failures[0]
  }

  let retryMs = firstRetryMs
  let isRetrying = false
  const retry = (): void => {
    if (isRetrying || schedule === undefined) return
    isRetrying = true
    schedule(async () => {
      isRetrying = false
      await syncAll()
    }, retryMs)
    retryMs = Math.min(retryMs * 2, lastRetryMs)
  }
  const report = (gateway: string, about: object, error: unknown): void => {
    log.error('gateway not updated', { gateway, ...about, error: describeError(error) })
    retry()
  }
  const syncAll = async (): Promise<void> => {
    let hasFailed = false
    for (const target of targets) {
      await syncAt(target).catch((error) => {
        hasFailed = true
        report(target.name, {}, error)
      })
    }
    if (!hasFailed) retryMs = firstRetryMs
  }
  const repeat = async (): Promise<void> => {
    await syncAll()
    schedule?.(repeat, hourMs)
  }

  return {
    async update(consumer) {
      const name = nameConsumer(tag, consumer)
      for (const target of targets)
        await updateAt(target, name).catch((error) =>
          report(target.name, { consumer: name }, error),
        )
    },
    async plan() {
      const plans = await Promise.all(
        targets.map(async (target) => [target.name, await plan(target)] as const),
      )
      return new Map(plans)
    },
    async sync() {
      for (const target of targets) await syncAt(target)
    },
    start: () => schedule?.(repeat, 0),
  }
}

const isPossible = ({ kind }: CopyStep): boolean => kind !== 'missing-key'

/** A gateway whose changes reach the copies as soon as they are in the database. */
export function copyChanges(gateway: Gateway, copies: Pick<KeyCopies, 'update'>): Gateway {
  return {
    ...gateway,
    async register(consumer, ...rest) {
      await gateway.register(consumer, ...rest)
      await copies.update(consumer)
    },
    async rotate(consumer, ...rest) {
      await gateway.rotate(consumer, ...rest)
      await copies.update(consumer)
    },
    async disable(consumer, ...rest) {
      await gateway.disable(consumer, ...rest)
      await copies.update(consumer)
    },
    async remove(consumer, ...rest) {
      await gateway.remove(consumer, ...rest)
      await copies.update(consumer)
    },
    updateCopies: copies.update,
  }
}
