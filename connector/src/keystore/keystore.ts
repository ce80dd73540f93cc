/** The keystore of the service on this machine: fetched, opened, kept, and replaced when the service has another one. */
import type { Keystore as Reference } from '@cardwire/client/protocol'
import type { Exchange } from '../sync/exchange.ts'
import type { Faults } from '../sync/faults.ts'
import type { Identity } from '../sync/identity.ts'
import type { Later } from '../sync/later.ts'
import type { Link } from '../sync/link.ts'
import type { Schedule } from '../sync/schedule.ts'
import { ServiceRefusal } from '../sync/service.ts'
import type { Log } from '../system/log.ts'
import { fetchKeystore } from './fetch.ts'
import { type KeptKeystore, type KeystoreSource, readKept, removeKept, writeKept } from './kept.ts'
import { materialOf } from './material.ts'
import { KeystoreRefused } from './refusal.ts'

export interface Keystore extends KeystoreSource {
  /** SHA-256 of the file that the one in force was opened from. */
  digest(): string | undefined
  /** Does what the service said last; undefined gives up the one in force. Never throws. */
  apply(reference: Reference | undefined): Promise<void>
  stop(): void
}

export interface KeystoreParts {
  readonly runtime: string
  readonly link: Link
  readonly ask: Exchange['ask']
  readonly decrypt: Identity['decrypt']
  readonly faults: Pick<Faults, 'set' | 'clear'>
  /** When one that could not be had is tried again. */
  readonly schedule: Pick<Schedule, 'afterGood' | 'afterBad'>
  readonly later: Later
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
}

/** What the service is told of: one that is no good, and one that cannot be had. */
const kinds = { refused: 'keystore-refused', missing: 'keystore-missing' } as const

/** Begins with the one that is kept, unless it was altered or has expired. */
export async function openKeystore(parts: KeystoreParts): Promise<Keystore> {
  const { runtime, decrypt, faults, schedule, later, clock, log } = parts
  const listeners = new Set<() => void>()
  let served = fresh(await readKept(runtime))
  let said: string | undefined
  let wanted: { readonly reference: Reference | undefined } | undefined
  let working: Promise<void> | undefined
  let cancel = (): void => undefined

  function fresh(kept: KeptKeystore | undefined): KeptKeystore | undefined {
    return kept && kept.notAfter > clock() ? kept : undefined
  }

  function serve(next: KeptKeystore | undefined): void {
    if (served?.cert === next?.cert && served?.key === next?.key) return
    served = next
    for (const listener of listeners) listener()
  }

  async function attempt(reference: Reference | undefined): Promise<void> {
    cancel()
    if (reference === undefined) {
      if (served) log.info('keystore given up, the service has none any more')
      good(undefined)
      return removeKept(runtime)
    }
    serve(fresh(served))
    // Altered on disk: what is in memory is as good as it was, and the next start would lack it.
    const kept = served && (await readKept(runtime))
    if (served && reference.digest === served.digest && kept?.digest === served.digest) {
      return good(served)
    }
    const { bytes, digest } = await fetchKeystore(reference, parts)
    if (digest === served?.digest && digest === kept?.digest) return good(served)
    const password = await decrypt(reference.password).catch(() => {
      throw new KeystoreRefused('its password was not encrypted to this device')
    })
    // Loaded here: most connectors never have a keystore.
    const { openPkcs12 } = await import('./pkcs12.ts')
    const next = { ...materialOf(await openPkcs12(bytes, password), clock()), digest }
    await writeKept(runtime, next)
    log.info('keystore in force', { digest, names: next.names.join(' ') })
    good(next)
  }

  function good(next: KeptKeystore | undefined): void {
    said = undefined
    for (const kind of Object.values(kinds)) faults.clear(kind)
    schedule.afterGood(0)
    serve(next)
  }

  /** What could not be had is tried again; what is no good waits for the service to have another one. */
  function bad(error: unknown, reference: Reference | undefined): void {
    const reason = error instanceof Error ? error.message : String(error)
    const refused = error instanceof KeystoreRefused
    faults.clear(refused ? kinds.missing : kinds.refused)
    faults.set(refused ? kinds.refused : kinds.missing, reason)
    if (reason !== said) log.error('keystore not in force', { reason })
    said = reason
    if (refused) return
    const retryAfterS = error instanceof ServiceRefusal ? error.retryAfterS : undefined
    cancel = later(schedule.afterBad(retryAfterS), () => void apply(reference))
  }

  async function work(): Promise<void> {
    while (wanted) {
      const { reference } = wanted
      wanted = undefined
      await attempt(reference).catch((error) => bad(error, reference))
    }
  }

  function apply(reference: Reference | undefined): Promise<void> {
    wanted = { reference }
    working ??= work().finally(() => {
      working = undefined
    })
    return working
  }

  return {
    served: () => served,
    digest: () => served?.digest,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    apply,
    stop: () => cancel(),
  }
}
