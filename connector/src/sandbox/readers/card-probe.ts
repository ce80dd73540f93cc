/** Which modules handle the card in a reader: by its ATR, else by asking the card, once for each insertion. */
import { Problem, type ProblemName } from '@cardwire/protocol/problem'
import type { Log } from '../../system/log.ts'
import type { CardAccess } from './card-access.ts'
import type { Reader, Readers, Snapshot } from './readers.ts'
import { createSnapshots } from './snapshots.ts'

export interface ProbedReaders extends Readers {
  /**
   * Asks each card that no ATR tells of: once, and again if another program kept it from us. Resolves when all have answered, at the
   * latest after `maxProbeMs`. Called for a page with consent alone: SELECT ends the login of another program on some cards.
   */
  probe(): Promise<void>
}

/** How long a listing waits for the cards, in milliseconds. */
const maxProbeMs = 300
/** How long a card has to answer, in milliseconds; a late answer is for the next listing, and for events. */
const probeTimeoutMs = 5000

export interface ProbeOptions {
  readonly readers: Readers
  readonly cards: Pick<CardAccess, 'run'>
  /** The modules whose cards have this ATR. */
  readonly findByAtr: (atr: string) => readonly string[]
  readonly log: Pick<Log, 'error'>
}

/** The same readers; their cards have the modules that were found. */
export function probeCards({ readers, cards, findByAtr, log }: ProbeOptions): ProbedReaders {
  const snapshots = createSnapshots(log)
  /** By reader; for one insertion of its card. */
  let probes = new Map<string, { readonly atr: string; modules?: readonly string[] }>()

  const addModules = (reader: Reader): Reader => {
    if (!reader.card) return reader
    const { atr } = reader.card
    const byAtr = findByAtr(atr)
    const modules = byAtr.length > 0 ? byAtr : (probes.get(reader.name)?.modules ?? [])
    return { ...reader, card: { atr, modules } }
  }
  const publish = ({ pcsc, readers: found }: Snapshot) => {
    // A card that was taken out is asked again when it is back.
    probes = new Map(
      [...probes].filter(([name, { atr }]) =>
        found.some((reader) => reader.name === name && reader.card?.atr === atr),
      ),
    )
    snapshots.publish(pcsc, found.map(addModules))
  }
  const probeCard = async (name: string, atr: string): Promise<void> => {
    const probe: { readonly atr: string; modules?: readonly string[] } = { atr }
    probes.set(name, probe)
    const modules = await cards.run(name, { kind: 'probe' }, { timeoutMs: probeTimeoutMs }).then(
      (result) => result.modules,
      // A card that does not answer is a card of no module.
      (error) => (isKeptFromUs(error) ? undefined : []),
    )
    if (probes.get(name) !== probe) return
    if (modules === undefined) {
      probes.delete(name)
      return
    }
    probe.modules = modules
    publish(readers.snapshot())
  }
  publish(readers.snapshot())
  readers.subscribe(publish)

  return {
    ...readers,
    snapshot() {
      readers.snapshot()
      return snapshots.current()
    },
    subscribe: snapshots.subscribe,
    async probe() {
      const unknown = readers
        .snapshot()
        .readers.flatMap(({ name, card }) =>
          card && findByAtr(card.atr).length === 0 && !probes.has(name)
            ? [probeCard(name, card.atr)]
            : [],
        )
      if (unknown.length === 0) return
      await Promise.race([Promise.all(unknown), Bun.sleep(maxProbeMs)])
    },
  }
}

/** Another program has the card or has reset it, or the card service is not there: that passes, and says nothing about the card. */
const isKeptFromUs = (error: unknown): boolean =>
  error instanceof Problem && passing.includes(error.name)
const passing: readonly ProblemName[] = [
  'card-busy',
  'card-changed',
  'card-absent',
  'pcsc-unavailable',
]
