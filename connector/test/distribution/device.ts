/** The synchronizing part of a connector, in a folder of its own, against a real service. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../../test/bed/log.ts'
import { createDsClient } from '../../src/distribution/client/ds-client.ts'
import { openIdentity } from '../../src/distribution/client/identity.ts'
import { createTransport, type HttpTransport } from '../../src/distribution/client/transport.ts'
import { createStateStore, type LoadedState } from '../../src/distribution/sync/persisted-state.ts'
import {
  type DeviceReport,
  openSyncSession,
  type SyncSession,
} from '../../src/distribution/sync/session.ts'

export interface TestDevice extends SyncSession {
  readonly runtime: string
  /** Every line of the log, with its fields. */
  readonly logged: string[]
  /** By which tokens are judged. */
  readonly clockOffsetMs: () => number
  /** What was acknowledged. */
  readonly acknowledged: string[]
  /** Where the last request went, and what came back. */
  readonly calls: { readonly url: string; readonly sent: string; readonly body: string }[]
  /** What another start of the connector would find. */
  loadState(): Promise<LoadedState | undefined>
  /** The same folder, as after a restart. */
  restart(options?: Partial<DeviceOptions>): Promise<TestDevice>
  /**
   * The requests of `calls` that the service did not refuse as replayed. A device that starts again within milliseconds knows
   * the clock of the service as exactly as its last round trip was short, so its first assertion may have an earlier time than
   * the one before. It then asks once more, which session.test.ts proves.
   */
  counted(): TestDevice['calls']
  close(): void
}

export interface DeviceOptions {
  readonly dsUrl: string
  readonly version: string
  readonly installationKey: string | undefined
  readonly fingerprints?: readonly string[]
  /** Stands in the way to the service. */
  readonly wrapTransport?: (link: HttpTransport) => HttpTransport
  readonly clock?: () => number
  readonly runtime?: string
  /** What goes out and comes back of counts; none otherwise. */
  readonly counters?: Pick<DeviceReport, 'batches' | 'acknowledge'>
}

export async function openDevice(options: DeviceOptions): Promise<TestDevice> {
  const { dsUrl, version, installationKey, fingerprints = [], clock = Date.now } = options
  const runtime = options.runtime ?? mkdtempSync(join(tmpdir(), 'cardwire-device-'))
  const logged: string[] = []
  const acknowledged: string[] = []
  const calls: { url: string; sent: string; body: string }[] = []
  const log = createLog(logged)
  const direct = createTransport({})
  const watched: HttpTransport = async (call) => {
    const answer = await (options.wrapTransport ?? ((link) => link))(direct)(call)
    const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
    calls.push({ url: call.url, sent: text(call.body), body: text(answer.body) })
    return answer
  }
  const identity = await openIdentity(runtime, log)
  const place = { runtime, dsUrl, identity: identity.thumbprint, log }
  const dsClient = createDsClient({ dsUrl, identity, transport: watched, clock })
  const exchange = await openSyncSession({
    dsUrl,
    clock,
    log,
    installationKey,
    fingerprints,
    identity: identity.thumbprint,
    dsClient,
    stateStore: createStateStore(place),
    deviceInfo: {
      version,
      platform: 'UNIX',
      device: { hostname: 'desk-7' },
      user: { language: 'en' },
    },
    report: {
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
    runtime,
    logged,
    clockOffsetMs: dsClient.clockOffsetMs,
    acknowledged,
    calls,
    loadState: () => createStateStore(place).load(),
    restart: (changed) => openDevice({ ...options, runtime, ...changed }),
    counted: () => calls.filter(({ body }) => !body.includes('"code":"assertion-replayed"')),
    close: () => rmSync(runtime, { recursive: true, force: true }),
  }
}
