/** Simulated devices with keys of their own, and the synchronization requests they send. */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { assertionKind, serviceAudience, syncDevice } from '@cardwire/client/protocol'
import { calculateJwkThumbprint } from 'jose'
import type { StoreDevices } from './devices-rows.ts'

interface SimulatedDevice {
  readonly id: string
  readonly privateKey: KeyObject
}

export interface Requests {
  readonly body: string
  /** A token for each request, in the order they are to be sent. */
  readonly tokens: readonly string[]
}

export interface SimulatedDevices {
  growTo(size: number): Promise<void>
  /** Enough for so many seconds, one device after the other, when the state of all devices is current. */
  requests(seconds: number): Promise<Requests>
  /** The same by one device. */
  requestsOfOne(seconds: number): Promise<Requests>
  /** One request of a device. */
  request(at: number): { readonly body: string; readonly token: string }
}

/** No machine that this runs on answers more in a second. */
const maxPerSecond = 8000

export async function createSimulatedDevices(
  url: string,
  store: StoreDevices,
): Promise<SimulatedDevices> {
  const identities: SimulatedDevice[] = []
  const audience = serviceAudience(url)
  let next = 0
  let newest = 0

  const body = (state?: string) =>
    JSON.stringify({ version: '4.0.0', platform: 'UNIX', device: { hostname: 'bench' }, state })
  let currentBody = body()
  let digest = ''
  const setBody = (text: string) => {
    currentBody = text
    digest = createHash('sha256').update(text).digest('base64url')
  }

  const assert = ({ id, privateKey }: SimulatedDevice): string => {
    // Later with each: a device comes again after many others, a millisecond later at least.
    newest = Math.max(newest + 0.02, Date.now() - 200_000)
    const iat = Math.round(newest) / 1000
    const claims = { iss: id, sub: id, aud: audience, iat, exp: iat + 60, jti: crypto.randomUUID() }
    const text = `${header}.${encode({ ...claims, body: digest })}`
    const signature = sign('sha256', Buffer.from(text), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    })
    return `${text}.${signature.toString('base64url')}`
  }

  const devices: SimulatedDevices = {
    async growTo(size) {
      const rows = []
      while (identities.length < size) {
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
        const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
        const key = { kty, crv, x, y }
        const id = crypto.randomUUID()
        identities.push({ id, privateKey })
        const fingerprint = await calculateJwkThumbprint(key as { kty: string })
        rows.push({ id, fingerprint, key: JSON.stringify(key) })
      }
      await store(rows)
      const response = await fetch(url + syncDevice.path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${createFirstToken(devices)}`,
          'content-type': 'application/json',
        },
        body: currentBody,
      })
      const { data } = (await response.json()) as { data: string }
      const payload = Buffer.from(data.split('.')[1] ?? '', 'base64url').toString()
      setBody(body((JSON.parse(payload) as { state: string }).state))
    },
    async requests(seconds) {
      const tokens = []
      for (let n = 0; n < seconds * maxPerSecond; n += 1) {
        tokens.push(devices.request(next).token)
        next = (next + 1) % identities.length
      }
      return { body: currentBody, tokens }
    },
    async requestsOfOne(seconds) {
      const tokens = Array.from({ length: seconds * maxPerSecond }, () => devices.request(0).token)
      return { body: currentBody, tokens }
    },
    request(at) {
      const member = identities[at]
      if (!member) throw new Error(`Cannot send for device ${at}: there is none`)
      return { body: currentBody, token: assert(member) }
    },
  }
  setBody(body())
  return devices
}

const createFirstToken = (devices: SimulatedDevices) => devices.request(0).token

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encode({ alg: assertionKind.algorithm, typ: assertionKind.typ })
