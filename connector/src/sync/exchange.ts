/** One synchronisation: registers where that is needed, asks, believes what the service has signed, and keeps it. */
import { type Fault, type Platform, type SyncRequest, syncDevice } from '@cardwire/client/protocol'
import { decodeProtectedHeader } from 'jose'
import * as z from 'zod/mini'
import type { Log } from '../system/log.ts'
import { openFaults } from './faults.ts'
import type { Answer } from './link.ts'
import { openReply, UnknownKey } from './reply.ts'
import { type DeviceRequest, dataOf, type Service, ServiceRefusal } from './service.ts'
import { ReplyRefused } from './standing.ts'
import type { Kept, Policy, ServiceState } from './state.ts'
import { cannotFollow, followed } from './successions.ts'

/** What goes out with a synchronisation, asked for at each one. */
export interface Outgoing {
  /** SHA-256 of the keystore in force. */
  keystore(): string | undefined
  /** What was sent once stays as it was until it is acknowledged. */
  batches(): SyncRequest['batches']
  /** The service has counted these; they are never sent again. */
  acknowledge(ids: readonly string[]): void
  faults(): readonly Fault[]
}

/** What the connector says of itself and of the machine. */
export interface Self {
  readonly version: string
  readonly platform: Platform
  readonly device: Readonly<Record<string, string>>
  readonly user: Readonly<Record<string, string>>
}

export interface Exchange {
  /** What is in force: undefined before the first whole reply. */
  policy(): Policy | undefined
  /** What is known of the service; undefined: not registered. */
  kept(): Kept | undefined
  /** Throws Unreachable, ServiceRefusal, ReplyRefused; then everything stays as it is. */
  once(): Promise<void>
  /** Asks something else of the service, as the device that is registered. */
  ask(request: Omit<DeviceRequest, 'device' | 'audience'>): Promise<Answer>
}

export interface ExchangeParts {
  readonly dsUrl: string
  /** The thumbprint of the identity key. */
  readonly identity: string
  readonly service: Service
  readonly state: ServiceState
  readonly self: Self
  readonly installationKey: string | undefined
  /** Fingerprints of the keys of replies; none: whatever comes is believed from then on. */
  readonly fingerprints: readonly string[]
  readonly outgoing: Outgoing
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
}

const countersFailed = 'counters-failed'
/** That a service takes. */
const mostFaults = 20

/** Reads what is remembered; asks nobody yet. */
export async function openExchange(parts: ExchangeParts): Promise<Exchange> {
  const { dsUrl, identity, service, state, self, outgoing, clock, log } = parts
  const remembered = await state.read()
  let kept = remembered?.kept
  let policy = remembered?.policy
  if (kept) service.correct(kept.offsetMs)
  const own = openFaults(clock)

  /** What cannot be written counts all the same, until we end. */
  async function keep(change: Kept): Promise<void> {
    kept = change
    await state.write(change).catch((error) => {
      log.error('what the service said is not on disk', { reason: String(error) })
    })
  }

  async function register(): Promise<Kept> {
    const { installationKey, fingerprints } = parts
    if (installationKey === undefined) {
      throw new ServiceRefusal(
        'installation-key-missing',
        'Cannot register: set CARDWIRE_INSTALLATION_KEY to the key of this version',
      )
    }
    const { version, platform, device } = self
    const facts = { version, platform, device }
    const { id, audience, replyKeys, cycle } = await service.register({
      ...{ installationKey, fingerprints, facts },
    })
    if (fingerprints.length === 0) {
      log.warn('keys of the service are believed from now on, the settings name none', {
        fingerprints: replyKeys.map(({ kid }) => kid).join(','),
      })
    }
    log.info('registered', { device: id, service: audience })
    const registered: Kept = {
      ...{ dsUrl, audience, device: id, identity, replyKeys: [...replyKeys], cycle },
      offsetMs: service.offsetMs(),
      // What was said to the device that this was before holds until there is a reply to this one.
      ...(kept?.last && { last: kept.last }),
    }
    await keep(registered)
    return registered
  }

  async function synchronise(registered: Kept): Promise<void> {
    const { device, audience, replyKeys } = registered
    const counted = batches()
    const sentAt = clock()
    const { answer, jti } = await service.ask({
      ...{ device, audience, method: 'POST', path: syncDevice.path },
      body: {
        type: 'application/json',
        bytes: encode(JSON.stringify(requestOf(registered, counted))),
      },
    })
    const { jws, reply } = await opened(answer, registered, {
      jti,
      now: clock() + service.offsetMs(),
    })
    // The middle of asking and hearing is when the service looked at its clock, as far as we can know.
    const offsetMs = Math.round(reply.iat * 1000 - (sentAt + clock()) / 2)
    service.correct(offsetMs)
    if (reply.unchanged) await keep({ ...registered, offsetMs, lastGood: clock() })
    else {
      const signer = replyKeys.find(({ kid }) => kid === decodeProtectedHeader(jws).kid)
      if (signer === undefined) throw new ReplyRefused('its key is not one that was announced')
      await keep({
        ...registered,
        last: { reply: jws, signer, device },
        ...{ replyKeys: reply.replyKeys, cycle: reply.cycle },
        ...{ offsetMs, lastGood: clock() },
      })
      policy = reply
    }
    if (acknowledge(reply.acknowledged) && counted) own.clear(countersFailed)
  }

  /** undefined: they cannot be read. Everything else that a service says matters more than counts do. */
  function batches(): SyncRequest['batches'] | undefined {
    try {
      return outgoing.batches()
    } catch (error) {
      tellCounters('counts not sent', error)
      return undefined
    }
  }

  /** Whether it is noted; else they go out again, and the service knows them by their ids. */
  function acknowledge(ids: readonly string[]): boolean {
    try {
      outgoing.acknowledge(ids)
      return true
    } catch (error) {
      tellCounters('counts not acknowledged', error)
      return false
    }
  }

  function tellCounters(event: string, error: unknown): void {
    log.error(event, { reason: textOf(error) })
    own.set(countersFailed, textOf(error))
  }

  function requestOf(registered: Kept, counted: SyncRequest['batches']): SyncRequest {
    const keystore = outgoing.keystore()
    return {
      ...self,
      // A device that has just registered was told nothing yet: it asks for everything.
      ...(replyTo(registered) !== undefined && policy && { state: policy.state }),
      ...(keystore !== undefined && { keystore }),
      batches: counted ?? [],
      faults: [...own.list(), ...outgoing.faults()].slice(0, mostFaults),
    }
  }

  /** As whom to ask once more. Throws `error`, or a better one, where that would be of no use. */
  async function again(known: Kept, error: unknown): Promise<Kept> {
    const reason = whyAgain(error, parts.fingerprints)
    if (reason !== undefined) {
      log.warn('registering again', { device: known.device, reason })
      return register()
    }
    if (!(error instanceof ReplyRefused) || error.unknownKey === undefined) throw error
    return follow(known, error, error.unknownKey)
  }

  /** Believes the key that signed, when those that are believed vouch for it. Throws ReplyRefused. */
  async function follow(known: Kept, refused: ReplyRefused, signer: string): Promise<Kept> {
    const kids = known.replyKeys.map(({ kid }) => kid)
    const words = await service.successions().catch((error) => {
      throw new ReplyRefused(`${new UnknownKey(signer).message}; ${cannotFollow(error)}`, signer)
    })
    const key = (await followed(words, kids)).find(({ kid }) => kid === signer)
    if (key === undefined) throw refused
    log.info('keys followed', { from: kids.join(','), to: signer })
    // Its replies name the others there are.
    const following = { ...known, replyKeys: [...known.replyKeys, key] }
    await keep(following)
    return following
  }

  return {
    policy: () => policy,
    kept: () => kept,
    async once() {
      const known = kept ?? (await register())
      try {
        await synchronise(known)
      } catch (error) {
        await synchronise(await again(known, error))
      }
    },
    async ask(request) {
      if (kept === undefined) {
        throw new ServiceRefusal('device-unknown', 'This connector is not registered')
      }
      const { device, audience } = kept
      return (await service.ask({ ...request, device, audience })).answer
    },
  }
}

/** Why a device that is registered has to register once more; undefined: it has not. */
function whyAgain(error: unknown, fingerprints: readonly string[]): string | undefined {
  // Deleted there, or younger than the backup that the service came back from.
  if (error instanceof ServiceRefusal && error.code === 'device-unknown') {
    return 'the service does not know this device any more'
  }
  // Every key that was known has gone while the machine was off, and the settings name those there are.
  if (error instanceof ReplyRefused && fingerprints.includes(error.unknownKey ?? '')) {
    return 'the service has the keys that the settings name'
  }
  return undefined
}

async function opened(
  answer: Answer,
  registered: Kept,
  request: { readonly jti: string; readonly now: number },
) {
  const { device, replyKeys } = registered
  try {
    const jws = dataOf(answer, z.string())
    const reply = await openReply(jws, replyKeys, { device, request })
    if (reply.unchanged && replyTo(registered) === undefined) throw new Error('it says nothing')
    return { jws, reply }
  } catch (error) {
    if (error instanceof UnknownKey) throw new ReplyRefused(error.message, error.kid)
    throw new ReplyRefused(textOf(error))
  }
}

/** The last whole reply to this very device. */
const replyTo = ({ device, last }: Kept) => (last?.device === device ? last : undefined)

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const encode = (text: string) => new TextEncoder().encode(text)
