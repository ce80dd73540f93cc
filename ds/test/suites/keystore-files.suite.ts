/** What the service finds in a keystore when its configuration is saved, and what it refuses. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { filePassword, readKeystoreFile } from '../../../test/bed/keystore-file.ts'
import type { Leg } from '../../../test/bed/legs.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData, uploadKeystore } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { openPageSession } from '../harness/page-session.ts'
import { readHidden, readRows } from '../harness/page-text.ts'

const rsa = { keyAlgorithm: 'RSA', keyBits: 2048 }
const ec = { keyAlgorithm: 'EC', keyBits: 256 }
const named = {
  subject: 'O=Cardwire tests, CN=connector.example.com',
  issuer: 'O=Cardwire tests, CN=connector.example.com',
  names: ['connector.example.com', '*.desk.example.com', '192.0.2.7'],
}

const opened: readonly [string, string, Json][] = [
  ['OpenSSL 3', 'openssl-3.p12', { ...named, ...rsa }],
  ['OpenSSL 3 with -legacy: RC2 and 3DES', 'openssl-legacy.p12', { ...named, ...rsa }],
  ['Windows, by its algorithms: 3DES and SHA-1', 'triple-des.p12', { ...named, ...rsa }],
  [
    'keytool of Java',
    'keytool.p12',
    { subject: 'CN=connector.example.com', names: ['connector.example.com'], ...rsa },
  ],
  ['NSS, as Firefox has it', 'nss.p12', { ...named, ...rsa }],
  ['OpenSSL 3 with AES-128, AES-192 and SHA-512', 'aes-192.p12', { ...named, ...ec }],
  ['OpenSSL 3 with RC2-128 and 3DES of two keys', 'rc2-128.p12', { ...named, ...ec }],
]

const refused: readonly [string, string, string, string, RegExp][] = [
  ['with another password', 'openssl-3.p12', 'another', 'keystore-locked', /password is wrong/],
  ['with another password', 'openssl-legacy.p12', '', 'keystore-locked', /password is wrong/],
  ['without a key', 'no-key.p12', filePassword, 'keystore-unusable', /no private key/],
  ['that has expired', 'expired.p12', filePassword, 'keystore-expired', /expired at 2020-12-31T/],
  ['for clients', 'clients.p12', filePassword, 'keystore-unusable', /not for servers/],
  ['without a name', 'nameless.p12', filePassword, 'keystore-unusable', /names no host/],
  ['of another kind', 'keytool.jks', filePassword, 'keystore-unreadable', /openssl pkcs12 -export/],
  [
    'that takes too much work',
    'slow.p12',
    filePassword,
    'keystore-unreadable',
    /10000001 iterations/,
  ],
]

/** 512 KiB, DER. */
function createNulls(): Uint8Array {
  const bytes = new Uint8Array(524_288)
  bytes.set([0x30, 0x83, 0x07, 0xff, 0xfa])
  for (let at = 5; at < bytes.length - 1; at += 2) bytes[at] = 5
  return bytes.subarray(0, 5 + 0x07fffa)
}

export function keystoreFileSuite(service: () => DistributionService, leg: Leg): void {
  const send = async (method: string, path: string, body?: Json) =>
    service().request(method, path, { token: await service().login(), ...(body && { body }) })
  const upload = async (body: Uint8Array) =>
    (await uploadKeystore(service(), await service().login(), { body })).uri as string
  const version = async () => createVersion(service(), await service().login())
  /** Saves the configuration of a new version. */
  const configure = async (config: Json) => {
    const { id: versionId } = await version()
    return send('PUT', '/v3/configurations', { versionId, type: 'SSL_KEYSTORE', config })
  }
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

  // It takes 1.8 million rounds, for which a Worker has no time.
  const fast = opened.filter(([, name]) => !(leg.startsWith('workerd') && name === 'nss.p12'))
  // NSS needs a second of the processor, which other tests may have.
  test.each(fast)(
    'a keystore of %s is opened',
    { timeout: 60_000 },
    async (_, name, certificate) => {
      proves('keystore-opened')
      const file = readKeystoreFile(name)
      const uri = await upload(file)
      const saved = getData(await configure({ uri, password: filePassword }))
      expect(saved.config).toEqual({
        uri,
        digest: sha256(file),
        certificate: {
          issuer: certificate.subject,
          ...certificate,
          notBefore: expect.stringMatching(/^2026-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
          notAfter: expect.stringMatching(/^2126-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
        },
      })
      const { config } = getData(await send('GET', `/v3/configurations/${saved.id}`))
      expect(config).toEqual(saved.config)
    },
  )

  test.each(refused)(
    'a keystore %s is refused: %s',
    async (_, name, password, problem, description) => {
      proves('keystore-opened')
      const uri = await upload(readKeystoreFile(name))
      const { status, json, text } = await configure({ uri, password })
      expect([status, json.code]).toEqual([422, problem])
      expect(json.description).toMatch(/^Cannot use the keystore "file:\/\/\//)
      expect(json.description).toMatch(description)
      const path = problem === 'keystore-locked' ? 'config.password' : 'config.uri'
      expect(json.errors.map((error: Json) => error.path)).toEqual([path])
      if (password === 'another') expect(text).not.toContain(password)
    },
  )

  test.each([
    ['a text', new TextEncoder().encode('keystore')],
    ['ten thousand brackets', new Uint8Array(20_000).map((__, at) => (at % 2 ? 0x80 : 0x30))],
    ['a sequence of a quarter million nulls', createNulls()],
    ['a file that was cut', readKeystoreFile('openssl-3.p12').subarray(0, 900)],
  ])('%s is refused as a keystore', async (_, bytes) => {
    proves('keystore-opened', 'keystore-hostile')
    const { status, json } = await configure({ uri: await upload(bytes), password: 'x' })
    expect([status, json.code]).toEqual([422, 'keystore-unreadable'])
  })

  test('a keystore of more bytes than the certificates of a server have is refused', async () => {
    proves('keystore-opened', 'keystore-hostile')
    const uri = await upload(new Uint8Array(524_289))
    const { status, json } = await configure({ uri, password: 'x' })
    expect([status, json.code]).toEqual([422, 'keystore-unreadable'])
    expect(json.description).toContain('more than 524288 bytes')
  })

  test('a digest that the file does not have is refused, and the one that it has is not', async () => {
    proves('keystore-opened')
    const file = readKeystoreFile()
    const uri = await upload(file)
    const bad = await configure({ uri, password: 'x', digest: 'ab'.repeat(32) })
    expect([bad.status, bad.json.errors[0].path]).toEqual([422, 'config.digest'])
    const good = await configure({ uri, password: 'x', digest: sha256(file).toUpperCase() })
    expect(good.status).toBe(201)
  })

  test('what was read can be sent back, and a certificate that is sent has no effect', async () => {
    proves('keystore-opened')
    const uri = await upload(readKeystoreFile())
    const saved = getData(await configure({ uri, password: 'x' }))
    const { config, id, type, versionId } = saved
    const certificate = { ...config.certificate, notAfter: '2999-01-01T00:00:00Z' }
    const body = { id, type, versionId, config: { ...config, certificate, password: 'x' } }
    expect(getData(await send('PUT', '/v3/configurations', body)).config).toEqual(config)
    const path = `/v3/configurations/${id}`
    expect(getData(await send('PATCH', path, { config: { certificate } })).config).toEqual(config)
  })

  test('another file is opened only with a password that is sent with it', async () => {
    proves('keystore-opened', 'keystore-password-guessed')
    const first = await upload(readKeystoreFile('openssl-3.p12'))
    const { id } = getData(await configure({ uri: first, password: filePassword }))
    const path = `/v3/configurations/${id}`
    const second = await upload(readKeystoreFile('keytool.p12'))
    const guessed = await send('PATCH', path, { config: { uri: second } })
    expect([guessed.status, guessed.json.errors[0].path]).toEqual([422, 'config.password'])
    const password = filePassword
    const { config } = getData(await send('PATCH', path, { config: { uri: second, password } }))
    expect(config.certificate.subject).toBe('CN=connector.example.com')
    const expired = await upload(readKeystoreFile('expired.p12'))
    const refused = await send('PATCH', path, { config: { uri: expired, password } })
    expect([refused.status, refused.json.code]).toEqual([422, 'keystore-expired'])
    const locked = await send('PATCH', path, { config: { password: 'another' } })
    expect([locked.status, locked.json.code]).toEqual([422, 'keystore-locked'])
    expect(getData(await send('GET', path)).config).toEqual(config)
  })

  test('a change that reaches too many devices is refused with the certificate that it would save', async () => {
    proves('keystore-opened', 'keystore-reviewed')
    const own = await version()
    const device = await createDevice(service(), own)
    await device.sync()
    const uri = await upload(readKeystoreFile())
    const body = { versionId: own.id, type: 'SSL_KEYSTORE', config: { uri, password: 'x' } }
    const refused = await send('PUT', '/v3/configurations?maxReach=0', body)
    expect([refused.status, refused.json.code, refused.json.reach]).toEqual([
      409,
      'reach-exceeded',
      1,
    ])
    const saved = getData(await send('PUT', '/v3/configurations?maxReach=1', body))
    expect(refused.json.certificate).toEqual(saved.config.certificate)
    expect(saved.config.certificate.names[0]).toBe('connector.example.com')
    const uriOfOther = await upload(readKeystoreFile('open-other.p12'))
    const other = { config: { uri: uriOfOther, password: 'x' } }
    const { json } = await send('PATCH', `/v3/configurations/${saved.id}?maxReach=0`, other)
    expect(json.certificate.names).toEqual(['other.example.com'])
    // Refused for its password, before anyone learns what is in it.
    const closed = await upload(readKeystoreFile('openssl-3.p12'))
    const locked = { ...body, config: { uri: closed, password: 'another' } }
    const { json: unread } = await send('PUT', '/v3/configurations?maxReach=0', locked)
    expect([unread.code, unread.certificate]).toEqual(['keystore-locked', undefined])
  })

  test('the review of a keystore says which names come and go, also after a wrong confirmation', async () => {
    proves('keystore-reviewed', 'change-reviewed')
    const own = await version()
    const device = await createDevice(service(), own)
    await device.sync()
    const [uri, digest] = [await upload(readKeystoreFile()), '']
    const body = { versionId: own.id, type: 'SSL_KEYSTORE', config: { uri, password: 'x' } }
    const { id } = getData(await send('PUT', '/v3/configurations', body))
    const session = await openPageSession(service())
    const page = `configurations/${id}`
    const shown = await session.get(page)
    const etag = readHidden(shown.text, 'etag')
    const typed = {
      uri: await upload(readKeystoreFile('open-other.p12')),
      digest,
      password: 'x',
      etag,
    }
    const review = await session.post(page, typed)
    expect(readRows(review.text)).toContain(
      'Host names connector.example.com *.desk.example.com 192.0.2.7 other.example.com',
    )
    const hidden = {
      certificate: readHidden(review.text, 'certificate'),
      maxReach: readHidden(review.text, 'maxReach'),
    }
    const again = await session.post(page, { ...typed, ...hidden, confirm: 'no' })
    expect(readRows(again.text)).toContain(
      'Host names connector.example.com *.desk.example.com 192.0.2.7 other.example.com',
    )
    for (const certificate of ['{', 'null', '{"subject":1}', '<script>alert(1)</script>']) {
      const answer = await session.post(page, { ...typed, ...hidden, certificate, confirm: 'no' })
      expect([answer.status, answer.text.includes('<script>alert')]).toEqual([422, false])
    }
    const done = await session.post(page, { ...typed, ...hidden, confirm: own.id })
    expect(done.status).toBe(303)
    const { config } = getData(await send('GET', `/v3/configurations/${id}`))
    expect(config.certificate.names).toEqual(['other.example.com'])
  })

  test('a revision is restored only while its file is there', async () => {
    proves('keystore-opened', 'history-restored')
    const token = await service().login()
    const { name, uri } = await uploadKeystore(service(), token, { body: readKeystoreFile() })
    const saved = getData(await configure({ uri, password: 'x' }))
    const path = `/v3/configurations/${saved.id}`
    const other = await upload(readKeystoreFile('open-other.p12'))
    const moved = getData(await send('PATCH', path, { config: { uri: other, password: 'x' } }))
    expect(moved.config.certificate.names).toEqual(['other.example.com'])
    const back = getData(await send('POST', `${path}/revisions/1/restore`))
    expect(back.config).toEqual(saved.config)
    await send('PATCH', path, { config: { uri: other, password: 'x' } })
    const listed = getData(await send('GET', `/v3/keystores?name=${name}`)).items
    expect(listed[0].revisionsOf).toEqual([saved.versionId])
    const session = await openPageSession(service())
    const page = `configurations/${saved.id}/history/1/restore`
    expect((await session.get(page)).text).toContain('You can undo this afterward.')
    expect(getData(await send('GET', `${path}/revisions/1`))).not.toHaveProperty('missingFiles')
    await send('DELETE', `/v3/keystores/${name}`)
    expect(getData(await send('GET', `${path}/revisions/1`)).missingFiles).toEqual([uri])
    const gone = await session.get(page)
    expect(gone.text).toContain(
      `These files no longer exist. <a href="keystore?version=${saved.versionId}">`,
    )
    expect(gone.text).not.toContain('name="etag"')
    expect(gone.text).not.toContain('You can undo this afterward.')
    const refused = await send('POST', `${path}/revisions/1/restore`)
    expect([refused.status, refused.json.errors[0].path]).toEqual([422, 'config.uri'])
  })

  test('devices get no more of a keystore than before, and a copy has its certificate', async () => {
    proves('keystore-opened')
    const uri = await upload(readKeystoreFile())
    const [own, next] = [await version(), await version()]
    const body = { versionId: own.id, type: 'SSL_KEYSTORE', config: { uri, password: 'x' } }
    const { config } = getData(await send('PUT', '/v3/configurations', body))
    const device = await createDevice(service(), own)
    expect(Object.keys((await device.sync()).reply.keystore).toSorted()).toEqual([
      'digest',
      'guarded',
      'password',
      'uri',
    ])
    const copied = await send('POST', '/v3/configurations/copy', { from: own.id, to: next.id })
    expect(getData(copied)[0].config).toEqual(config)
  })

  test('a keystore at another URL is saved without being read', async () => {
    const config = { uri: 'https://keys.example/k.p12', password: 'x' }
    const { config: saved } = getData(await configure(config))
    expect(saved).toEqual({ uri: 'https://keys.example/k.p12' })
  })

  test('GET /v3/configurations lists the keystores that expire before a time', async () => {
    proves('keystore-expiry')
    const uri = await upload(readKeystoreFile())
    const { id, versionId } = getData(await configure({ uri, password: 'x' }))
    await send('PUT', '/v3/configurations', {
      ...{ versionId, type: 'CONTEXT_CONFIG', config: { cors: [] } },
    })
    const list = async (expiresBefore: string) =>
      getData(
        await send(
          'GET',
          `/v3/configurations?versionId=${versionId}&expiresBefore=${expiresBefore}`,
        ),
      ).items.map((item: Json) => item.id)
    expect(await list('2127-01-01T00:00:00Z')).toEqual([id])
    expect(await list('2126-01-01T00:00:00Z')).toEqual([])
    const bad = await send('GET', '/v3/configurations?expiresBefore=soon')
    expect([bad.status, bad.json.errors[0].path]).toEqual([422, 'expiresBefore'])
  })
}
