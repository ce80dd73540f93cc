/** Registers the device, and recovers a registration whose synchronization was refused. */
import type { SignedRefusal } from '@cardwire/protocol/sync'
import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'
import type { DsClient } from '../client/ds-client.ts'
import { DsError } from '../client/ds-response.ts'
import { describeChainFailure, resolveKeyChain } from '../client/key-chain.ts'
import { verifyRefusal } from '../client/signed-by-service.ts'
import { type ResponseSigningKey, UnknownResponseSigningKey } from '../client/verify-reply.ts'
import type { DeviceInfo } from './device-info.ts'
import type { PersistedState } from './persisted-state.ts'
import { ReplyRefused } from './sync-status.ts'

export interface RegistrationOptions {
  readonly dsUrl: string
  /** The thumbprint of the identity key. */
  readonly identity: string
  readonly dsClient: DsClient
  readonly deviceInfo: DeviceInfo
  readonly installationKey: string | undefined
  /** Fingerprints of the trusted reply keys; none: the keys of the first registration are trusted from then on. */
  readonly fingerprints: readonly string[]
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** Registers, and returns the new state. The last reply to `previous` stays in force until there is a new one. */
export async function register(
  options: RegistrationOptions,
  previous?: PersistedState,
): Promise<PersistedState> {
  const { dsUrl, identity, dsClient, deviceInfo, installationKey, fingerprints, log } = options
  if (installationKey === undefined) {
    throw new DsError(
      'installation-key-missing',
      'Cannot register: set CARDWIRE_INSTALLATION_KEY to the key of this version',
    )
  }
  const { version, platform, device } = deviceInfo
  const facts = { version, platform, device }
  const trusted = listTrustedKids(fingerprints, previous)
  const registration = await dsClient.register({ installationKey, trusted, facts })
  const { id, audience, replyKeys, cycle } = registration
  if (trusted.length === 0) {
    log.warn('reply keys of the service are trusted from now on, the settings name none', {
      fingerprints: replyKeys.map(({ kid }) => kid).join(','),
    })
  }
  log.info('registered', { device: id, service: audience })
  return {
    dsUrl,
    audience,
    device: id,
    identity,
    replyKeys: [...replyKeys],
    cycle,
    offsetMs: dsClient.clockOffsetMs(),
    ...(previous?.last && { last: previous.last }),
    ...(previous?.confirmation && { confirmation: previous.confirmation }),
  }
}

/** A registration that is repeated trusts what was trusted before, and what the settings name. */
const listTrustedKids = (fingerprints: readonly string[], previous?: PersistedState) => [
  ...fingerprints,
  ...(previous?.replyKeys.map(({ kid }) => kid) ?? []),
]

/** The state with which a failed synchronization can be tried once more. Throws when there is none. */
export async function recover(
  options: RegistrationOptions,
  state: PersistedState,
  error: unknown,
): Promise<PersistedState> {
  // The device was deleted, or is younger than the backup that the service was restored from.
  if (error instanceof DsError && error.code === 'device-unknown') {
    await requireTrustedRefusal(options, state, error)
    const reason = 'the service no longer knows this device'
    options.log.warn('registering again', { device: state.device, reason })
    return register(options, state)
  }
  if (!(error instanceof ReplyRefused) || error.unknownKey === undefined) throw error
  return trustReplyKey(options, state, error, error.unknownKey)
}

/** Whether the service itself has blocked this device. A proxy can say so, too, but cannot sign it. */
export const isBlockedByService = async (
  options: RegistrationOptions,
  state: PersistedState,
  error: unknown,
): Promise<boolean> =>
  error instanceof DsError &&
  error.code === 'device-blocked' &&
  (await requireTrustedRefusal(options, state, error).then(
    () => true,
    ({ message }: Error) => {
      options.log.warn('block not accepted', { reason: message })
      return false
    },
  ))

const refusalMeanings: Readonly<Record<SignedRefusal['code'], string>> = {
  'device-unknown': 'it says that it does not know this connector',
  'device-blocked': 'it says that it has blocked this connector',
}

/**
 * Throws ReplyRefused where the service did not sign its refusal: anyone in between could say that the device is unknown, to get
 * the installation key, or that it is blocked, to stop it.
 */
async function requireTrustedRefusal(
  { dsClient, fingerprints }: RegistrationOptions,
  state: PersistedState,
  { code, refusal }: DsError,
): Promise<void> {
  const what = refusalMeanings[code as SignedRefusal['code']]
  if (refusal === undefined) throw new ReplyRefused(`${what}, and does not sign that`)
  const { statement, jti } = refusal
  const signer = await verifyRefusal(statement, { subject: state.device, jti, code }).catch(
    (error) => {
      throw new ReplyRefused(`${what}, but ${errorText(error)}`)
    },
  )
  const trusted = listTrustedKids(fingerprints, state)
  if (trusted.includes(signer) || (await findEndorsedKey(dsClient, trusted, signer))) return
  throw new ReplyRefused(`${what}, but ${new UnknownResponseSigningKey(signer).message}`)
}

/**
 * Adds the key that a reply names to the trusted keys, when the settings name it, or a key that is trusted or named endorses
 * it. Throws ReplyRefused.
 */
async function trustReplyKey(
  { dsClient, fingerprints, log }: RegistrationOptions,
  state: PersistedState,
  refused: ReplyRefused,
  { kid = '', key: offered }: UnknownResponseSigningKey,
): Promise<PersistedState> {
  const trusted = listTrustedKids(fingerprints, state)
  const isNamed = offered !== undefined && fingerprints.includes(kid)
  const key = isNamed ? offered : await findEndorsedKey(dsClient, trusted, kid)
  if (key === undefined) throw refused
  const change = { from: trusted.join(','), to: kid }
  if (isNamed) log.info('reply key of the settings trusted', change)
  else log.info('endorsed reply key trusted', change)
  // The other new keys are in its replies.
  return { ...state, replyKeys: [...state.replyKeys, key] }
}

/** The key with the fingerprint `kid`, when a trusted one endorses it. Throws ReplyRefused when that cannot be read. */
async function findEndorsedKey(
  dsClient: DsClient,
  trusted: readonly string[],
  kid: string,
): Promise<ResponseSigningKey | undefined> {
  const rotationStatements = await dsClient.fetchRotationStatements().catch((error) => {
    const reason = new UnknownResponseSigningKey(kid).message
    throw new ReplyRefused(`${reason}; ${describeChainFailure(error)}`)
  })
  return (await resolveKeyChain(rotationStatements, trusted)).find((key) => key.kid === kid)
}
