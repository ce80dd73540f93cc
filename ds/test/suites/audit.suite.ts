/** The audit: no change without its entry, no entry without its change, and none that is ever lost. */
import { dsOperations } from '@cardwire/client/protocol'
import { expect, test } from 'vitest'
import { aLabel, anOrganization, aVersion, dataOf, freshAddress } from '../harness/arrange.ts'
import { aDevice } from '../harness/device.ts'
import { management } from '../harness/management.ts'
import { type Answer, administrator, type Json, type Service } from '../harness/service.ts'
import { contentOf, inDatabase } from '../harness/sqlite.ts'

/** What a request writes whether it changes something or not. */
const incidental = ['audit', 'login_delays', 'sessions']

export function auditSuite(service: () => Service): void {
  const audit = async (query = '') => {
    const token = await service().login()
    return dataOf(await service().ask('GET', `/v3/audit?size=100&${query}`, { token }))
  }
  /** The entries that a request left, oldest first. */
  const entriesOf = async ({ headers }: Answer): Promise<Json[]> => {
    const requestId = headers.get('x-request-id')
    const { items } = await audit()
    return items.filter((item: Json) => item.requestId === requestId).toReversed()
  }
  const counted = () =>
    inDatabase(service(), (database) =>
      database.prepare('select count(*) from audit').pluck().get(),
    )
  const put = async (kind: string, body: Json) =>
    service().ask('PUT', `/v3/${kind}`, { token: await service().login(), body })

  const names = dsOperations
    .filter(({ access, method }) => access === 'administrator' && method !== 'GET')
    .map(({ name }) => name)

  test('every operation by which administrators change something is tried here', () => {
    expect(Object.keys(management).toSorted()).toEqual(names.toSorted())
  })

  test.each(names)('%s leaves who, what, when and from where', async (name) => {
    const token = await service().login()
    const act = await management[name]?.(service(), token)
    if (!act) throw new Error(`Cannot try "${name}": it is not in harness/management.ts`)
    const from = freshAddress()
    const before = Date.now()
    const answer = await service().ask(act.method, act.path, { token, body: act.body, from })
    const changes = act.changes(dataOf(answer))
    const entries = await entriesOf(answer)
    expect(entries).toEqual(
      changes.map((change) => ({
        sequence: expect.any(Number),
        at: expect.any(String),
        who: {
          subject: administrator.name,
          issuer: `${service().url}/auth/realms/cardwire`,
          name: administrator.name,
        },
        operation: name,
        ...change,
        address: from,
        requestId: answer.headers.get('x-request-id'),
      })),
    )
    for (const { at } of entries) {
      expect(Date.parse(at)).toBeGreaterThan(before - 1000)
      expect(Date.parse(at)).toBeLessThan(Date.now() + 1000)
    }
  })

  test.each(names)('%s changes nothing when its entry cannot be written', async (name) => {
    const token = await service().login()
    const act = await management[name]?.(service(), token)
    if (!act) throw new Error(`Cannot try "${name}": it is not in harness/management.ts`)
    const content = () => inDatabase(service(), (database) => contentOf(database, incidental))
    const before = await content()
    await inDatabase(service(), (database) =>
      database.exec(
        "create trigger audit_is_full before insert on audit begin select raise(abort, 'full'); end",
      ),
    )
    const answer = await service().ask(act.method, act.path, { token, body: act.body })
    await inDatabase(service(), (database) => database.exec('drop trigger audit_is_full'))
    expect(answer.status).toBe(500)
    expect(await content()).toEqual(before)
    const again = await service().ask(act.method, act.path, { token, body: act.body })
    expect([200, 201]).toContain(again.status)
  })

  test('what is refused leaves no entry', async () => {
    const token = await service().login()
    const label = await aLabel(service(), token)
    const version = await aVersion(service(), token)
    const other = await aVersion(service(), token)
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
        ...{ id: '0.0.77', recommended: false, mandatory: false, allowed: true, uris: [] },
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
      refused.push(await service().ask('DELETE', path, { token }))
    }
    for (const { status } of refused) expect([404, 409, 422]).toContain(status)
    expect(await counted()).toBe(before)
  })

  test('what changes nothing leaves no entry, or one without fields', async () => {
    const token = await service().login()
    const label = await aLabel(service(), token)
    const { id: from } = await aVersion(service(), token)
    const { id: to } = await aVersion(service(), token)
    const revoke = () => service().ask('DELETE', `/v3/labels/${label.id}/key`, { token })
    const body = { from, to }
    expect(await entriesOf(await revoke())).toHaveLength(1)
    expect(await entriesOf(await revoke())).toEqual([])
    const copied = await service().ask('POST', '/v3/configurations/copy', { token, body })
    expect([copied.status, await entriesOf(copied)]).toEqual([201, []])
    const same = await put('labels', { id: label.id, name: label.name, orgId: label.orgId })
    expect(await entriesOf(same)).toMatchObject([{ operation: 'putLabel', fields: [] }])
    const device = await aDevice(service(), await aVersion(service(), token))
    const free = await service().ask('POST', `/v3/devices/${device.id}/unblock`, { token })
    expect(await entriesOf(free)).toMatchObject([{ operation: 'unblockDevice', fields: [] }])
  })

  test('an entry names the fields that differ from what was there, and no other', async () => {
    const token = await service().login()
    const {
      installationApiKey: _,
      createdAt,
      updatedAt,
      ...version
    } = await aVersion(service(), token)
    const changed = { ...version, mandatory: true, uris: [] }
    expect(await entriesOf(await put('versions', changed))).toMatchObject([
      { kind: 'version', id: version.id, fields: ['mandatory', 'uris'] },
    ])
    const keyed = { ...changed, recommended: true, installationApiKey: crypto.randomUUID() }
    expect(await entriesOf(await put('versions', keyed))).toMatchObject([
      { fields: ['installationApiKey'] },
      { fields: ['recommended'] },
    ])
    const config = { uri: 'https://keys.example/a.p12', password: 'a password of a keystore' }
    const made = await put('configurations', {
      ...{ type: 'SSL_KEYSTORE', versionId: version.id, config },
    })
    const { id, type, versionId } = dataOf(made)
    expect(await entriesOf(made)).toMatchObject([
      { kind: 'configuration', id, fields: ['config.uri', 'config.digest', 'config.password'] },
    ])
    const moved = { ...config, uri: 'https://keys.example/b.p12' }
    expect(
      await entriesOf(await put('configurations', { id, type, versionId, config: moved })),
    ).toMatchObject([{ fields: ['config.uri', 'config.password'] }])
  })

  test('changes at the same moment each leave their entry, as they came', async () => {
    const token = await service().login()
    const { id, name } = await anOrganization(service(), token)
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

  test('a login leaves an entry, a refused one does not', async () => {
    const path = '/auth/realms/cardwire/protocol/openid-connect/token'
    const form = { client_id: 'cardwire', grant_type: 'password', username: administrator.name }
    const from = freshAddress()
    const wrong = { ...form, password: 'not-the-password-of-anybody' }
    const refused = await service().ask('POST', path, { form: wrong, from })
    expect([refused.status, await entriesOf(refused)]).toEqual([400, []])
    const other = freshAddress()
    const right = { ...form, password: administrator.password }
    const login = await service().ask('POST', path, { form: right, from: other })
    expect(await entriesOf(login)).toMatchObject([
      {
        operation: 'issueToken',
        ...{ kind: 'administrator', id: administrator.name, fields: ['session'], address: other },
      },
    ])
  })

  test('the first administrator is an entry without address and request', async () => {
    const { items } = await audit('who=local')
    expect(items.at(-1)).toEqual({
      sequence: 1,
      at: expect.any(String),
      who: { subject: 'local', name: 'local' },
      operation: 'addAdministrator',
      ...{ kind: 'administrator', id: administrator.name, fields: ['name', 'password'] },
    })
  })

  test('GET /v3/audit gives the newest first, in pages', async () => {
    const token = await service().login()
    await aLabel(service(), token)
    const list = async (query: string) =>
      dataOf(await service().ask('GET', `/v3/audit?${query}`, { token }))
    const sequences = (items: Json[]) => items.map(({ sequence }) => sequence)
    const first = await list('size=3&page=1')
    const second = await list('size=3&page=2')
    const seen = [...sequences(first.items), ...sequences(second.items)]
    expect(seen).toEqual(Array.from({ length: 6 }, (_, at) => seen[0] - at))
    expect(first.total).toBe(seen[0])
  })

  test('GET /v3/audit filters by who, kind, id and time', async () => {
    const token = await service().login()
    const label = await aLabel(service(), token)
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

  test.each(['kind=secret', 'from=yesterday', 'to=2026-01-01', 'size=101', 'operation=putLabel'])(
    'GET /v3/audit refuses ?%s',
    async (query) => {
      const token = await service().login()
      const answer = await service().ask('GET', `/v3/audit?${query}`, { token })
      expect(answer.status).toBe(422)
      expect(answer.json.errors[0].path).toBe(query.split('=')[0])
    },
  )

  test.each([
    ['change', 'update audit set fields = ? where sequence = 1'],
    ['remove', 'delete from audit where operation <> ?'],
    [
      'replace',
      "insert or replace into audit (sequence, at, subject, name, operation, kind, id, fields) values (1, 0, '', '', '', '', '', ?)",
    ],
  ])('the database refuses to %s an entry', async (verb, statement) => {
    const all = () => inDatabase(service(), (database) => contentOf(database, []).audit)
    const before = await all()
    await inDatabase(service(), (database) => {
      expect(() => database.prepare(statement).run('x')).toThrow(`Cannot ${verb} an entry`)
    })
    expect(await all()).toEqual(before)
  })

  test.each(['PUT', 'POST', 'PATCH', 'DELETE'])('%s has no way into the audit', async (method) => {
    const token = await service().login()
    const answer = await service().ask(method, '/v3/audit', { token })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await service().ask(method, '/v3/audit/1', { token })).status).toBe(404)
  })
}
