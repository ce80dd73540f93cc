/** The registration and the last reply of the service, stored in `service.json` so that a restart continues with them. */
import { join } from 'node:path'
import type { SyncReply } from '@cardwire/protocol/sync'
import { Jwk } from '@cardwire/protocol/token'
import { calculateJwkThumbprint } from 'jose'
import * as z from 'zod/mini'
import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'
import { type PrivateFiles, privateFiles } from '../../system/private-files.ts'
import { type Policy, verifyReply } from '../client/verify-reply.ts'
import { type PolicyTerm, toPolicyTerm } from './policy-term.ts'

/** A reply of the service. */
const LastReply = z.object({
  /** The JWS as it was received. */
  reply: z.string(),
  /** The key that signed it; it need not be trusted for later replies. */
  signer: Jwk,
  /** The device that it was addressed to. */
  device: z.uuid(),
})
type LastReply = z.output<typeof LastReply>

const PersistedState = z.object({
  /** The address in the settings; with another address this state is of another service. */
  dsUrl: z.string(),
  /** The address as the service spells it: the audience of assertions. */
  audience: z.string(),
  device: z.uuid(),
  /** The thumbprint of the identity key that registered; another key is another device. */
  identity: z.string(),
  /** The keys whose replies are trusted. */
  replyKeys: z.array(Jwk),
  /** In force until the next whole reply, also after the device has registered again. */
  /** The last whole reply. */
  last: z.optional(LastReply),
  /** The last reply, where it left the whole one unchanged: it says until when that one holds. */
  confirmation: z.optional(LastReply),
  /** Milliseconds that the clock of the service is ahead of ours. */
  offsetMs: z.number(),
  /** Seconds between synchronizations. */
  cycle: z.int(),
  /** The last successful synchronization, milliseconds since 1970. */
  lastGood: z.optional(z.number()),
  /** When the service signed that it has blocked this device, milliseconds since 1970. Absent: since then a sync succeeded. */
  blockedAt: z.optional(z.number()),
})
export type PersistedState = z.output<typeof PersistedState>

/** The last whole reply to the current registration; undefined before there is one. */
export const findOwnReply = ({ device, last }: PersistedState): LastReply | undefined =>
  last?.device === device ? last : undefined

export interface LoadedState {
  readonly state: PersistedState
  /** Absent before the first whole reply. */
  readonly policy?: Policy
  /** Absent where the service sets no end. */
  readonly term?: PolicyTerm | undefined
}

export interface StateStore {
  /** undefined: not registered, registered with another service or identity, or the file is damaged. */
  load(): Promise<LoadedState | undefined>
  save(state: PersistedState): Promise<void>
}

interface StateStoreOptions {
  readonly runtime: string
  readonly dsUrl: string
  /** The thumbprint of the current identity key; undefined: any is accepted, and nothing is changed on disk. */
  readonly identity: string | undefined
  readonly log: Pick<Log, 'warn' | 'error'>
  /** The machine's own unless a test gives others. */
  readonly files?: PrivateFiles
}

/** In the runtime folder. */
export const serviceFileName = 'service.json'

export function createStateStore(options: StateStoreOptions): StateStore {
  const { runtime, dsUrl, identity, log, files = privateFiles } = options
  const path = join(runtime, serviceFileName)
  const keepDamaged = () => {
    if (identity !== undefined) files.keepDamaged(path, log)
  }
  return {
    async load() {
      const text = await files.read(path)
      if (text === undefined) return undefined
      const state = await parseState(text)
      if (state === undefined) {
        log.error('stored registration is damaged', { path })
        keepDamaged()
        return undefined
      }
      if (state.dsUrl !== dsUrl) return undefined
      if (state.identity !== (identity ?? state.identity)) {
        log.error('stored registration belongs to another identity key', { path })
        keepDamaged()
        return undefined
      }
      const { last, confirmation, ...registration } = state
      if (last === undefined) return { state: registration }
      try {
        const policy = await verifyLastReply(last)
        const confirmed = confirmation && (await verifyConfirmation(confirmation, policy))
        return { state, policy, term: toPolicyTerm(confirmed ?? policy) }
      } catch (error) {
        log.error('stored reply is not trusted', { path, reason: errorText(error) })
        keepDamaged()
        // What is kept is kept once: the next start finds a file without it.
        if (identity !== undefined) await files.write(path, JSON.stringify(registration))
        return { state: registration }
      }
    },
    save: (state) => files.write(path, JSON.stringify(state)),
  }
}

/** undefined: the text does not have this form, or the `kid` of a key is not its fingerprint. */
async function parseState(text: string): Promise<PersistedState | undefined> {
  try {
    const state = z.parse(PersistedState, JSON.parse(text))
    for (const key of state.replyKeys) {
      if (key.kid !== (await calculateJwkThumbprint(key))) return undefined
    }
    return state
  } catch {
    return undefined
  }
}

/** Verifies the stored reply again: the file may have been changed. */
async function verifyLastReply({ reply: jws, signer, device }: LastReply): Promise<Policy> {
  const { reply } = await verifyReply(jws, [signer], { device, request: undefined })
  if (reply.unchanged) throw new Error('it has no content')
  return reply
}

/** undefined: it was altered, or is about another policy; then the policy holds as long as its own reply says. */
async function verifyConfirmation(
  { reply: jws, signer, device }: LastReply,
  policy: Policy,
): Promise<SyncReply | undefined> {
  const found = await verifyReply(jws, [signer], { device, request: undefined }).catch(
    () => undefined,
  )
  const isOfPolicy = device === policy.aud && found?.reply.state === policy.state
  return isOfPolicy && found.reply.iat >= policy.iat ? found.reply : undefined
}
