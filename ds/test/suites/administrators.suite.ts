/** The accounts of the embedded provider: roles, passwords, second factors, sessions. */
import type { roles } from '@cardwire/protocol'
import { describe, expect, test } from 'vitest'
import { administrator, tokenPath } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import {
  fillPath,
  getNeededRole,
  roleIncludes,
  serviceAccess,
  serviceRoles,
} from '../../../test/bed/service-access.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { addAccount, logIn, nextName } from '../harness/accounts.ts'
import { getData } from '../harness/arrange.ts'
import { withDatabase } from '../harness/stored-data.ts'

const base = '/v3/administrators'

export function administratorSuite(service: () => DistributionService): void {
  const admin = async (method: string, path: string, body?: Json) =>
    service().request(method, `${base}${path}`, { token: await service().login(), body })
  const create = async (role: (typeof roles)[number] = 'viewer') => addAccount(service(), role)
  const codeOf = async (method: string, path: string, body?: Json) => {
    const { status, json } = await admin(method, path, body)
    return [status, json.code]
  }
  const list = (token: string) => service().request('GET', '/v3/versions', { token })

  test.each(serviceRoles)(
    'a login with the role %s is accepted by its operations, and refused by all others',
    async (role) => {
      proves('least-role', 'role-exceeded')
      const { token } = await create(role)
      const guarded = serviceAccess.filter(([, , access]) => getNeededRole(access) !== undefined)
      const refused = []
      for (const [method, path] of guarded) {
        // Names nothing that exists, and has no body that is valid; not of this machine, which needs no role for metrics.
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' }
        const { status, json } = await service().request(method, fillPath(path), { token, headers })
        if (status === 401 || json?.code === 'role-missing') refused.push([method, path])
      }
      expect(refused).toEqual(
        guarded
          .filter(([, , access]) => !roleIncludes[role].includes(getNeededRole(access) ?? role))
          .map(([method, path]) => [method, path]),
      )
    },
  )

  test('POST /v3/administrators generates a password, which no other response shows', async () => {
    proves('administrator-accounts')
    const name = nextName()
    const added = await admin('POST', '', { name, role: 'publisher' })
    expect([added.status, added.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const { generatedPassword: password, ...shown } = added.json.data
    expect(password).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/)
    expect((await logIn(service(), name, password)).status).toBe(200)
    expect(getData(await admin('GET', `/${name}`))).toEqual({ ...shown, sessions: 1 })
    expect(shown).toEqual({
      name,
      role: 'publisher',
      secondFactor: false,
      passwordChangeRequired: true,
      sessions: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
  })

  test.each([
    ['an account that an administrator adds', false],
    ['an account whose password an administrator sets', true],
  ])('%s changes the password before anything else', async (_, isReset) => {
    proves('password-change-first', 'known-password-kept')
    const name = isReset ? (await create('administrator')).name : nextName()
    const added = isReset
      ? await admin('PUT', `/${name}/password`, {})
      : await admin('POST', '', { name, role: 'administrator' })
    const { generatedPassword: password } = getData(added)
    const { json } = await logIn(service(), name, password)
    const token = json.access_token
    const refused = []
    for (const [method, path, access] of serviceAccess) {
      if (getNeededRole(access) === undefined) continue
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' }
      const { json } = await service().request(method, fillPath(path), { token, headers })
      if (json?.code !== 'password-change-required') refused.push(`${method} ${path}`)
    }
    expect(refused).toEqual(['GET /v3/account', 'PUT /v3/account/password'])
    const account = () => service().request('GET', '/v3/account', { token })
    expect(getData(await account()).firstStep).toBe('password-change-required')
    const change = (newPassword: string) =>
      service().request('PUT', '/v3/account/password', { token, body: { password, newPassword } })
    const same = await change(password)
    expect([same.status, same.json.errors[0].path]).toEqual([422, 'newPassword'])
    expect((await list(token)).status).toBe(403)
    expect((await change('a-password-of-the-owner')).status).toBe(200)
    expect((await list(token)).status).toBe(200)
    expect(getData(await account()).firstStep).toBeUndefined()
    expect(getData(await admin('GET', `/${name}`)).passwordChangeRequired).toBe(false)
  })

  test('POST /v3/administrators stores a hash at the full cost', async () => {
    const name = nextName()
    getData(await admin('POST', '', { name, role: 'viewer' }))
    const [row] = await withDatabase(service(), ({ run }) =>
      run('select password_hash from administrators where name = ?', name),
    )
    expect(row.password_hash).toMatch(/^scrypt\$32768\$8\$3\$/)
  })

  test('POST /v3/administrators takes a password, and does not show it', async () => {
    const [name, password] = [`${nextName()} / Žofie`, 'a-password-that-was-chosen']
    const { json } = await admin('POST', '', { name, role: 'viewer', password })
    expect(json.data.generatedPassword).toBeUndefined()
    expect((await logIn(service(), name, password)).status).toBe(200)
    expect(getData(await admin('GET', `/${encodeURIComponent(name)}`)).name).toBe(name)
  })

  test.each([
    ['a name that is taken', { name: administrator.name, role: 'viewer' }, 409],
    ['an empty name', { name: ' ', role: 'viewer' }, 422],
    ['a name with a line end', { name: 'a\nb', role: 'viewer' }, 422],
    ['a role that does not exist', { name: 'somebody', role: 'owner' }, 422],
    ['no role', { name: 'somebody' }, 422],
    ['a short password', { name: 'somebody', role: 'viewer', password: 'short' }, 422],
    ['the name of a step in an address', { name: '..', role: 'viewer' }, 422],
    ['a name with letters that nobody sees', { name: 'adm\u200bin', role: 'viewer' }, 422],
  ])('POST /v3/administrators refuses %s', async (_, body, status) => {
    expect((await admin('POST', '', body)).status).toBe(status)
  })

  test('GET /v3/administrators lists them by name, by role, in pages', async () => {
    const { name } = await create('publisher')
    const { items, total } = getData(await admin('GET', '?size=100'))
    const names = items.map((item: Json) => item.name)
    expect(names).toEqual(names.toSorted())
    expect(names).toEqual(expect.arrayContaining([administrator.name, name]))
    expect(total).toBe(items.length)
    const publishers = getData(await admin('GET', '?size=100&role=publisher')).items
    expect(new Set(publishers.map((item: Json) => item.role))).toEqual(new Set(['publisher']))
  })

  test('a role holds at once, also for the access token that is out', async () => {
    proves('administrator-accounts', 'stale-access')
    const { name, token } = await create('viewer')
    const put = () => service().request('PUT', '/v3/versions', { token, body: {} })
    expect((await put()).json.code).toBe('role-missing')
    expect(getData(await admin('PUT', `/${name}/role`, { role: 'publisher' })).role).toBe(
      'publisher',
    )
    expect((await put()).json.code).toBe('input-invalid')
    await admin('PUT', `/${name}/role`, { role: 'viewer' })
    expect((await put()).json.code).toBe('role-missing')
  })

  test('a removed account is refused at once, with its access token, its refresh token and its password', async () => {
    proves('stale-access')
    const { name, password, token, refreshToken } = await create()
    expect((await list(token)).status).toBe(200)
    expect(getData(await admin('DELETE', `/${name}`))).toEqual({ name })
    expect((await list(token)).status).toBe(401)
    expect((await logIn(service(), name, password)).status).toBe(400)
    const form = { client_id: 'cardwire', grant_type: 'refresh_token', refresh_token: refreshToken }
    expect((await service().request('POST', tokenPath, { form })).json.error).toBe('invalid_grant')
    expect(await codeOf('GET', `/${name}`)).toEqual([404, 'administrator-unknown'])
  })

  test('a new password ends the sessions of the account at once', async () => {
    proves('administrator-accounts')
    const { name, password, token } = await create()
    const { generatedPassword: other } = getData(await admin('PUT', `/${name}/password`, {}))
    expect((await list(token)).status).toBe(401)
    expect((await logIn(service(), name, password)).status).toBe(400)
    expect((await logIn(service(), name, other)).status).toBe(200)
    const given = 'a-password-that-was-chosen'
    expect(
      getData(await admin('PUT', `/${name}/password`, { password: given })).generatedPassword,
    ).toBe(undefined)
    expect((await logIn(service(), name, given)).status).toBe(200)
  })

  test('DELETE …/second-factor removes it and ends the sessions; without one it changes nothing', async () => {
    const { name, token } = await create()
    expect(getData(await admin('DELETE', `/${name}/second-factor`)).secondFactor).toBe(false)
    expect((await list(token)).status).toBe(200)
    await withDatabase(service(), ({ run }) =>
      run(
        `update administrators set totp_secret = 'wrapped', totp_step = 1 where name = '${name}'`,
      ),
    )
    expect(getData(await admin('GET', `/${name}`)).secondFactor).toBe(true)
    expect(getData(await admin('DELETE', `/${name}/second-factor`)).secondFactor).toBe(false)
    expect((await list(token)).status).toBe(401)
  })

  test('sessions are listed without secrets, and end one by one or all together', async () => {
    proves('administrator-accounts')
    const { name, password, token } = await create()
    const { json } = await logIn(service(), name, password)
    const sessions = getData(await admin('GET', `/${name}/sessions`))
    expect(sessions.map((one: Json) => Object.keys(one).toSorted())).toEqual([
      ['createdAt', 'expiresAt', 'id', 'kind'],
      ['createdAt', 'expiresAt', 'id', 'kind'],
    ])
    const path = `/${name}/sessions?id=${json.session_state}`
    expect(getData(await admin('DELETE', path))).toEqual({ ended: 1 })
    expect([(await list(json.access_token)).status, (await list(token)).status]).toEqual([401, 200])
    expect(getData(await admin('DELETE', path))).toEqual({ ended: 0 })
    expect(getData(await admin('DELETE', `/${name}/sessions`))).toEqual({ ended: 1 })
    expect((await list(token)).status).toBe(401)
  })

  describe('the own account', () => {
    test.each([
      ['PUT', '/role', { role: 'viewer' }],
      ['PUT', '/password', {}],
      ['DELETE', '/second-factor', undefined],
      ['DELETE', '', undefined],
    ])('%s …%s is refused', async (method, path, body) => {
      proves('account-takeover')
      expect(await codeOf(method, `/${administrator.name}${path}`, body)).toEqual([
        403,
        'administrator-self',
      ])
    })
  })

  test.each([
    ['PUT', '/role', { role: 'viewer' }],
    ['PUT', '/password', {}],
    ['DELETE', '/second-factor', undefined],
    ['DELETE', '', undefined],
    ['GET', '', undefined],
    ['GET', '/sessions', undefined],
    ['DELETE', '/sessions', undefined],
  ])('%s …%s of an unknown account answers 404', async (method, path, body) => {
    expect(await codeOf(method, `/nobody${path}`, body)).toEqual([404, 'administrator-unknown'])
  })

  test('two administrators who take the role from each other at once leave one', async () => {
    proves('administrator-accounts', 'account-takeover')
    const [one, other] = [await create('administrator'), await create('administrator')]
    const isRest = "role = 'administrator' and name not in (?, ?)"
    const rest = await withDatabase(service(), ({ run }) =>
      run(`select name from administrators where ${isRest}`, one.name, other.name),
    )
    const setRest = (role: string) =>
      withDatabase(service(), async ({ run }) => {
        for (const { name } of rest)
          await run('update administrators set role = ? where name = ?', role, name)
      })
    await setRest('viewer')
    try {
      const take = (token: string, name: string) =>
        service().request('PUT', `${base}/${name}/role`, { token, body: { role: 'viewer' } })
      const answers = await Promise.all([take(one.token, other.name), take(other.token, one.name)])
      // The second is too late for its own role, or would take the last one.
      expect(answers.map(({ status }) => status).toSorted()).toEqual([
        200,
        expect.toSatisfy((status) => status === 403 || status === 409),
      ])
      const kept = await withDatabase(service(), ({ run }) =>
        run("select name from administrators where role = 'administrator'"),
      )
      expect(kept).toHaveLength(1)
    } finally {
      await setRest('administrator')
    }
  })
}
