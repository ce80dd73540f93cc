/** Versions: registered by administrators, read by applications. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import {
  createLabel,
  createVersion,
  createVersionBody,
  getApplicationToken,
  getData,
  nextVersion,
} from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'

const platforms = ['WIN32', 'WIN64', 'MACOS', 'MACOSARM', 'UNIX']
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function versionSuite(service: () => DistributionService): void {
  const put = async (body: Json) =>
    service().request('PUT', '/v3/versions', { token: await service().login(), body })

  test('PUT /v3/versions creates with every field of the specification and makes the installation key', async () => {
    proves('version-fields', 'installation-key-generated')
    const body = createVersionBody({
      recommended: true,
      mandatory: true,
      uris: [
        { os: 'WIN32', uri: 'https://downloads.example/32.msi' },
        { os: 'WIN64', uri: 'http://downloads.example/64.msi', sha256: 'AB'.repeat(32), size: 5 },
        { os: 'MACOS', uri: 'file:///packages/connector.bin' },
        { os: 'MACOSARM', uri: 'file:///packages/empty.bin' },
        { os: 'UNIX', uri: 'file:///packages/connector.bin' },
      ],
    })
    const { status, json } = await put(body)
    expect(status).toBe(201)
    expect(json.success).toBe(true)
    expect(json.data).toMatchObject({
      ...body,
      uris: body.uris.map((uri: Json) => (uri.sha256 ? { ...uri, sha256: 'ab'.repeat(32) } : uri)),
    })
    expect(json.data.installationApiKey).toMatch(uuid)
  })

  test('PUT /v3/versions keeps a given installation key', async () => {
    proves('installation-key-kept')
    const installationApiKey = crypto.randomUUID()
    const { json } = await put(createVersionBody({ installationApiKey }))
    expect(json.data.installationApiKey).toBe(installationApiKey)
  })

  test('PUT /v3/versions on a known id updates, keeps the key and does not show it', async () => {
    proves('version-id-unique')
    const token = await service().login()
    const created = await createVersion(service(), token)
    const { status, json } = await put({
      ...createVersionBody({ id: created.id }),
      recommended: true,
    })
    expect(status).toBe(200)
    expect(json.data).toMatchObject({
      id: created.id,
      recommended: true,
      createdAt: created.createdAt,
    })
    expect(json.data).not.toHaveProperty('installationApiKey')
    const shown = getData(await service().request('GET', `/v3/versions/${created.id}`, { token }))
    expect(shown).toEqual(json.data)
  })

  test.each([
    ['an id that is no semantic version', { id: '1.0' }, 'id'],
    ['an id with a leading v', { id: 'v1.0.0' }, 'id'],
    ['an id whose numbers are too large', { id: '99999999999999999999.0.0' }, 'id'],
    ['a missing flag', { mandatory: undefined }, 'mandatory'],
    ['a flag that is text', { allowed: 'true' }, 'allowed'],
    ['an unknown system', { uris: [{ os: 'AMIGA', uri: 'https://a.example/' }] }, 'uris[0].os'],
    [
      'a system twice',
      {
        uris: [
          { os: 'UNIX', uri: 'https://a.example/1' },
          { os: 'UNIX', uri: 'https://a.example/2' },
        ],
      },
      'uris',
    ],
    ['an ftp address', { uris: [{ os: 'UNIX', uri: 'ftp://a.example/x' }] }, 'uris[0].uri'],
    ['a relative address', { uris: [{ os: 'UNIX', uri: 'connector.deb' }] }, 'uris[0].uri'],
    ['a file address with a host', { uris: [{ os: 'UNIX', uri: 'file://host/x' }] }, 'uris[0].uri'],
    ['a key that is no UUID', { installationApiKey: 'secret' }, 'installationApiKey'],
    [
      'the nil UUID as key',
      { installationApiKey: '00000000-0000-0000-0000-000000000000' },
      'installationApiKey',
    ],
    ['an unknown field', { name: 'x' }, 'name'],
    [
      'an unknown field of an installer',
      { uris: [{ os: 'UNIX', uri: 'https://a.example/', url: 'x' }] },
      'uris[0].url',
    ],
  ])('PUT /v3/versions refuses %s, naming the field', async (_, change, path) => {
    proves('version-id-semver', 'installer-location')
    const token = await service().login()
    const body = createVersionBody(change)
    const answer = await put(body)
    expect(answer.status).toBe(422)
    expect(answer.json.code).toBe('input-invalid')
    expect(answer.json.errors.map((error: Json) => error.path)).toContain(path)
    if (typeof body.id === 'string' && /^\d+\.\d+\.\d+$/.test(body.id)) {
      expect((await service().request('GET', `/v3/versions/${body.id}`, { token })).status).toBe(
        404,
      )
    }
  })

  test.each([
    'file:///../../etc/passwd',
    'file:///packages/../../../etc/passwd',
    'file:///%2e%2e/%2e%2e/etc/passwd',
    'file:///packages%2Fconnector.bin',
    'file:///packages%5Cconnector.bin',
    'file:///packages\\connector.bin',
    'file:////etc/passwd',
    'file:///packages/link-out',
    'file:///packages/absent.bin',
    'file:///packages',
    'file:///packages/',
    'file:///packages/connector.bin%00',
    'file:///packages/connector.bin?x',
    'file:///%ff%fe',
  ])('PUT /v3/versions refuses %s: it names no file of the packages folder', async (uri) => {
    proves('file-urls-stay-in-folder', 'download-traversal')
    const uris = [
      { os: 'WIN64', uri: 'https://downloads.example/64.msi' },
      { os: 'UNIX', uri },
    ]
    const { status, json } = await put(createVersionBody({ uris }))
    expect([status, json.code]).toEqual([422, 'input-invalid'])
    expect(json.errors).toEqual([
      { path: 'uris[1].uri', message: 'No such file in the packages folder' },
    ])
    expect(json.description).toContain('put the file into the packages folder first')
  })

  test('PUT /v3/versions refuses to make a version mandatory for devices without an installer, unless forced', async () => {
    proves('mandatory-needs-installer')
    const token = await service().login()
    const own = await createVersion(service(), token, { id: '890.0.0' })
    const device = await createDevice(service(), own, { platform: 'WIN32' })
    const put = (body: Json, query = '') =>
      service().request('PUT', `/v3/versions${query}`, { token, body })
    const next = createVersionBody({ id: '890.0.1', mandatory: true, uris: [] })
    try {
      const refused = await put(next)
      expect([refused.status, refused.json.code]).toEqual([409, 'installers-missing'])
      expect(refused.json.description).toMatch(/\b\d+ devices? would stop .*\?force=true$/)
      expect(refused.json.errors).toContainEqual({
        path: 'uris',
        message: expect.stringMatching(/^No installer for WIN32, which \d+ device/),
      })
      const path = '/v3/versions/890.0.1'
      expect((await service().request('GET', path, { token })).status).toBe(404)
      const uris = platforms.map((os) => ({ os, uri: 'https://downloads.example/x' }))
      expect((await put({ ...next, uris })).status).toBe(201)
      expect((await put(next, '?force=true')).status).toBe(200)
    } finally {
      await service().request('DELETE', `/v3/devices/${device.id}`, { token })
      for (const id of ['890.0.0', '890.0.1'])
        await service().request('DELETE', `/v3/versions/${id}`, { token })
    }
  })

  test('PUT /v3/versions refuses an id that differs only in build metadata', async () => {
    proves('version-precedence-unique')
    const id = nextVersion()
    expect((await put(createVersionBody({ id: `${id}+linux` }))).status).toBe(201)
    const answer = await put(createVersionBody({ id: `${id}+windows` }))
    expect(answer.status).toBe(409)
    expect(answer.json.code).toBe('version-taken')
    expect(answer.json.description).toContain(`${id}+linux`)
  })

  test('PUT /v3/versions refuses an installation key of another version, and stores nothing', async () => {
    const token = await service().login()
    const { installationApiKey } = await createVersion(service(), token)
    const body = createVersionBody({ installationApiKey })
    const answer = await put(body)
    expect(answer.status).toBe(409)
    expect(answer.json.code).toBe('api-key-taken')
    expect((await service().request('GET', `/v3/versions/${body.id}`, { token })).status).toBe(404)
  })

  test('PUT /v3/versions that is refused for its key does not change the existing version', async () => {
    const token = await service().login()
    const { installationApiKey } = await createVersion(service(), token)
    const version = await createVersion(service(), token)
    const answer = await put({
      ...createVersionBody({ id: version.id }),
      mandatory: true,
      uris: [],
      installationApiKey,
    })
    expect(answer.status).toBe(409)
    const stored = getData(await service().request('GET', `/v3/versions/${version.id}`, { token }))
    expect(stored).toMatchObject({ mandatory: false, uris: version.uris })
  })

  test('GET /v3/versions lists the highest first, in pages, and filters', async () => {
    const token = await service().login()
    const base = `90.${Math.floor(Date.now() / 1000) % 100000}`
    for (const id of [`${base}.2`, `${base}.10`, `${base}.10-rc.1`])
      await createVersion(service(), token, { id, allowed: id !== `${base}.2` })
    const list = getData(await service().request('GET', '/v3/versions?size=3', { token }))
    expect(list.items.map((item: Json) => item.id)).toEqual([
      `${base}.10`,
      `${base}.10-rc.1`,
      `${base}.2`,
    ])
    expect(list).toMatchObject({ page: 1, size: 3, total: expect.any(Number) })
    const second = getData(await service().request('GET', '/v3/versions?size=2&page=2', { token }))
    expect(second.items[0].id).toBe(`${base}.2`)
    const refused = getData(await service().request('GET', '/v3/versions?allowed=false', { token }))
    expect(refused.items.map((item: Json) => item.id)).toEqual([`${base}.2`])
    for (const id of [`${base}.2`, `${base}.10`, `${base}.10-rc.1`])
      await service().request('DELETE', `/v3/versions/${id}`, { token })
  })

  test('GET /v3/versions/latest returns the highest allowed version, for a system when given', async () => {
    proves('latest-version')
    const token = await service().login()
    const uri = 'https://downloads.example/x'
    await createVersion(service(), token, { id: '91.0.0', uris: [{ os: 'WIN64', uri }] })
    await createVersion(service(), token, { id: '91.0.1', uris: [{ os: 'UNIX', uri }] })
    await createVersion(service(), token, {
      id: '91.1.0',
      allowed: false,
      uris: [{ os: 'WIN64', uri }],
    })
    const latest = async (query = '') =>
      getData(await service().request('GET', `/v3/versions/latest${query}`, { token })).id
    expect(await latest()).toBe('91.0.1')
    expect(await latest('?os=WIN64')).toBe('91.0.0')
    expect((await service().request('GET', '/v3/versions/latest?os=AMIGA', { token })).status).toBe(
      422,
    )
    for (const id of ['91.0.0', '91.0.1', '91.1.0'])
      await service().request('DELETE', `/v3/versions/${id}`, { token })
  })

  test('GET /v3/versions shows an application the download address, not where the file is stored', async () => {
    proves('application-reads-keys')
    const token = await service().login()
    const { apiKey } = await createLabel(service(), token)
    const version = await createVersion(service(), token, {
      uris: [{ os: 'WIN64', uri: 'file:///packages/connector.bin' }],
    })
    const application = await getApplicationToken(service(), apiKey)
    const shown = getData(
      await service().request('GET', `/v3/versions/${version.id}`, { token: application }),
    )
    expect(shown.uris[0].uri).toBe(
      `${service().url}/v3/downloads/installers/win64/versions/${version.id}`,
    )
    expect(JSON.stringify(shown)).not.toContain('connector.bin')
  })

  test('DELETE /v3/versions/{id} refuses while configurations depend on it', async () => {
    const token = await service().login()
    const { id } = await createVersion(service(), token)
    const body = { type: 'CONTEXT_CONFIG', versionId: id, config: { cors: [] } }
    const configuration = getData(
      await service().request('PUT', '/v3/configurations', { token, body }),
    )
    const refused = await service().request('DELETE', `/v3/versions/${id}`, { token })
    expect(refused.status).toBe(409)
    expect(refused.json.code).toBe('version-in-use')
    await service().request('DELETE', `/v3/configurations/${configuration.id}`, { token })
    expect((await service().request('DELETE', `/v3/versions/${id}`, { token })).status).toBe(200)
    expect((await service().request('DELETE', `/v3/versions/${id}`, { token })).status).toBe(404)
  })

  test('GET /v3/versions/{id} refuses an unknown version by its id', async () => {
    const token = await service().login()
    const answer = await service().request('GET', '/v3/versions/9.9.9', { token })
    expect(answer.status).toBe(404)
    expect(answer.json).toMatchObject({
      code: 'version-unknown',
      description: expect.stringContaining('9.9.9'),
    })
  })
}
