/** A reply of the real service with every optional part: the connector refuses it when any byte is altered. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { HttpTransport } from '../../src/distribution/client/transport.ts'
import { verifyReply } from '../../src/distribution/client/verify-reply.ts'
import { ReplyRefused } from '../../src/distribution/sync/sync-status.ts'
import { type OpenSsl, openSsl } from '../keystore/openssl.ts'
import { openDevice, type TestDevice } from './device.ts'

const version = '4.0.0'
const batch = {
  id: '0b1f1c35-6ad6-4a5b-9c42-7f3c2a1f9d10',
  entries: [
    { label: 'shop', module: 'eid', useCase: 'signature', day: '2026-01-01', count: 1 } as const,
  ],
}

let ssl: OpenSsl
let service: DistributionService
let device: TestDevice
let captured: string
let change = (jws: string) => jws

/** A link that keeps the reply, and changes it. */
const alterReplies =
  (link: HttpTransport): HttpTransport =>
  async (call) => {
    const answer = await link(call)
    if (!call.url.endsWith('/sync') || answer.status !== 200) return answer
    const body = JSON.parse(new TextDecoder().decode(answer.body))
    captured = body.data
    const changed = JSON.stringify({ ...body, data: change(body.data) })
    return { ...answer, body: new TextEncoder().encode(changed) }
  }

beforeAll(async () => {
  ssl = openSsl()
  service = await startDistributionService()
  const packages = join(service.folder, 'packages')
  mkdirSync(packages, { recursive: true })
  await service.putKeystore('store.p12', ssl.keystore(ssl.certificate()))
  writeFileSync(join(packages, 'next.deb'), 'an installer')
  const { installationApiKey: installationKey } = await service.registerVersion(version)
  const uris = [{ os: 'UNIX', uri: 'file:///next.deb' }]
  await service.registerVersion('4.1.0', { recommended: true, uris })
  const put = (type: string, config: object) =>
    service.admin('PUT', '/v3/configurations?maxReach=999999999', {
      type,
      versionId: version,
      config,
    })
  await put('SSL_KEYSTORE', { uri: 'file:///store.p12', password: 'secret' })
  await put('FILE_DIGESTS', { files: [{ path: 'readme.txt', digest: '0'.repeat(32) }] })
  await service.allow(version, ['https://a.example'])
  // Never noted as acknowledged: each reply acknowledges it again.
  const counters = { batches: () => [batch], acknowledge: () => undefined }
  const dsUrl = service.url
  device = await openDevice({
    dsUrl,
    version,
    installationKey,
    wrapTransport: alterReplies,
    counters,
  })
  await device.syncOnce()
})
afterAll(async () => {
  device?.close()
  await service?.stop()
  ssl?.close()
})

const readPayload = (jws: string) =>
  JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())

/** Every way to a value: `verdict.offer.url`, `tokenKeys.0.x` and so on. */
const listFields = (value: unknown, path: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => listFields(inner, [...path, name]))
    : [path]

/** The same payload with one byte of this value another, under the same signature. */
function alterField(jws: string, path: readonly string[]): string {
  const [header, , signature] = jws.split('.')
  const payload = readPayload(jws)
  const last = path.at(-1) ?? ''
  const holder = path.slice(0, -1).reduce((within, name) => within[name], payload)
  const value = holder[last]
  if (typeof value === 'boolean') holder[last] = !value
  else if (typeof value === 'number') holder[last] = value + 1
  else holder[last] = `${value.slice(0, -1)}${value.endsWith('a') ? 'b' : 'a'}`
  return [header, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.')
}

const path = () => join(device.runtime, 'service.json')

test('a reply that is altered in any field changes nothing, and acknowledges nothing', async () => {
  proves('altered-reply-refused')
  const fields = listFields(readPayload(captured))
  const named = new Set(
    fields.map((field) => field.filter((part) => !/^\d+$/.test(part)).join('.')),
  )
  const key = ['kty', 'crv', 'x', 'y', 'kid', 'alg', 'use']
  expect([...named].toSorted()).toEqual(
    [
      ...['aud', 're', 'iat', 'exp', 'revision', 'state', 'acknowledged', 'unchanged'],
      ...['cors', 'cycle'],
      ...['since', 'holdS'].map((name) => `wait.${name}`),
      ...['action', 'version'].map((name) => `verdict.${name}`),
      ...['version', 'url', 'sha256', 'size'].map((name) => `verdict.offer.${name}`),
      ...['path', 'digest'].map((name) => `files.${name}`),
      ...['uri', 'guarded', 'digest', 'password'].map((name) => `keystore.${name}`),
      ...['tokenKeys', 'replyKeys'].flatMap((keys) => key.map((name) => `${keys}.${name}`)),
    ].toSorted(),
  )
  const [policy, onDisk] = [device.policy(), readFileSync(path(), 'utf8')]
  const acknowledged = device.acknowledged.length
  for (const field of fields) {
    // Something else each time, so that the reply is a whole one.
    await service.allow(version, [`https://${crypto.randomUUID()}.example`])
    change = (jws) => alterField(jws, field)
    await expect(device.syncOnce(), field.join('.')).rejects.toThrow(ReplyRefused)
    expect(device.policy()).toBe(policy)
    expect(readFileSync(path(), 'utf8')).toBe(onDisk)
  }
  expect(device.acknowledged).toHaveLength(acknowledged)
  change = (jws) => jws
  await device.syncOnce()
  expect(device.policy()).not.toBe(policy)
})

test('verifyReply refuses a reply with any character changed, unless it decodes to the same', async () => {
  proves('altered-reply-refused')
  const [jws, keys] = [captured, device.state()?.replyKeys ?? []]
  const expected = { device: readPayload(jws).aud, request: undefined }
  const good = await verifyReply(jws, keys, expected)
  const bytes = (text: string) => Buffer.from(text.split('.')[2] ?? '', 'base64url')
  let believed = 0
  for (let at = 0; at < jws.length; at += 1) {
    const altered = `${jws.slice(0, at)}${jws[at] === 'A' ? 'B' : 'A'}${jws.slice(at + 1)}`
    const found = await verifyReply(altered, keys, expected).catch(() => undefined)
    if (found === undefined) continue
    believed += 1
    expect([found, bytes(altered)]).toEqual([good, bytes(jws)])
  }
  // The last character of a signature has bits that mean nothing.
  expect(believed).toBeLessThanOrEqual(1)
})
