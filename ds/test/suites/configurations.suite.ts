/** Configurations: three types, bound to a version. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData } from '../harness/arrange.ts'

const md5 = 'd41d8cd98f00b204e9800998ecf8427e'
export const keystorePassword = 'planted-keystore-password'

export function configurationSuite(service: () => DistributionService, keystore: Uint8Array): void {
  const put = async (body: Json) =>
    service().request('PUT', '/v3/configurations', { token: await service().login(), body })
  const version = async (): Promise<string> =>
    (await createVersion(service(), await service().login())).id

  test('PUT /v3/configurations accepts a CONTEXT_CONFIG and normalizes every origin', async () => {
    proves('context-config-allowlist')
    const versionId = await version()
    const cors = [
      'https://Shop.Example:443/',
      'http://localhost:3000',
      'https://*.Partner.example',
      'capacitor://localhost',
    ]
    const { status, json } = await put({ type: 'CONTEXT_CONFIG', versionId, config: { cors } })
    expect(status).toBe(201)
    expect(json.data.config.cors).toEqual([
      'https://shop.example',
      'http://localhost:3000',
      'https://*.partner.example',
      'capacitor://localhost',
    ])
  })

  test('PUT /v3/configurations stores what an administrator says about cards, and shows it again', async () => {
    proves('context-config-cards')
    const versionId = await version()
    const cards = {
      grants: [{ origin: 'https://Shop.example:443', allow: ['page-pin', 'bulk'] }],
      libraries: [{ os: 'WIN64', path: 'C:\\library.dll', sha256: 'AB'.repeat(32) }],
      folders: [
        { origin: 'https://shop.example', entity: 'shop', type: 'invoices', path: '/srv/a' },
      ],
    }
    const config = { cors: ['https://shop.example'], cards }
    const { status, json } = await put({ type: 'CONTEXT_CONFIG', versionId, config })
    expect(status).toBe(201)
    const stored = {
      grants: [{ origin: 'https://shop.example', allow: ['page-pin', 'bulk'] }],
      libraries: [{ os: 'WIN64', path: 'C:\\library.dll', sha256: 'ab'.repeat(32), atrs: [] }],
      folders: cards.folders,
    }
    expect(json.data.config.cards).toEqual(stored)
    const { id } = json.data
    const token = await service().login()
    const shown = await service().request('GET', `/v3/configurations/${id}`, { token })
    expect(shown.json.data.config.cards).toEqual(stored)
    const without = { type: 'CONTEXT_CONFIG', versionId, id, config: { cors: [] } }
    expect((await put(without)).json.data.config).toEqual({ cors: [] })
  })

  test('PUT /v3/configurations accepts FILE_DIGESTS, an empty list too', async () => {
    proves('file-digests')
    const versionId = await version()
    const files = [
      { path: 'bin/cardwire', digest: md5.toUpperCase() },
      { path: 'a.dll', digest: `sha256:${'0'.repeat(64)}`, os: 'WIN64' },
    ]
    const created = await put({ type: 'FILE_DIGESTS', versionId, config: { files } })
    expect(created.status).toBe(201)
    expect(created.json.data.config.files[0]).toEqual({ path: 'bin/cardwire', digest: md5 })
    const updated = await put({
      type: 'FILE_DIGESTS',
      versionId,
      id: created.json.data.id,
      config: { files: [] },
    })
    expect(updated.status).toBe(200)
    expect(updated.json.data.config.files).toEqual([])
  })

  test('PUT /v3/configurations accepts an SSL_KEYSTORE, stores its digest and never shows the password', async () => {
    proves('ssl-keystore')
    const token = await service().login()
    const versionId = await version()
    const config = { uri: 'file:///keys/keystore.p12', password: keystorePassword }
    const { status, json, text } = await put({ type: 'SSL_KEYSTORE', versionId, config })
    expect(status).toBe(201)
    const digest = createHash('sha256').update(keystore).digest('hex')
    expect(json.data.config).toMatchObject({ uri: config.uri, digest })
    const list = await service().request('GET', `/v3/configurations?versionId=${versionId}`, {
      token,
    })
    const one = await service().request('GET', `/v3/configurations/${json.data.id}`, { token })
    for (const body of [text, list.text, one.text]) expect(body).not.toContain(keystorePassword)
  })

  test('PUT /v3/configurations refuses a keystore file that does not exist', async () => {
    const config = { uri: 'file:///keys/absent.p12', password: 'x' }
    const answer = await put({ type: 'SSL_KEYSTORE', versionId: await version(), config })
    expect(answer.status).toBe(422)
    expect(answer.json.errors[0].path).toBe('config.uri')
  })

  test.each([
    ['an unknown type', { type: 'OTHER' }, 'type'],
    ['a wildcard origin', { config: { cors: ['*'] } }, 'config.cors[0]'],
    ['an origin with a path', { config: { cors: ['https://a.example/x'] } }, 'config.cors[0]'],
    [
      'plain http',
      { config: { cors: ['https://a.example', 'http://a.example'] } },
      'config.cors[1]',
    ],
    [
      'a grant for a wildcard',
      {
        config: {
          cors: [],
          cards: { grants: [{ origin: 'https://*.a.example', allow: ['raw'] }] },
        },
      },
      'config.cards.grants[0].origin',
    ],
    [
      'a grant that does not exist',
      { config: { cors: [], cards: { grants: [{ origin: 'https://a.example', allow: ['x'] }] } } },
      'config.cards.grants[0].allow[0]',
    ],
    [
      'a library at a relative path',
      {
        config: {
          cors: [],
          cards: { libraries: [{ os: 'UNIX', path: 'a.so', sha256: 'ab'.repeat(32) }] },
        },
      },
      'config.cards.libraries[0].path',
    ],
    ['the null origin', { config: { cors: ['null'] } }, 'config.cors[0]'],
    ['the shape of another type', { config: { files: [] } }, 'config.cors'],
    ['an id that is no UUID', { id: 'x' }, 'id'],
    [
      'a digest that is none',
      { type: 'FILE_DIGESTS', config: { files: [{ path: 'a', digest: 'zz' }] } },
      'config.files[0].digest',
    ],
    [
      'a path that goes up',
      { type: 'FILE_DIGESTS', config: { files: [{ path: '../a', digest: md5 }] } },
      'config.files[0].path',
    ],
    [
      'a path with backslashes',
      { type: 'FILE_DIGESTS', config: { files: [{ path: 'a\\b', digest: md5 }] } },
      'config.files[0].path',
    ],
    [
      'a keystore without password',
      { type: 'SSL_KEYSTORE', config: { uri: 'https://a.example/k' } },
      'config.password',
    ],
  ])('PUT /v3/configurations refuses %s, naming the field', async (_, change, path) => {
    proves('context-config-cards')
    const answer = await put({
      type: 'CONTEXT_CONFIG',
      versionId: '1.2.3',
      config: { cors: [] },
      ...change,
    })
    expect(answer.status).toBe(422)
    expect(answer.json.errors.map((error: Json) => error.path)).toContain(path)
  })

  test('PUT /v3/configurations refuses a version that is not registered', async () => {
    proves('configuration-version-exists')
    const answer = await put({ type: 'CONTEXT_CONFIG', versionId: '7.7.7', config: { cors: [] } })
    expect(answer.status).toBe(404)
    expect(answer.json.code).toBe('version-unknown')
  })

  test('PUT /v3/configurations refuses a second one of a type, naming the existing one', async () => {
    const versionId = await version()
    const body = { type: 'CONTEXT_CONFIG', versionId, config: { cors: [] } }
    const first = await put(body)
    const second = await put(body)
    expect(second.status).toBe(409)
    expect(second.json.code).toBe('configuration-taken')
    expect(second.json.description).toContain(first.json.data.id)
  })

  test('PUT /v3/configurations updates by id, and refuses to move', async () => {
    proves('configuration-upsert')
    const versionId = await version()
    const { json } = await put({ type: 'CONTEXT_CONFIG', versionId, config: { cors: [] } })
    const changed = await put({
      type: 'CONTEXT_CONFIG',
      versionId,
      id: json.data.id,
      config: { cors: ['https://a.example'] },
    })
    expect(changed.status).toBe(200)
    expect(changed.json.data.config.cors).toEqual(['https://a.example'])
    const moved = await put({
      type: 'CONTEXT_CONFIG',
      versionId: await version(),
      id: json.data.id,
      config: { cors: [] },
    })
    expect(moved.status).toBe(409)
    expect(moved.json.code).toBe('configuration-moved')
    const unknown = await put({
      type: 'CONTEXT_CONFIG',
      versionId,
      id: crypto.randomUUID(),
      config: { cors: [] },
    })
    expect(unknown.status).toBe(404)
  })

  test('POST /v3/configurations/copy copies all configurations to another version, or none', async () => {
    proves('configurations-copied')
    const token = await service().login()
    const [from, to] = [await version(), await version()]
    await put({ type: 'CONTEXT_CONFIG', versionId: from, config: { cors: ['https://a.example'] } })
    await put({
      type: 'SSL_KEYSTORE',
      versionId: from,
      config: { uri: 'file:///keys/keystore.p12', password: keystorePassword },
    })
    const copy = () =>
      service().request('POST', '/v3/configurations/copy', { token, body: { from, to } })
    const done = await copy()
    expect(done.status).toBe(201)
    expect(done.json.data.map((item: Json) => [item.type, item.versionId])).toEqual([
      ['CONTEXT_CONFIG', to],
      ['SSL_KEYSTORE', to],
    ])
    expect(done.text).not.toContain(keystorePassword)
    const again = await copy()
    expect(again.status).toBe(409)
    const unknown = await service().request('POST', '/v3/configurations/copy', {
      token,
      body: { from, to: '7.7.7' },
    })
    expect(unknown.status).toBe(404)

    // All or none: a third version that has one of the two gets neither.
    const third = await version()
    await put({
      type: 'SSL_KEYSTORE',
      versionId: third,
      config: { uri: 'https://a.example/k', password: 'x' },
    })
    await service().request('POST', '/v3/configurations/copy', { token, body: { from, to: third } })
    const list = getData(
      await service().request('GET', `/v3/configurations?versionId=${third}`, { token }),
    )
    expect(list.items.map((item: Json) => item.type)).toEqual(['SSL_KEYSTORE'])
  })

  test('GET /v3/configurations filters by version and type; DELETE removes', async () => {
    const token = await service().login()
    const versionId = await version()
    await put({ type: 'CONTEXT_CONFIG', versionId, config: { cors: [] } })
    const { json } = await put({ type: 'FILE_DIGESTS', versionId, config: { files: [] } })
    const list = async (query: string) =>
      getData(await service().request('GET', `/v3/configurations?${query}`, { token })).items.map(
        (item: Json) => item.type,
      )
    expect(await list(`versionId=${versionId}`)).toEqual(['CONTEXT_CONFIG', 'FILE_DIGESTS'])
    expect(await list(`versionId=${versionId}&type=FILE_DIGESTS`)).toEqual(['FILE_DIGESTS'])
    expect(
      (await service().request('DELETE', `/v3/configurations/${json.data.id}`, { token })).status,
    ).toBe(200)
    expect(
      (await service().request('GET', `/v3/configurations/${json.data.id}`, { token })).status,
    ).toBe(404)
    expect(await list(`versionId=${versionId}`)).toEqual(['CONTEXT_CONFIG'])
  })
}
