/** Devices with keys of their own, and the requests they send. */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { assertionKind, serviceAudience, syncDevice } from '@cardwire/client/protocol'
import { calculateJwkThumbprint } from 'jose'
import type { StoreDevices } from './fleet-rows.ts'

interface Member {
  readonly id: string
  readonly privateKey: KeyObject
}

export interface Requests {
  readonly body: string
  /** A token for each request, in the order they are to be sent. */
  readonly tokens: readonly string[]
}

export interface Fleet {
  growTo(size: number): Promise<void>
  /** Enough for so many seconds, one device after the other, of a fleet that knows everything already. */
  requests(seconds: number): Promise<Requests>
  /** The same by one device. */
  requestsOfOne(seconds: number): Promise<Requests>
  /** One request of a device. */
  request(at: number): { readonly body: string; readonly token: string }
}

/** No machine that this runs on answers more in a second. */
const mostPerSecond = 8000

export async function foundFleet(url: string, store: StoreDevices): Promise<Fleet> {
  const members: Member[] = []
  const audience = serviceAudience(url)
  let next = 0
  let newest = 0

  const body = (state?: string) =>
    JSON.stringify({ version: '4.0.0', platform: 'UNIX', device: { hostname: 'bench' }, state })
  let said = body()
  let digest = ''
  const say = (text: string) => {
    said = text
    digest = createHash('sha256').update(text).digest('base64url')
  }

  const assert = ({ id, privateKey }: Member): string => {
    // Later with each: a device comes again after many others, a millisecond later at least.
    newest = Math.max(newest + 0.02, Date.now() - 200_000)
    const iat = Math.round(newest) / 1000
    const claims = { iss: id, sub: id, aud: audience, iat, exp: iat + 60, jti: crypto.randomUUID() }
    const text = `${header}.${encoded({ ...claims, body: digest })}`
    const signature = sign('sha256', Buffer.from(text), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    })
    return `${text}.${signature.toString('base64url')}`
  }

  const fleet: Fleet = {
    async growTo(size) {
      const rows = []
      while (members.length < size) {
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
        const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
        const key = { kty, crv, x, y }
        const id = crypto.randomUUID()
        members.push({ id, privateKey })
        const fingerprint = await calculateJwkThumbprint(key as { kty: string })
        rows.push({ id, fingerprint, key: JSON.stringify(key) })
      }
      await store(rows)
      const response = await fetch(url + syncDevice.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${first(fleet)}`, 'content-type': 'application/json' },
        body: said,
      })
      const { data } = (await response.json()) as { data: string }
      const payload = Buffer.from(data.split('.')[1] ?? '', 'base64url').toString()
      say(body((JSON.parse(payload) as { state: string }).state))
    },
    async requests(seconds) {
      const tokens = []
      for (let n = 0; n < seconds * mostPerSecond; n += 1) {
        tokens.push(fleet.request(next).token)
        next = (next + 1) % members.length
      }
      return { body: said, tokens }
    },
    async requestsOfOne(seconds) {
      const tokens = Array.from({ length: seconds * mostPerSecond }, () => fleet.request(0).token)
      return { body: said, tokens }
    },
    request(at) {
      const member = members[at]
      if (!member) throw new Error(`Cannot send for device ${at}: there is none`)
      return { body: said, token: assert(member) }
    },
  }
  say(body())
  return fleet
}

const first = (fleet: Fleet) => fleet.request(0).token

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encoded({ alg: assertionKind.algorithm, typ: assertionKind.typ })
