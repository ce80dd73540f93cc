/** The credentials of requests to the distribution service: tokens, keys, and the assertions of devices. */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import {
  assertionKind,
  checkRegistrationKey,
  type Operation,
  registerDevice,
} from '@cardwire/protocol'
import { createCredential } from './credentials.ts'
import type { Header, PlannedRequest } from './planned-request.ts'

export interface DeviceKey {
  readonly x: string
  readonly y: string
  readonly privateKey: KeyObject
  /** RFC 7638, SHA-256. */
  readonly thumbprint: string
}

export function createDeviceKey(): DeviceKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const members = JSON.stringify({ crv: 'P-256', kty: 'EC', x, y })
  const thumbprint = createHash('sha256').update(members).digest('base64url')
  return { x, y, privateKey, thumbprint }
}

const newest = new Map<string, number>()

/** As a connector makes it for a request with this body: later than the one before. */
export function createAssertion(
  { privateKey }: DeviceKey,
  subject: string,
  audience: string,
  { method, path }: Pick<Operation, 'method' | 'path'>,
  body: Buffer,
): string {
  const at = Math.max(Date.now(), (newest.get(subject) ?? 0) + 1)
  newest.set(subject, at)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    iss: subject,
    sub: subject,
    aud: audience,
    htm: method,
    htu: `${audience}${path}`,
    jti: randomUUID(),
    iat: at / 1000,
    exp: at / 1000 + assertionKind.lifetimeS,
    body: createHash('sha256').update(body).digest('base64url'),
  }
  const signed = `${encode({ alg: assertionKind.algorithm, typ: assertionKind.typ })}.${encode(claims)}`
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

export interface DsCredentials {
  readonly administrator: string
  readonly application: string
  readonly audience: string
  device(slot: number): DeviceKey
  /** A key or an id that the service gave. */
  slot(name: string): string
}

/** The headers that show who sends the request. */
export function createDsCredential(
  { operation, credential, slot }: PlannedRequest,
  body: Buffer,
  parts: DsCredentials,
): readonly Header[] {
  const { administrator, application, audience } = parts
  const bearer = (right: string, other: string) =>
    createCredential(credential, { header: 'authorization', right, other })
  const assertion = (subject: string) =>
    createAssertion(parts.device(slot), subject, audience, operation ?? registerDevice, body)
  switch (operation?.access ?? 'administrator') {
    case 'anyone':
      return []
    case 'application':
      return bearer(slot % 2 === 0 ? application : administrator, parts.slot(`label-key:${slot}`))
    case 'api-key': {
      const other = parts.slot(`installation-key:${slot}`)
      const right = parts.slot(`label-key:${slot}`)
      return createCredential(credential, { header: 'apikey', right, other })
    }
    case 'gateway': {
      const keys = [parts.slot(`label-key:${slot}`), parts.slot(`installation-key:${slot}`)]
      const [right = '', other = ''] =
        operation?.name === checkRegistrationKey.name ? keys.toReversed() : keys
      return createCredential(credential, { header: 'apikey', right, other })
    }
    case 'registration': {
      const other = parts.slot(`label-key:${slot}`)
      const right = parts.slot(`installation-key:${slot}`)
      const key = createCredential(credential, { header: 'apikey', right, other })
      return [...key, ['authorization', `Bearer ${assertion(parts.device(slot).thumbprint)}`]]
    }
    case 'device':
      return bearer(assertion(parts.slot(`device:${slot}`)), administrator)
    default:
      return bearer(administrator, application)
  }
}
