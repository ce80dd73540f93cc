/** The history of configurations and versions: every revision with its author, and the way back. */
import { compactDecrypt } from 'jose'
import { afterEach, describe, expect, test } from 'vitest'
import { administrator } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createLabel, createVersion, createVersionBody, getData } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { openPageSession } from '../harness/page-session.ts'

export function historySuite(service: () => DistributionService): void {
  const send = async (method: string, path: string, body?: Json, ifMatch?: string) =>
    service().request(method, path, {
      token: await service().login(),
      body,
      ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
    })
  const get = async (path: string) => getData(await send('GET', path))
  const put = async (path: string, body: Json) => getData(await send('PUT', path, body))
  const restore = (path: string, revision: number, ifMatch?: string) =>
    send('POST', `${path}/revisions/${revision}/restore`, undefined, ifMatch)

  async function createAllowlist() {
    const version = await createVersion(service(), await service().login())
    const body = { type: 'CONTEXT_CONFIG', versionId: version.id }
    const save = (cors: readonly string[], id?: string) =>
      put('/v3/configurations', { ...body, ...(id && { id }), config: { cors } })
    const { id } = await save(['https://a.example'])
    return { id, version, save, path: `/v3/configurations/${id}` }
  }

  const added: string[] = []
  const addDevice = async (version: Json) => {
    const device = await createDevice(service(), version, { platform: 'UNIX' })
    added.push(device.id)
    return device
  }
  // A device with an allowlist matters to each version that is recommended later.
  afterEach(async () => {
    for (const id of added.splice(0)) await send('DELETE', `/v3/devices/${id}`)
  })

  const listRevisions = async (path: string) =>
    (await get(`${path}/revisions`)).items.map(({ revision }: Json) => revision)

  test('every change to a configuration is a revision with its author, and shows its value', async () => {
    proves('history-kept')
    const { id, save, path } = await createAllowlist()
    await save(['https://b.example'], id)
    await send('PATCH', path, { config: { cors: [] } })
    const { items, total } = await get(`${path}/revisions`)
    expect(total).toBe(3)
    expect(
      items.map(({ revision, operation, who }: Json) => [revision, operation, who.name]),
    ).toEqual([
      [3, 'patchConfiguration', administrator.name],
      [2, 'putConfiguration', administrator.name],
      [1, 'putConfiguration', administrator.name],
    ])
    expect(items[0]).not.toHaveProperty('config')
    for (const [revision, cors] of [
      [1, ['https://a.example']],
      [2, ['https://b.example']],
      [3, []],
    ])
      expect(await get(`${path}/revisions/${revision}`)).toMatchObject({
        ...{ id, type: 'CONTEXT_CONFIG', revision },
        config: { cors },
      })
  })

  test('a refused change is no revision', async () => {
    proves('history-kept')
    const { path } = await createAllowlist()
    expect((await send('PATCH', path, { config: { cors: [] } }, '"7"')).status).toBe(412)
    expect((await send('DELETE', path, undefined, '"7"')).status).toBe(412)
    expect(await listRevisions(path)).toEqual([1])
  })

  test('a copied configuration has a separate history', async () => {
    proves('history-kept')
    const { version } = await createAllowlist()
    const { id: to } = await createVersion(service(), await service().login())
    const body = { from: version.id, to }
    const [copy] = getData(await send('POST', '/v3/configurations/copy', body))
    const path = `/v3/configurations/${copy.id}`
    expect(await listRevisions(path)).toEqual([1])
    expect((await get(`${path}/revisions/1`)).config).toEqual({ cors: ['https://a.example'] })
  })

  test('restoring saves the old value as a new revision, under the conditions of any change', async () => {
    proves('history-restored')
    const { id, version, save, path } = await createAllowlist()
    await save([], id)
    await addDevice(version)
    const refused = await send('POST', `${path}/revisions/1/restore?maxReach=0`)
    expect([refused.status, refused.json.type]).toEqual([
      409,
      'urn:cardwire:problem:reach-exceeded',
    ])
    expect((await restore(path, 1, '"1"')).status).toBe(412)
    expect((await get(path)).revision).toBe(2)

    const restored = await restore(path, 1, '"2"')
    expect(restored.headers.get('etag')).toBe('"3"')
    expect(getData(restored)).toMatchObject({
      revision: 3,
      config: { cors: ['https://a.example'] },
    })
    expect(await get(path)).toMatchObject({ revision: 3, config: { cors: ['https://a.example'] } })
    expect((await get(`${path}/revisions`)).items[0]).toMatchObject({
      revision: 3,
      operation: 'restoreConfiguration',
    })
  })

  test('a form that was sent twice says that it is saved, and no one else is blamed', async () => {
    proves('edit-conflict')
    const token = await service().login()
    // Without an installer it affects no device.
    const version = await createVersion(service(), token, { uris: [] })
    const label = await createLabel(service(), token)
    const session = await openPageSession(service())
    const cors = { cors: ['https://a.example'] }
    const put = { type: 'CONTEXT_CONFIG', versionId: version.id, config: cors }
    const configuration = getData(await send('PUT', '/v3/configurations', put))
    const flags = { recommended: 'true', allowed: 'true' }
    const one = `versions/${version.id}`
    const other = `configurations/${configuration.id}`
    const expected = [
      ['labels', `labels/${label.id}`, { name: 'Renamed' }, `labels/${label.id}`],
      ['flags', `${one}/flags`, flags, `${one}?saved=2`],
      ['values', other, { cors: 'https://b.example' }, `${other}?saved=2`],
      ['restore', `${other}/history/1/restore`, { etag: '"2"' }, `${other}?saved=3`],
      ['restore', `${one}/history/1/restore`, { etag: '"2"' }, `${one}?saved=3`],
    ] as const
    for (const [kind, to, form, next] of expected) {
      const sent = { etag: '"1"', ...form }
      for (const time of ['first', 'second']) {
        const { status, headers, text } = await session.post(to, sent)
        const location = headers.get('location')?.replace(/^(\.\.\/)+/, '')
        expect([kind, time, status, location, text.includes('Someone else')]).toEqual([
          ...[kind, time, 303, next, false],
        ])
      }
    }
    const changed = await session.post(other, { etag: '"1"', cors: 'https://c.example' })
    expect([changed.status, changed.text.includes('Someone else changed this.')]).toEqual([
      412,
      true,
    ])
  })

  test('a removed configuration keeps its history, and is restored under its ID', async () => {
    proves('history-restored')
    const { id, version, path } = await createAllowlist()
    await send('DELETE', path)
    const { items } = await get(`${path}/revisions`)
    expect(items.map(({ revision, removed }: Json) => [revision, removed])).toEqual([
      [2, true],
      [1, undefined],
    ])
    expect(await get(`${path}/revisions/2`)).not.toHaveProperty('config')
    expect((await restore(path, 2)).json.type).toBe('urn:cardwire:problem:revision-unknown')
    expect((await get(`${path}/reach`)).reach).toBe(0)

    expect(getData(await restore(path, 1))).toMatchObject({
      id,
      versionId: version.id,
      revision: 3,
    })
    expect((await get(path)).config).toEqual({ cors: ['https://a.example'] })
    expect(await listRevisions(path)).toEqual([3, 2, 1])
    await send('DELETE', path)
    expect(await listRevisions(path)).toEqual([4, 3, 2, 1])
  })

  test('a removed configuration is not restored where another one has taken its place', async () => {
    proves('history-restored')
    const { version, path } = await createAllowlist()
    await send('DELETE', path)
    const body = { type: 'CONTEXT_CONFIG', versionId: version.id, config: { cors: [] } }
    await put('/v3/configurations', body)
    expect((await restore(path, 1)).json.type).toBe('urn:cardwire:problem:configuration-taken')
    expect((await send('GET', path)).status).toBe(404)
  })

  test('a keystore gets back the password of the revision, which the history never shows', async () => {
    proves('history-restored', 'history-leaks')
    const version = await createVersion(service(), await service().login())
    const body = { type: 'SSL_KEYSTORE', versionId: version.id }
    const uri = 'https://keys.example/keystore.p12'
    const toConfig = (password: string) => ({ ...body, config: { uri, password } })
    const { id } = await put('/v3/configurations', toConfig('the-first-password'))
    await put('/v3/configurations', { ...toConfig('the-second-password'), id })
    const path = `/v3/configurations/${id}`
    await send('PATCH', path, { config: { digest: 'ab'.repeat(32) } })
    const shown = await Promise.all([1, 2, 3].map((one) => get(`${path}/revisions/${one}`)))
    expect(shown.map(({ passwordFrom }) => passwordFrom)).toEqual([1, 2, 2])
    expect(JSON.stringify(shown)).not.toContain('password"')

    const device = await addDevice(version)
    const readPassword = async () => {
      const { reply } = await device.sync()
      const { plaintext } = await compactDecrypt(reply.keystore.password, device.decryptionKey)
      return new TextDecoder().decode(plaintext)
    }
    expect(await readPassword()).toBe('the-second-password')
    expect((await restore(path, 1)).status).toBe(200)
    expect(await readPassword()).toBe('the-first-password')
    await send('DELETE', path)
    expect((await restore(path, 2)).status).toBe(200)
    expect(await readPassword()).toBe('the-second-password')
  })

  test('what the service would refuse anyway is refused before the number of devices', async () => {
    proves('refused-before-review')
    const { id, version, path, save } = await createAllowlist()
    const { version: from } = await createAllowlist()
    await addDevice(version)
    await send('DELETE', path)
    const kept = await save(['https://b.example'])
    const config = { cors: [] }
    const copy = { from: from.id, to: version.id }
    const body = { type: 'CONTEXT_CONFIG', versionId: version.id, config }
    const refusals = [
      await send('POST', '/v3/configurations/copy?maxReach=0', copy),
      await send('PUT', '/v3/configurations?maxReach=0', body),
      await send('POST', `/v3/configurations/${id}/revisions/1/restore?maxReach=0`),
    ]
    for (const { json } of refusals) {
      expect(json.code).toBe('configuration-taken')
      expect(json.description).toContain(kept.id)
    }
    const removal = await send('DELETE', `/v3/versions/${version.id}?maxReach=0`)
    expect(removal.json.code).toBe('version-in-use')

    const missing = [{ os: 'UNIX', uri: 'file:///packages/nothing.deb' }]
    const next = createVersionBody({ recommended: true, uris: missing })
    const registered = await send('PUT', '/v3/versions?force=true&maxReach=0', next)
    expect(registered.json.errors[0].path).toBe('uris[0].uri')
    const twin = createVersionBody({ id: `${from.id}+twin`, recommended: true })
    const taken = await send('PUT', '/v3/versions?force=true&maxReach=0', twin)
    expect(taken.json.code).toBe('version-taken')
    const keyed = createVersionBody({
      recommended: true,
      installationApiKey: version.installationApiKey,
    })
    const used = await send('PUT', '/v3/versions?force=true&maxReach=0', keyed)
    expect(used.json.code).toBe('api-key-taken')
  })

  test('every change to a version is a revision, which can be restored without its key', async () => {
    proves('history-kept', 'history-restored')
    const version = await createVersion(service(), await service().login())
    const path = `/v3/versions/${version.id}`
    await send('PATCH', path, { recommended: true })
    await put('/v3/versions', createVersionBody({ id: version.id, allowed: false, uris: [] }))
    expect(await listRevisions(path)).toEqual([3, 2, 1])
    expect(await get(`${path}/revisions/2`)).toMatchObject({
      ...{ id: version.id, revision: 2, operation: 'patchVersion' },
      ...{ recommended: true, allowed: true },
    })
    expect((await restore(path, 1, '"2"')).status).toBe(412)
    const restored = getData(await restore(path, 1))
    expect(restored).toMatchObject({
      ...{ revision: 4, recommended: false, allowed: true },
      uris: version.uris,
    })
    expect(restored).not.toHaveProperty('installationApiKey')
    await addDevice(version)
  })

  test('the restore of a version is refused when it reaches more devices than were shown', async () => {
    proves('history-restored', 'affected-more-refused')
    const version = await createVersion(service(), await service().login())
    const path = `/v3/versions/${version.id}`
    await addDevice(version)
    await send('PATCH', path, { allowed: false })
    await send('PATCH', path, { allowed: true })
    const refused = await send('POST', `${path}/revisions/2/restore?maxReach=0`)
    expect(refused.json.type).toBe('urn:cardwire:problem:reach-exceeded')
    expect((await get(path)).allowed).toBe(true)
  })

  test('a version that is removed takes its history along, and those of its configurations', async () => {
    proves('history-kept')
    const { version, path: removed } = await createAllowlist()
    await send('DELETE', removed)
    const path = `/v3/versions/${version.id}`
    await send('PATCH', path, { recommended: true })
    await send('DELETE', path)
    for (const one of [path, removed])
      expect((await send('GET', `${one}/revisions`)).status).toBe(404)
    await put('/v3/versions', createVersionBody({ id: version.id }))
    expect(await listRevisions(path)).toEqual([1])
  })

  test('what has no history, or no such revision, is unknown', async () => {
    proves('history-kept')
    const unknown = `/v3/configurations/${crypto.randomUUID()}`
    const { path } = await createAllowlist()
    for (const [method, target, name] of [
      ['GET', `${unknown}/revisions`, 'configuration-unknown'],
      ['GET', `${unknown}/revisions/1`, 'configuration-unknown'],
      ['POST', `${unknown}/revisions/1/restore`, 'configuration-unknown'],
      ['GET', `${path}/revisions/2`, 'revision-unknown'],
      ['POST', `${path}/revisions/2/restore`, 'revision-unknown'],
      ['GET', '/v3/versions/9.8.7/revisions', 'version-unknown'],
      ['POST', '/v3/versions/9.8.7/revisions/1/restore', 'version-unknown'],
    ] as const)
      expect((await send(method, target)).json.type).toBe(`urn:cardwire:problem:${name}`)
    expect((await send('GET', `${path}/revisions/0`)).status).toBe(422)
  })

  test('a page of a history is a page of its list', async () => {
    proves('history-kept')
    const { id, save, path } = await createAllowlist()
    for (const name of ['b', 'c', 'd']) await save([`https://${name}.example`], id)
    const { items, ...rest } = await get(`${path}/revisions?size=2&page=2`)
    expect(rest).toEqual({ page: 2, size: 2, total: 4 })
    expect(items.map(({ revision }: Json) => revision)).toEqual([2, 1])
  })

  describe('a version without an allowlist', () => {
    /** A version with an allowlist and two devices, and what registers the next one. */
    async function createFleet() {
      const { version } = await createAllowlist()
      await addDevice(version)
      await addDevice(version)
      const body = createVersionBody({ recommended: true })
      const register = (query: string) => send('PUT', `/v3/versions${query}`, body)
      return { from: version.id, id: body.id, path: `/v3/versions/${body.id}`, register }
    }

    test('is not recommended to devices that have one, unless that is forced', async () => {
      proves('allowlist-needed')
      const { from, id, path, register } = await createFleet()
      const refused = await register('')
      expect([refused.status, refused.json.type]).toEqual([
        409,
        'urn:cardwire:problem:allowlist-missing',
      ])
      expect(refused.json.reach).toBeGreaterThanOrEqual(2)
      expect((await send('GET', path)).status).toBe(404)

      getData(await send('PUT', '/v3/versions', createVersionBody({ id })))
      const recommend = (query = '') => send('PATCH', `${path}${query}`, { recommended: true })
      expect((await recommend()).json.type).toBe('urn:cardwire:problem:allowlist-missing')
      expect((await get(`${path}/reach?recommended=true`)).withoutAllowlist).toBeGreaterThan(1)
      const copied = await get(`${path}/reach?recommended=true&copyFrom=${from}`)
      expect(copied.withoutAllowlist).toBe(0)
      expect((await recommend('?force=true')).status).toBe(200)
    })

    test('gets the configurations of another one as it is registered', async () => {
      proves('configurations-inherited')
      const { from, id, register } = await createFleet()
      expect((await register(`?copyFrom=${from}`)).status).toBe(201)
      const { items } = await get(`/v3/configurations?versionId=${id}`)
      expect(items.map(({ config }: Json) => config)).toEqual([{ cors: ['https://a.example'] }])
      expect(await listRevisions(`/v3/configurations/${items[0].id}`)).toEqual([1])
      const again = await send('PUT', `/v3/versions?copyFrom=${from}`, createVersionBody({ id }))
      expect(again.json.type).toBe('urn:cardwire:problem:version-taken')
    })

    test('is not registered when there is nothing to copy from', async () => {
      proves('configurations-inherited')
      const { path, register } = await createFleet()
      const refused = await register('?copyFrom=9.8.7&force=true')
      expect(refused.json.type).toBe('urn:cardwire:problem:version-unknown')
      expect((await send('GET', path)).status).toBe(404)
    })
  })
}
