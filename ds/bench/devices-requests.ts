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
  /** The first for each device once, the next for each once more, and so on in turn. */
  readonly bodies: readonly string[]
  /** How many requests have the same body. */
  readonly devices: number
  /** A token for each request, in the order they are to be sent. */
  readonly tokens: readonly string[]
}

export interface SimulatedDevices {
  growTo(size: number): Promise<void>
  /** Rows beside those that send: so many in all; with host names where `nameDevice` gives them. */
  fillTo(size: number, nameDevice?: (at: number) => string): Promise<void>
  /**
   * Enough for so many seconds, one device after the other, when the state of all devices is current. `isChanging`: each
   * reports another host name than in its request before.
   */
  requests(seconds: number, isChanging?: boolean): Promise<Requests>
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
  let [next, rounds] = [0, 0]
  let newest = 0

  const body = (state?: string, hostname = 'bench') =>
    JSON.stringify({ version: '4.0.0', platform: 'UNIX', device: { hostname }, state })
  let knownState: string | undefined
  let filled = 0
  let currentBody = body()
  let digest = ''
  const setBody = (text: string) => {
    currentBody = text
    digest = createHash('sha256').update(text).digest('base64url')
  }

  const assert = ({ id, privateKey }: SimulatedDevice): string => {
    // Later with each: a device comes again after many others, a millisecond later at least.
    newest = Math.max(newest + 0.02, Date.now() + 40_000)
    const iat = Math.round(newest) / 1000
    const target = { aud: audience, htm: syncDevice.method, htu: audience + syncDevice.path }
    const claims = { iss: id, sub: id, ...target, iat, exp: iat + 60, jti: crypto.randomUUID() }
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
      knownState = (JSON.parse(payload) as { state: string }).state
      setBody(body(knownState))
    },
    async fillTo(size, nameDevice) {
      const key = createKeyOfNobody()
      while (identities.length + filled < size) {
        const count = Math.min(rowsAtOnce, size - identities.length - filled)
        await store(
          Array.from({ length: count }, (_, at) => ({
            id: crypto.randomUUID(),
            fingerprint: crypto.randomUUID(),
            key,
            ...(nameDevice && { device: JSON.stringify({ hostname: nameDevice(filled + at) }) }),
          })),
        )
        filled += count
      }
    },
    async requests(seconds, isChanging = false) {
      rounds += 1
      const bodies = isChanging
        ? ['odd', 'even'].map((name) => body(knownState, `${name} ${rounds}`))
        : [body(knownState)]
      // Of the bodies each is for all devices in turn, from the first one.
      next = 0
      const tokens = []
      for (let n = 0; n < seconds * maxPerSecond; n += 1) {
        setBody(bodies[Math.floor(n / identities.length) % bodies.length] ?? '')
        tokens.push(devices.request(next).token)
        next = (next + 1) % identities.length
      }
      return { bodies, devices: identities.length, tokens }
    },
    async requestsOfOne(seconds) {
      const tokens = Array.from({ length: seconds * maxPerSecond }, () => devices.request(0).token)
      return { bodies: [currentBody], devices: tokens.length, tokens }
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

/** A key that no device of a measurement has. */
function createKeyOfNobody(): string {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  return JSON.stringify({ kty, crv, x, y })
}

const rowsAtOnce = 50_000

const createFirstToken = (devices: SimulatedDevices) => devices.request(0).token

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encode({ alg: assertionKind.algorithm, typ: assertionKind.typ })
