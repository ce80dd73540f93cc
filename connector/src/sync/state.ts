/** What the connector lives by until the next synchronisation, kept with the signature that makes it worth believing. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Jwk, type SyncReply } from '@cardwire/client/protocol'
import { calculateJwkThumbprint } from 'jose'
import writeFileAtomic from 'write-file-atomic'
import * as z from 'zod/mini'
import type { Log } from '../system/log.ts'
import { openReply } from './reply.ts'

/** What a whole reply says. */
export type Policy = Extract<SyncReply, { unchanged: false }>

/** The last whole reply. */
const Last = z.object({
  /** As it came. */
  reply: z.string(),
  /** The key that signed it; it need not be one that is believed from then on. */
  signer: Jwk,
  /** The device that it was said to. */
  device: z.uuid(),
})
type Last = z.output<typeof Last>

const Kept = z.object({
  /** The address that the settings named; another one is another service. */
  dsUrl: z.string(),
  /** How the service spells its address: the audience of assertions. */
  audience: z.string(),
  device: z.uuid(),
  /** The thumbprint of the identity key that the device registered with; another key is another device. */
  identity: z.string(),
  /** The keys of replies that are believed. */
  replyKeys: z.array(Jwk),
  /** What is in force; of a device that has registered again, until there is something newer. */
  last: z.optional(Last),
  /** Milliseconds that the clock of the service is ahead of ours. */
  offsetMs: z.number(),
  /** Seconds between synchronisations. */
  cycle: z.int(),
  /** Milliseconds since 1970. */
  lastGood: z.optional(z.number()),
})
export type Kept = z.output<typeof Kept>

export interface Remembered {
  readonly kept: Kept
  /** Absent before the first whole reply. */
  readonly policy?: Policy
}

export interface ServiceState {
  /** undefined: not registered, with another service or another identity, or not to be believed. */
  read(): Promise<Remembered | undefined>
  write(kept: Kept): Promise<void>
}

interface Place {
  readonly runtime: string
  readonly dsUrl: string
  /** The thumbprint of the identity key there is; undefined: whichever it was. */
  readonly identity: string | undefined
  readonly log: Pick<Log, 'error'>
}

export function openServiceState({ runtime, dsUrl, identity, log }: Place): ServiceState {
  const path = join(runtime, 'service.json')
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch(() => undefined)
      if (text === undefined) return undefined
      const kept = await keptOf(text)
      if (kept === undefined) {
        log.error('what is known of the service is damaged', { path })
        return undefined
      }
      if (kept.dsUrl !== dsUrl || kept.identity !== (identity ?? kept.identity)) return undefined
      const { last, ...registered } = kept
      if (last === undefined) return { kept: registered }
      try {
        return { kept, policy: await policyOf(last) }
      } catch (error) {
        log.error('what the service said last is not believed', { path, reason: textOf(error) })
        return { kept: registered }
      }
    },
    write: (kept) => writeFileAtomic(path, JSON.stringify(kept), { mode: 0o600 }),
  }
}

/** undefined: no such text, or keys that are not what they are called. */
async function keptOf(text: string): Promise<Kept | undefined> {
  try {
    const kept = z.parse(Kept, JSON.parse(text))
    for (const key of kept.replyKeys) {
      if (key.kid !== (await calculateJwkThumbprint(key))) return undefined
    }
    return kept
  } catch {
    return undefined
  }
}

/** Verified again although it was when it came: the file may have changed since. */
async function policyOf({ reply, signer, device }: Last): Promise<Policy> {
  const opened = await openReply(reply, [signer], { device, request: undefined })
  if (opened.unchanged) throw new Error('it says nothing')
  return opened
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
