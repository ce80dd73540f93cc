/** The session of this device with the service: synchronizes, verifies the replies, and stores what they change. */
import {
  type Fault,
  faultBounds,
  type SyncReply,
  type SyncRequest,
  syncDevice,
} from '@cardwire/protocol/sync'
import * as z from 'zod/mini'
import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'
import type { DeviceRequest } from '../client/ds-client.ts'
import { DsError, readData } from '../client/ds-response.ts'
import type { HttpResponse } from '../client/transport.ts'
import {
  type Policy,
  UnknownResponseSigningKey,
  type VerifiedReply,
  verifyReply,
} from '../client/verify-reply.ts'
import { type BatchSource, createCounterBatches } from './counter-batches.ts'
import { createFaults } from './faults.ts'
import { findOwnReply, type PersistedState, type StateStore } from './persisted-state.ts'
import { type PolicyTerm, toPolicyTerm } from './policy-term.ts'
import { isBlockedByService, type RegistrationOptions, recover, register } from './registration.ts'
import { ReplyRefused } from './sync-status.ts'

export interface SyncSession {
  /** The policy in force; undefined before the first whole reply. */
  policy(): Policy | undefined
  /** How long the policy holds without another synchronization; undefined: without end. */
  term(): PolicyTerm | undefined
  /** What the last reply said about waiting for news; undefined: nothing, or there was none yet. */
  wait(): SyncReply['wait']
  /** Whether the service has blocked this device, and no sync has succeeded since. */
  isBlocked(): boolean
  /** The registration and what belongs to it; undefined: not registered. */
  state(): PersistedState | undefined
  /** Registers where necessary, and synchronizes. Throws Unreachable, DsError, ReplyRefused; then the policy stays. */
  syncOnce(): Promise<void>
  /** Sends another request as the registered device. Throws Unreachable, DsError. */
  send(request: Omit<DeviceRequest, 'device' | 'audience'>): Promise<HttpResponse>
}

/** What each synchronization reports, read anew for each. */
export interface DeviceReport extends BatchSource {
  /** SHA-256 of the keystore in force. */
  keystore(): string | undefined
  faults(): readonly Fault[]
}

export interface SyncSessionOptions extends RegistrationOptions {
  readonly stateStore: StateStore
  readonly report: DeviceReport
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
}

/** Loads the stored state; sends nothing yet. */
export async function openSyncSession(options: SyncSessionOptions): Promise<SyncSession> {
  const { dsClient, stateStore, deviceInfo, report, clock, log } = options
  const loaded = await stateStore.load()
  let state = loaded?.state
  let policy = loaded?.policy
  let term = loaded?.term
  /** Not stored: after a start, the service says it anew. */
  let wait: SyncReply['wait']
  if (state) dsClient.setClockOffset(state.offsetMs)
  const ownFaults = createFaults(clock)
  const counterBatches = createCounterBatches(report, ownFaults, log)

  async function synchronize(registered: PersistedState): Promise<void> {
    const { device, audience } = registered
    const batches = counterBatches.read()
    const sentAt = clock()
    const body = JSON.stringify({
      ...deviceInfo,
      ...toReportedState(registered, policy),
      ...toReport(report, ownFaults.list(), batches ?? []),
    } satisfies SyncRequest)
    const { response, jti, assertedAt } = await dsClient.send({
      ...{ device, audience, method: 'POST', path: syncDevice.path },
      body: { type: 'application/json', bytes: new TextEncoder().encode(body) },
    })
    const verified = await verifyResponse(response, registered, { jti, now: assertedAt })
    const { reply } = verified
    // The service read its clock between request and response: in the middle, as far as we can know.
    const offsetMs = Math.round(reply.iat * 1000 - (sentAt + clock()) / 2)
    dsClient.setClockOffset(offsetMs)
    const { blockedAt, ...answered } = applyReply(registered, verified)
    await save({ ...answered, offsetMs, lastGood: clock() })
    if (blockedAt !== undefined) log.info('the service has unblocked this device')
    if (!reply.unchanged) policy = reply
    term = toPolicyTerm(reply)
    wait = reply.wait
    counterBatches.acknowledge(reply.acknowledged, batches)
  }

  async function block(registered: PersistedState): Promise<void> {
    if (registered.blockedAt !== undefined) return
    await save({ ...registered, blockedAt: clock() })
    log.warn('the service has blocked this device: pages are rejected until it is unblocked')
  }

  /** When it cannot be written, it is in force until the process ends. */
  async function save(changed: PersistedState): Promise<PersistedState> {
    state = changed
    await stateStore.save(changed).catch((error) => {
      log.error('state of the service is not on disk', { reason: String(error) })
    })
    return changed
  }

  return {
    policy: () => policy,
    term: () => term,
    wait: () => wait,
    isBlocked: () => state?.blockedAt !== undefined,
    state: () => state,
    async syncOnce() {
      const registered = state ?? (await save(await register(options)))
      try {
        await synchronize(registered)
      } catch (error) {
        if (await isBlockedByService(options, registered, error)) await block(registered)
        await synchronize(await save(await recover(options, registered, error)))
      }
    },
    async send(request) {
      if (state === undefined) {
        throw new DsError('device-unknown', 'This connector is not registered')
      }
      const { device, audience } = state
      return (await dsClient.send({ ...request, device, audience })).response
    },
  }
}

/** Without `state` the service sends a whole reply, which a new registration needs. */
const toReportedState = (registered: PersistedState, policy: Policy | undefined) =>
  findOwnReply(registered) !== undefined && policy ? { state: policy.state } : {}

function toReport(
  report: DeviceReport,
  ownFaults: readonly Fault[],
  batches: SyncRequest['batches'],
) {
  const keystore = report.keystore()
  return {
    ...(keystore !== undefined && { keystore }),
    batches,
    faults: [...ownFaults, ...report.faults()].slice(0, faultBounds.faults),
  }
}

/** Throws ReplyRefused. */
async function verifyResponse(
  response: HttpResponse,
  state: PersistedState,
  request: { readonly jti: string; readonly now: number },
): Promise<VerifiedReply & { readonly jws: string }> {
  const { device, replyKeys } = state
  try {
    const jws = readData(response, z.string())
    const { reply, signer } = await verifyReply(jws, replyKeys, { device, request })
    if (reply.unchanged && findOwnReply(state) === undefined) throw new Error('it has no content')
    return { jws, reply, signer }
  } catch (error) {
    if (error instanceof UnknownResponseSigningKey) throw new ReplyRefused(error.message, error)
    throw new ReplyRefused(errorText(error))
  }
}

/** The state after a reply; one that says `unchanged` confirms the whole one before it. */
function applyReply(
  state: PersistedState,
  { jws, reply, signer }: VerifiedReply & { readonly jws: string },
): PersistedState {
  const received = { reply: jws, signer, device: state.device }
  if (reply.unchanged) return { ...state, confirmation: received }
  const { replyKeys, cycle } = reply
  const { confirmation: _, ...rest } = state
  return { ...rest, last: received, replyKeys, cycle }
}
