/** The audit: no change without its entry, no entry without its change, and none that is ever lost. */
import { expect, test } from 'vitest'
import { administrator } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json, ServiceResponse } from '../../../test/bed/service-request.ts'
import {
  createLabel,
  createOrganization,
  createVersion,
  getData,
  nextAddress,
} from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { readContent, withDatabase } from '../harness/stored-data.ts'
import { checkUndone, readEntries } from './audited-operations.suite.ts'

export function auditSuite(service: () => DistributionService): void {
  const audit = async (query = '') => {
    const token = await service().login()
    return getData(await service().request('GET', `/v3/audit?size=100&${query}`, { token }))
  }
  const entriesOf = (response: ServiceResponse) => readEntries(service(), response)
  const counted = () =>
    withDatabase(
      service(),
      async ({ run }) => (await run('select count(*) as count from audit'))[0]?.count,
    )
  const put = async (kind: string, body: Json) =>
    service().request('PUT', `/v3/${kind}`, { token: await service().login(), body })

  test.each(['putVersion', 'deleteVersion', 'changePassword'])(
    '%s is undone when its audit entry cannot be written',
    async (name) => {
      proves('audit-atomic')
      await checkUndone(service(), name)
    },
  )

  test('audit has no entry for a refused request', async () => {
    proves('audit-atomic')
    const token = await service().login()
    const label = await createLabel(service(), token)
    const version = await createVersion(service(), token)
    const other = await createVersion(service(), token)
    const configuration = { type: 'FILE_DIGESTS', versionId: version.id, config: { files: [] } }
    await put('configurations', configuration)
    const before = await counted()
    const refused = [
      await put('labels', { name: label.name, orgId: label.orgId }),
      await put('labels', { name: 'Nowhere', orgId: 'nobody' }),
      await put('labels', { name: 'Borrowed Key', orgId: label.orgId, apiKey: label.apiKey }),
      await put('labels', { id: 'nobody', name: 'x', orgId: label.orgId }),
      await put('organizations', { id: 'nobody', name: 'x' }),
      await put('organizations', { name: label.orgId }),
      await put('configurations', configuration),
      await put('configurations', { ...configuration, id: crypto.randomUUID() }),
      await put('versions', { id: '1.2.3', installationApiKey: label.apiKey }),
      await put('versions', {
        id: '0.0.77',
        recommended: false,
        mandatory: false,
        allowed: true,
        uris: [],
        installationApiKey: other.installationApiKey,
      }),
    ]
    for (const path of [
      `/v3/organizations/${label.orgId}`,
      '/v3/organizations/nobody',
      `/v3/versions/${version.id}`,
      '/v3/versions/7.7.7',
      '/v3/labels/nobody',
      '/v3/labels/nobody/key',
      `/v3/configurations/${crypto.randomUUID()}`,
      '/v3/signing-keys/nobody',
    ]) {
      refused.push(await service().request('DELETE', path, { token }))
    }
    for (const { status } of refused) expect([404, 409, 422]).toContain(status)
    expect(await counted()).toBe(before)
  })

  test('audit has no entry, or one without fields, for a request that changes nothing', async () => {
    const token = await service().login()
    const label = await createLabel(service(), token)
    const { id: from } = await createVersion(service(), token)
    const { id: to } = await createVersion(service(), token)
    const revoke = () => service().request('DELETE', `/v3/labels/${label.id}/key`, { token })
    const body = { from, to }
    expect(await entriesOf(await revoke())).toHaveLength(1)
    expect(await entriesOf(await revoke())).toEqual([])
    const copied = await service().request('POST', '/v3/configurations/copy', { token, body })
    expect([copied.status, await entriesOf(copied)]).toEqual([201, []])
    const same = await put('labels', { id: label.id, name: label.name, orgId: label.orgId })
    expect(await entriesOf(same)).toMatchObject([{ operation: 'putLabel', fields: [] }])
    const device = await createDevice(service(), await createVersion(service(), token))
    const free = await service().request('POST', `/v3/devices/${device.id}/unblock`, { token })
    expect(await entriesOf(free)).toMatchObject([{ operation: 'unblockDevice', fields: [] }])
  })

  test('an entry names the changed fields, and no other', async () => {
    const token = await service().login()
    const {
      installationApiKey: _,
      createdAt,
      updatedAt,
      ...version
    } = await createVersion(service(), token)
    const changed = { ...version, mandatory: true, uris: [] }
    expect(await entriesOf(await put('versions?force=true', changed))).toMatchObject([
      { kind: 'version', id: version.id, fields: ['mandatory', 'uris'] },
    ])
    const keyed = { ...changed, recommended: true, installationApiKey: crypto.randomUUID() }
    expect(await entriesOf(await put('versions?force=true', keyed))).toMatchObject([
      { fields: ['installationApiKey'] },
      { fields: ['recommended'] },
    ])
    const config = { uri: 'https://keys.example/a.p12', password: 'a password of a keystore' }
    const made = await put('configurations', {
      type: 'SSL_KEYSTORE',
      versionId: version.id,
      config,
    })
    const { id, type, versionId } = getData(made)
    expect(await entriesOf(made)).toMatchObject([
      { kind: 'configuration', id, fields: ['config.uri', 'config.digest', 'config.password'] },
    ])
    const moved = { ...config, uri: 'https://keys.example/b.p12' }
    expect(
      await entriesOf(await put('configurations', { id, type, versionId, config: moved })),
    ).toMatchObject([{ fields: ['config.uri', 'config.password'] }])
  })

  test('a change of what is said about cards is recorded as such, and no other change of an allowlist', async () => {
    proves('context-config-cards')
    const { id: versionId } = await createVersion(service(), await service().login())
    const entry = { type: 'CONTEXT_CONFIG', versionId }
    const made = await put('configurations', { ...entry, config: { cors: [] } })
    expect(await entriesOf(made)).toMatchObject([{ fields: ['config.cors'] }])
    const { id } = getData(made)
    const cards = { grants: [{ origin: 'https://a.example', allow: ['bulk'] }] }
    const granted = await put('configurations', { ...entry, id, config: { cors: [], cards } })
    expect(await entriesOf(granted)).toMatchObject([{ fields: ['config.cards'] }])
    const revoked = await put('configurations', { ...entry, id, config: { cors: [] } })
    expect(await entriesOf(revoked)).toMatchObject([{ fields: ['config.cards'] }])
  })

  test('changes at the same moment are each recorded, in their order', async () => {
    const token = await service().login()
    const { id, name } = await createOrganization(service(), token)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        put('organizations', { id, name: at % 2 ? name : `${name} renamed` }),
      ),
    )
    for (const { status } of answers) expect(status).toBe(200)
    const { items, total } = await audit(`kind=organization&id=${id}`)
    expect(total).toBe(21)
    // Whoever put the name that was there changed nothing; the entries in their order tell which.
    const byRequest = new Map(
      answers.map(({ headers, json }) => [headers.get('x-request-id'), json.data.name]),
    )
    let current = name
    for (const { requestId, fields } of items.toReversed().slice(1)) {
      const next = byRequest.get(requestId)
      expect(fields).toEqual(next === current ? [] : ['name'])
      current = next
    }
  })

  test('audit records a login, and a refused one', async () => {
    const path = '/auth/realms/cardwire/protocol/openid-connect/token'
    const form = { client_id: 'cardwire', grant_type: 'password', username: administrator.name }
    const from = nextAddress()
    const wrong = { ...form, password: 'not-the-password-of-anybody' }
    const refused = await service().request('POST', path, { form: wrong, from })
    expect([refused.status, await entriesOf(refused)]).toMatchObject([
      400,
      [{ operation: 'logInRefused', id: administrator.name, fields: ['password'], address: from }],
    ])
    const other = nextAddress()
    const right = { ...form, password: administrator.password }
    const login = await service().request('POST', path, { form: right, from: other })
    expect(await entriesOf(login)).toMatchObject([
      {
        operation: 'issueToken',
        kind: 'administrator',
        id: administrator.name,
        fields: ['session'],
        address: other,
      },
    ])
  })

  test('audit records the first administrator without address and request', async () => {
    const { items } = await audit('who=local')
    expect(items.at(-1)).toEqual({
      sequence: 1,
      at: expect.any(String),
      who: { subject: 'local', name: 'local' },
      operation: 'addAdministrator',
      kind: 'administrator',
      id: administrator.name,
      fields: ['name', 'password'],
    })
  })

  test('GET /v3/audit lists the newest first, in pages', async () => {
    const token = await service().login()
    await createLabel(service(), token)
    const list = async (query: string) =>
      getData(await service().request('GET', `/v3/audit?${query}`, { token }))
    const sequences = (items: Json[]) => items.map(({ sequence }) => sequence)
    const first = await list('size=3&page=1')
    const second = await list('size=3&page=2')
    const listed = [...sequences(first.items), ...sequences(second.items)]
    expect(listed).toEqual(Array.from({ length: 6 }, (_, at) => listed[0] - at))
    expect(first.total).toBe(listed[0])
  })

  test('GET /v3/audit filters by administrator, kind, id and time', async () => {
    const token = await service().login()
    const label = await createLabel(service(), token)
    const { items } = await audit(`kind=label&id=${label.id}`)
    expect(items.map(({ id, kind }: Json) => [kind, id])).toEqual(
      Array(2).fill(['label', label.id]),
    )
    expect((await audit(`kind=version&id=${label.id}`)).total).toBe(0)
    expect((await audit(`id=${label.id}&who=${administrator.name}`)).total).toBe(2)
    expect((await audit(`id=${label.id}&who=somebody`)).total).toBe(0)
    const [newest, oldest] = items
    const after = new Date(Date.parse(newest.at) + 1).toISOString()
    const within = async (from: string, to: string) =>
      (await audit(`id=${label.id}&from=${from}&to=${to}`)).total
    expect(await within(oldest.at, after)).toBe(2)
    expect(await within(after, '2999-01-01T00:00:00Z')).toBe(0)
    expect(await within('2020-01-01T00:00:00Z', oldest.at)).toBe(0)
  })

  test.each(['kind=password', 'from=yesterday', 'to=2026-01-01', 'size=101', 'operation=putLabel'])(
    'GET /v3/audit refuses ?%s',
    async (query) => {
      const token = await service().login()
      const answer = await service().request('GET', `/v3/audit?${query}`, { token })
      expect(answer.status).toBe(422)
      expect(answer.json.errors[0].path).toBe(query.split('=')[0])
    },
  )

  test.each([
    ['change', 'update audit set fields = ? where sequence = 1'],
    ['remove', 'delete from audit where operation <> ?'],
    [
      'replace',
      "insert into audit (sequence, at, subject, name, operation, kind, id, fields) values (1, 0, '', '', '', '', '', ?)",
    ],
  ])('the database refuses to %s an entry', async (verb, statement) => {
    proves('audit-immutable')
    const all = async () =>
      (await withDatabase(service(), (database) => readContent(database, []))).audit
    const before = await all()
    await withDatabase(service(), ({ run }) =>
      expect(run(statement, 'x')).rejects.toThrow(`Cannot ${verb} an entry`),
    )
    expect(await all()).toEqual(before)
  })

  test.each(['PUT', 'POST', 'PATCH', 'DELETE'])('%s is no method of the audit', async (method) => {
    const token = await service().login()
    const answer = await service().request(method, '/v3/audit', { token })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await service().request(method, '/v3/audit/1', { token })).status).toBe(404)
  })
}
