/** A connector's side of the synchronisation, in a folder of its own, against a real service. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Exchange, type Outgoing, openExchange } from '../../src/sync/exchange.ts'
import { openIdentity } from '../../src/sync/identity.ts'
import { type Link, openLink } from '../../src/sync/link.ts'
import { openService } from '../../src/sync/service.ts'
import { openServiceState, type Remembered } from '../../src/sync/state.ts'
import type { Log } from '../../src/system/log.ts'

export interface TestDevice extends Exchange {
  readonly runtime: string
  /** Every line of the log, with its fields. */
  readonly logged: string[]
  /** What was acknowledged. */
  readonly acknowledged: string[]
  /** Where the last request went, and what came back. */
  readonly calls: { readonly url: string; readonly sent: string; readonly body: string }[]
  /** What another start of the connector would find. */
  remembered(): Promise<Remembered | undefined>
  /** The same folder, as after a restart. */
  restart(options?: Partial<DeviceOptions>): Promise<TestDevice>
  close(): void
}

export interface DeviceOptions {
  readonly dsUrl: string
  readonly version: string
  readonly installationKey: string | undefined
  readonly fingerprints?: readonly string[]
  /** Stands in the way to the service. */
  readonly between?: (link: Link) => Link
  readonly clock?: () => number
  readonly runtime?: string
  /** What goes out and comes back of counts; none otherwise. */
  readonly counters?: Pick<Outgoing, 'batches' | 'acknowledge'>
}

export const logInto = (lines: string[]): Log => {
  const write = (level: string) => (event: string, fields?: Readonly<Record<string, unknown>>) =>
    void lines.push(`${level} ${event} ${JSON.stringify(fields ?? {})}`)
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

export async function openDevice(options: DeviceOptions): Promise<TestDevice> {
  const { dsUrl, version, installationKey, fingerprints = [], clock = Date.now } = options
  const runtime = options.runtime ?? mkdtempSync(join(tmpdir(), 'cardwire-device-'))
  const logged: string[] = []
  const acknowledged: string[] = []
  const calls: { url: string; sent: string; body: string }[] = []
  const log = logInto(logged)
  const direct = openLink({})
  const watched: Link = async (call) => {
    const answer = await (options.between ?? ((link) => link))(direct)(call)
    const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
    calls.push({ url: call.url, sent: text(call.body), body: text(answer.body) })
    return answer
  }
  const identity = await openIdentity(runtime)
  const place = { runtime, dsUrl, identity: identity.thumbprint, log }
  const exchange = await openExchange({
    ...{ dsUrl, clock, log, installationKey, fingerprints, identity: identity.thumbprint },
    service: openService({ dsUrl, identity, link: watched, clock }),
    state: openServiceState(place),
    self: { version, platform: 'UNIX', device: { hostname: 'desk-7' }, user: { language: 'en' } },
    outgoing: {
      keystore: () => undefined,
      batches: () => options.counters?.batches() ?? [],
      acknowledge(ids) {
        acknowledged.push(...ids)
        options.counters?.acknowledge(ids)
      },
      faults: () => [],
    },
  })
  return {
    ...exchange,
    ...{ runtime, logged, acknowledged, calls },
    remembered: () => openServiceState(place).read(),
    restart: (changed) => openDevice({ ...options, runtime, ...changed }),
    close: () => rmSync(runtime, { recursive: true, force: true }),
  }
}
