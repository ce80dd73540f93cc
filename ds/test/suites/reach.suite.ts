/** Whom a change reaches: counted before it is made, and the limit that a change takes. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import {
  createLabel,
  createOrganization,
  createVersion,
  createVersionBody,
  getApplicationToken,
  getData,
} from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { openPageSession } from '../harness/page-session.ts'
import { readHidden, readRows } from '../harness/page-text.ts'
import { withDatabase } from '../harness/stored-data.ts'

export function reachSuite(service: () => DistributionService): void {
  const send = async (method: string, path: string, body?: Json) =>
    service().request(method, path, { token: await service().login(), body })
  const read = async (path: string) => getData(await send('GET', `${path}/reach`))
  const readWith = async (path: string, query: string) =>
    getData(await send('GET', `${path}/reach?${query}`))

  /** A version with two devices, one on a system without an installer, and a blocked one. */
  async function createFleet(): Promise<{ id: string; path: string }> {
    const token = await service().login()
    const version = await createVersion(service(), token)
    await createDevice(service(), version, { platform: 'UNIX' })
    await createDevice(service(), version, { platform: 'WIN32' })
    const blocked = await createDevice(service(), version, { platform: 'UNIX' })
    getData(await send('POST', `/v3/devices/${blocked.id}/block`))
    return { id: version.id, path: `/v3/versions/${version.id}` }
  }

  const changesOf = ({ changes }: Json, id: string) =>
    changes.filter(({ version }: Json) => version === id)

  test('GET /v3/versions/{id}/reach counts the devices that a withdrawal stops, by system, without blocked ones', async () => {
    proves('affected-by-version')
    const { id, path } = await createFleet()
    const reach = await readWith(path, 'allowed=false')
    expect(reach).toMatchObject({ reach: 2, stopped: 2 })
    expect(changesOf(reach, id)).toHaveLength(2)
    expect(changesOf(reach, id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ platform: 'UNIX', count: 1, before: 'none', after: 'stop' }),
        expect.objectContaining({ platform: 'WIN32', count: 1, before: 'none', after: 'stop' }),
      ]),
    )
    expect((await readWith(path, 'allowed=true')).reach).toBe(0)
    expect((await readWith(path, 'installers=none')).reach).toBe(0)
    expect(getData(await send('GET', path)).allowed).toBe(true)
  })

  test('GET /v3/versions/{id}/reach refuses an id that is no version', async () => {
    expect((await send('GET', '/v3/versions/forged/reach')).status).toBe(422)
  })

  test('GET /v3/versions/{id}/reach of a version that is not registered names whom registering it reaches', async () => {
    proves('affected-by-version')
    const { id } = await createFleet()
    const next = `/v3/versions/${id}1`
    const query = 'mandatory=true&installers=UNIX'
    const changes = changesOf(await readWith(next, query), id)
    expect(changes).toHaveLength(2)
    expect(changes).toContainEqual(
      expect.objectContaining({ platform: 'UNIX', after: 'require', target: expect.any(String) }),
    )
    expect((await send('GET', next)).status).toBe(404)
    expect((await send('GET', `${next}/reach?remove=true`)).status).toBe(404)
    expect((await send('GET', `${next}/reach?installers=AMIGA`)).status).toBe(422)
    for (const unknown of ['none', '99999999999999999999.0.0'])
      expect((await send('GET', `/v3/versions/${unknown}/reach`)).status).toBe(422)
  })

  test('GET /v3/versions/{id}/reach names the sites that devices lose when they update', async () => {
    proves('lost-sites-shown')
    const token = await service().login()
    const own = await createVersion(service(), token)
    const next = `${own.id}1`
    const site = (name: string) => `https://${name}.v${own.id.replaceAll('.', '-')}.example`
    const allow = (versionId: string, cors: readonly string[]) =>
      send('PUT', '/v3/configurations', { versionId, type: 'CONTEXT_CONFIG', config: { cors } })
    for (let n = 0; n < 3; n += 1) await createDevice(service(), own, { platform: 'UNIX' })
    const { id } = getData(
      await allow(own.id, [site('kept'), site('lost'), site('desk.many'), site('other')]),
    )
    getData(await send('PUT', '/v3/versions', createVersionBody({ id: next })))
    await allow(next, [site('kept'), site('*.many'), site('new')])
    const { lostSites } = await readWith(`/v3/versions/${next}`, 'recommended=true')
    const lost = lostSites.items.filter(({ origin }: Json) => origin.endsWith(site('').slice(9)))
    expect(lost).toEqual([
      { origin: site('lost'), devices: 3 },
      { origin: site('other'), devices: 3 },
    ])
    expect(lostSites.total).toBeGreaterThanOrEqual(2)
    const session = await openPageSession(service())
    const page = `versions/${encodeURIComponent(next)}/flags`
    const etag = readHidden((await session.get(page)).text, 'etag')
    const review = await session.post(page, { recommended: 'on', allowed: 'on', etag })
    expect(readRows(review.text)).toContain(`${site('lost')} 3`)
    // It would have the same allowlist.
    const copied = await readWith(
      `/v3/versions/${own.id}2`,
      `recommended=true&installers=UNIX&copyFrom=${own.id}`,
    )
    const isOwn = ({ origin }: Json) => origin.endsWith(site('').slice(9))
    expect(copied.lostSites.items.filter(isOwn)).toEqual([])
    // Else no other test could suggest a version without an allowlist.
    await send('DELETE', `/v3/configurations/${id}`)
  })

  test('a change to a version is refused when it reaches more devices than were shown', async () => {
    proves('affected-more-refused', 'fleet-stopped')
    const { id, path } = await createFleet()
    for (const [method, target, body] of [
      ['PATCH', `${path}?maxReach=1`, { allowed: false }],
      ['PUT', '/v3/versions?maxReach=1', createVersionBody({ id, allowed: false })],
    ] as const) {
      const { status, json } = await send(method, target, body)
      expect([status, json.code, json.reach]).toEqual([409, 'reach-exceeded', 2])
    }
    expect(getData(await send('GET', path))).toMatchObject({ allowed: true, revision: 1 })
    const changed = await send('PATCH', `${path}?maxReach=2`, { allowed: false })
    expect([changed.status, changed.json.data.allowed]).toEqual([200, false])
    expect(await readWith(path, 'remove=true')).toMatchObject({ reach: 2, stopped: 0, unserved: 2 })
    expect((await send('DELETE', `${path}?maxReach=1`)).json.reach).toBe(2)
    expect((await send('DELETE', `${path}?maxReach=2`)).status).toBe(200)
  })

  test('devices whose version was removed are counted by no review, until the version is registered again', async () => {
    proves('affected-by-version')
    const version = await createVersion(service(), await service().login())
    const { id } = version
    const device = await createDevice(service(), version, { platform: 'UNIX' })
    await createDevice(service(), version, { platform: 'WIN32' })
    const path = `/v3/versions/${id}`
    const next = `/v3/versions/${id}1`
    const query = 'mandatory=true&installers=UNIX'
    const countOf = async (path: string, query: string) =>
      changesOf(await readWith(path, query), id).reduce(
        (sum: number, { count }: Json) => sum + count,
        0,
      )
    expect(await countOf(next, query)).toBe(2)
    expect((await send('DELETE', `${path}?maxReach=2`)).status).toBe(200)
    expect((await device.sync()).json.code).toBe('version-unknown')
    expect(await countOf(next, query)).toBe(0)
    expect(await readWith(path, 'installers=none')).toMatchObject({ reach: 2 })
  })

  test('another installer of a version reaches the devices that update to it, in every way to save it', async () => {
    proves('affected-by-installer', 'affected-more-refused', 'fleet-changed-unseen')
    const { id } = await createFleet()
    const next = `${id}1`
    const path = `/v3/versions/${next}`
    const [first, other] = ['https://a.example/1.deb', 'https://b.example/2.deb'].map((uri) => [
      { os: 'UNIX', uri },
    ])
    const version = createVersionBody({ id: next, recommended: true, uris: first })
    getData(await send('PUT', '/v3/versions', version))
    const listed = await readWith(path, 'installers=UNIX&otherInstallers=UNIX')
    expect(changesOf(listed, id)).toEqual([
      {
        ...{ version: id, platform: 'UNIX', count: 1, before: 'recommend', after: 'recommend' },
        ...{ target: next, otherInstaller: true },
      },
    ])
    expect(listed.withOtherInstaller).toBe(listed.reach)
    expect(await readWith(path, 'otherInstallers=UNIX')).toEqual(listed)
    expect((await readWith(path, 'installers=UNIX')).reach).toBe(0)
    expect((await readWith(path, 'otherInstallers=none')).reach).toBe(0)
    expect((await readWith(path, 'otherInstallers=WIN64')).reach).toBe(0)

    const refusals = [
      await send('PATCH', `${path}?maxReach=0`, { uris: other }),
      await send('PUT', '/v3/versions?maxReach=0', { ...version, uris: other }),
    ]
    expect((await send('PATCH', `${path}?maxReach=0`, { uris: first })).status).toBe(200)
    getData(await send('PATCH', `${path}?maxReach=${listed.reach}`, { uris: other }))
    refusals.push(await send('POST', `${path}/revisions/1/restore?maxReach=0`))
    for (const { status, json } of refusals)
      expect([status, json.code, json.reach]).toEqual([409, 'reach-exceeded', listed.reach])
    expect(getData(await send('GET', path)).uris).toEqual(other)
    getData(await send('POST', `${path}/revisions/1/restore?maxReach=${listed.reach}`))
    expect(getData(await send('GET', path)).uris).toEqual(first)
    getData(await send('DELETE', path))
  })

  test('GET /v3/configurations/{id}/reach counts the devices of its version, and its removal takes a limit', async () => {
    proves('affected-by-removal')
    const { id: versionId } = await createFleet()
    const body = { type: 'CONTEXT_CONFIG', versionId, config: { cors: [] } }
    const { id } = getData(await send('PUT', '/v3/configurations', body))
    const path = `/v3/configurations/${id}`
    const { reach, platforms } = await read(path)
    expect(reach).toBe(2)
    expect(platforms).toHaveLength(2)
    expect(platforms).toContainEqual({ platform: 'WIN32', count: 1 })
    expect((await send('DELETE', `${path}?maxReach=0`)).json.code).toBe('reach-exceeded')
    expect((await send('DELETE', `${path}?maxReach=2`)).status).toBe(200)
    // It can be restored: that reaches the same devices.
    expect((await read(path)).reach).toBe(2)
  })

  test('a keystore does not reach devices that wait for approval, in every way to change it', async () => {
    proves('affected-by-removal', 'fleet-changed-unseen')
    const { id: versionId } = await createFleet()
    const [device] = (await send('GET', `/v3/devices?version=${versionId}&os=WIN32`)).json.data
      .items
    await withDatabase(service(), ({ run }) =>
      run('update devices set approved = not approved where id = ?', device.id),
    )
    const reachOf = (type: string) =>
      readWith(`/v3/versions/${versionId}/configurations`, `type=${type}`)
    const platforms = [{ platform: 'UNIX', count: 1 }]
    expect(await reachOf('SSL_KEYSTORE')).toMatchObject({ reach: 1, waiting: 1, platforms })
    expect(await reachOf('CONTEXT_CONFIG')).toMatchObject({ reach: 2, waiting: 0 })
    expect(await read(`/v3/versions/${versionId}/configurations`)).toMatchObject({ reach: 2 })
    const config = { uri: 'https://downloads.example/keystore.p12', password: 'secret' }
    const body = { type: 'SSL_KEYSTORE', versionId, config }
    const tooFew = await send('PUT', '/v3/configurations?maxReach=0', body)
    expect([tooFew.json.code, tooFew.json.reach]).toEqual(['reach-exceeded', 1])
    const { id } = getData(await send('PUT', '/v3/configurations?maxReach=1', body))
    const path = `/v3/configurations/${id}`
    expect(await read(path)).toMatchObject({ reach: 1, waiting: 1 })
    const patch = { config: { password: 'other' } }
    expect((await send('PATCH', `${path}?maxReach=1`, patch)).status).toBe(200)
    const session = await openPageSession(service())
    const page = await session.get(`configurations/${id}/history/1/restore`)
    expect(page.text).toContain('1 device receives this change at its next sync.')
    expect(page.text).toContain('1 device pending approval gets the keystore once it’s approved.')
    expect((await send('POST', `${path}/revisions/1/restore?maxReach=1`)).status).toBe(200)
    expect((await send('DELETE', `${path}?maxReach=1`)).status).toBe(200)
    expect(await read(path)).toMatchObject({ reach: 1, waiting: 1 })
  })

  test('GET /v3/labels/{id}/reach counts what its applications did in 30 days, and taking its key takes a limit', async () => {
    proves('affected-by-removal', 'fleet-changed-unseen')
    const token = await service().login()
    const label = await createLabel(service(), token)
    const path = `/v3/labels/${label.id}`
    expect(await read(path)).toEqual({ reach: 0 })
    await getApplicationToken(service(), label.apiKey)
    const device = await createDevice(service(), await createVersion(service(), token))
    const used = { label: label.id, module: 'belgian-eid', useCase: 'signature' }
    const entries = [
      { ...used, day: today(), count: 7 },
      { ...used, day: daysAgo(40), count: 100 },
    ]
    await device.sync({ batches: [{ id: crypto.randomUUID(), entries }] })
    expect(await read(path)).toEqual({ reach: 7, keyUsedAt: today() })
    expect(await read(`/v3/organizations/${label.orgId}`)).toEqual({ reach: 1, uses: 7 })
    for (const [method, target, sent] of [
      ['POST', `${path}/key`, {}],
      ['DELETE', `${path}/key`, undefined],
      ['DELETE', path, undefined],
      ['PATCH', path, { apiKey: crypto.randomUUID() }],
      [
        'PUT',
        '/v3/labels',
        { id: label.id, name: label.name, orgId: label.orgId, apiKey: crypto.randomUUID() },
      ],
    ] as const) {
      const { json } = await send(method, `${target}?maxReach=6`, sent)
      expect([json.code, json.reach]).toEqual(['reach-exceeded', 7])
      expect(json.description).toContain(
        'it would now affect 7 uses in 30 days, and the limit is 6',
      )
    }
    await getApplicationToken(service(), label.apiKey)
    expect((await send('DELETE', `${path}?maxReach=7`)).status).toBe(200)
  })

  test('a limit is refused where an operation takes none, and nothing changes', async () => {
    proves('affected-known', 'fleet-changed-unseen')
    const token = await service().login()
    const { id, name } = await createOrganization(service(), token)
    const device = await createDevice(service(), await createVersion(service(), token))
    const keys = getData(await send('GET', '/v3/signing-keys'))
    for (const [method, path, sent] of [
      ['POST', '/v3/signing-keys', { use: 'reply' }],
      ['PUT', '/v3/organizations', { id, name: `${name} 2` }],
      ['POST', `/v3/devices/${device.id}/block`, undefined],
      ['GET', '/v3/labels', undefined],
    ] as const) {
      const { status, json } = await send(method, `${path}?maxReach=0`, sent)
      expect([status, json.code]).toEqual([422, 'input-invalid'])
      expect(json.errors).toEqual([{ path: 'maxReach', message: 'this operation takes no limit' }])
    }
    expect(getData(await send('GET', '/v3/signing-keys'))).toEqual(keys)
    expect(getData(await send('GET', `/v3/organizations/${id}`)).name).toBe(name)
    expect((await device.sync()).status).toBe(200)
  })

  test('GET /v3/organizations/{id}/reach counts its labels', async () => {
    proves('affected-by-removal')
    const { id } = await createOrganization(service(), await service().login())
    expect(await read(`/v3/organizations/${id}`)).toEqual({ reach: 0, uses: 0 })
    expect((await send('DELETE', `/v3/organizations/${id}?maxReach=0`)).status).toBe(200)
    expect((await send('GET', `/v3/organizations/${id}/reach`)).status).toBe(404)
  })

  test('GET /v3/signing-keys/{id}/reach counts what verifies with a key, and nothing with one that has not signed', async () => {
    proves('affected-by-removal')
    await createFleet()
    const keys: Json[] = getData(await send('GET', '/v3/signing-keys'))
    for (const { id, use, state } of keys) {
      const reach = await read(`/v3/signing-keys/${id}`)
      expect(reach.use).toBe(use)
      if (state !== 'signing') expect(reach.reach).toBe(0)
      else if (use !== 'application') expect(reach.reach).toBeGreaterThan(0)
    }
    const { id } = keys.find(({ use, state }) => use === 'reply' && state === 'signing')
    const refused = await send('DELETE', `/v3/signing-keys/${id}?maxReach=0`)
    expect(refused.json.code).toBe('reach-exceeded')
    expect(getData(await send('GET', '/v3/signing-keys'))).toEqual(keys)
    expect((await send('GET', '/v3/signing-keys/nobody/reach')).status).toBe(404)
  })
}

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const today = () => daysAgo(0)
