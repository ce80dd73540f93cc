/** Simulated devices with keys of their own, and the synchronization requests they send. */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { assertionKind, type Operation, serviceAudience, syncDevice } from '@cardwire/protocol'
import { calculateJwkThumbprint } from 'jose'
import type { DeviceRow, StoreDevices } from './devices-rows.ts'

export interface SimulatedDevice {
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
  request(at: number): Request
}

interface Request {
  readonly body: string
  readonly token: string
}

/** No machine that this runs on answers more in a second. */
const maxPerSecond = 8000

export async function createSimulatedDevices(
  url: string,
  store: StoreDevices,
): Promise<SimulatedDevices> {
  const identities: SimulatedDevice[] = []
  const createAssertion = createAssertionSigner(serviceAudience(url))
  let knownState: string | undefined
  let report = createReport(knownState)
  let [filled, rounds] = [0, 0]
  const getIdentity = (at: number): SimulatedDevice => {
    const identity = identities[at]
    if (!identity) throw new Error(`Cannot send for device ${at}: there is none`)
    return identity
  }

  const devices: SimulatedDevices = {
    async growTo(size) {
      const rows = []
      while (identities.length < size) {
        const { row, ...identity } = await createDevice()
        identities.push(identity)
        rows.push(row)
      }
      await store(rows)
      knownState = await fetchState(url, devices.request(0))
      report = createReport(knownState)
    },
    async fillTo(size, nameDevice) {
      const key = createKeyOfNobody()
      while (identities.length + filled < size) {
        const count = Math.min(rowsAtOnce, size - identities.length - filled)
        await store(createRows(count, key, nameDevice && ((at) => nameDevice(filled + at))))
        filled += count
      }
    },
    async requests(seconds, isChanging = false) {
      rounds += 1
      const names = isChanging ? [`odd ${rounds}`, `even ${rounds}`] : [undefined]
      const reports = names.map((name) => createReport(knownState, name))
      // Of the reports each is for all devices in turn, from the first one.
      const tokens = Array.from({ length: seconds * maxPerSecond }, (_, n) => {
        report = reports[Math.floor(n / identities.length) % reports.length] ?? report
        return createAssertion(getIdentity(n % identities.length), report)
      })
      return { bodies: reports.map(({ body }) => body), devices: identities.length, tokens }
    },
    async requestsOfOne(seconds) {
      const tokens = Array.from({ length: seconds * maxPerSecond }, () => devices.request(0).token)
      return { bodies: [report.body], devices: tokens.length, tokens }
    },
    request: (at) => ({ body: report.body, token: createAssertion(getIdentity(at), report) }),
  }
  return devices
}

/** What a device sends, and its SHA-256 as an assertion names it. */
interface Report {
  readonly body: string
  readonly digest: string
}

function createReport(state: string | undefined, hostname = 'bench'): Report {
  const body = JSON.stringify({
    version: '4.0.0',
    platform: 'UNIX',
    device: { hostname },
    state,
  })
  return { body, digest: hash(body) }
}

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Signs assertions, each later than the one before: a device comes again after many others, a millisecond later at least. */
export function createAssertionSigner(audience: string) {
  let newest = 0
  return (
    { id, privateKey }: SimulatedDevice,
    body: string | Report,
    { method, path }: Pick<Operation, 'method' | 'path'> = syncDevice,
  ): string => {
    newest = Math.max(newest + 0.02, Date.now() + 40_000)
    const iat = Math.round(newest) / 1000
    const target = { aud: audience, htm: method, htu: audience + path }
    const claims = { iss: id, sub: id, ...target, iat, exp: iat + 60, jti: crypto.randomUUID() }
    const text = `${header}.${encode({ ...claims, body: typeof body === 'string' ? hash(body) : body.digest })}`
    const signature = sign('sha256', Buffer.from(text), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    })
    return `${text}.${signature.toString('base64url')}`
  }
}

/** A device with a key, and its row. */
export async function createDevice(): Promise<SimulatedDevice & { readonly row: DeviceRow }> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
  const key = { kty, crv, x, y }
  const id = crypto.randomUUID()
  const fingerprint = await calculateJwkThumbprint(key as { kty: string })
  return { id, privateKey, row: { id, fingerprint, key: JSON.stringify(key) } }
}

/** Rows of devices that send nothing. */
const createRows = (
  count: number,
  key: string,
  nameDevice: ((at: number) => string) | undefined,
): readonly DeviceRow[] =>
  Array.from({ length: count }, (_, at) => ({
    id: crypto.randomUUID(),
    fingerprint: crypto.randomUUID(),
    key,
    ...(nameDevice && { device: JSON.stringify({ hostname: nameDevice(at) }) }),
  }))

/** The state that a device has after a first synchronization. */
async function fetchState(url: string, { body, token }: Request): Promise<string> {
  const response = await fetch(url + syncDevice.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  })
  const { data } = (await response.json()) as { data: string }
  const payload = Buffer.from(data.split('.')[1] ?? '', 'base64url').toString()
  return (JSON.parse(payload) as { state: string }).state
}

/** A key that no device of a measurement has. */
function createKeyOfNobody(): string {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  return JSON.stringify({ kty, crv, x, y })
}

const rowsAtOnce = 50_000

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encode({ alg: assertionKind.algorithm, typ: assertionKind.typ })
