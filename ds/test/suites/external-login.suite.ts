/** Logging in to the admin console at an external provider, as HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json, ServiceResponse } from '../../../test/bed/service-request.ts'
import type { Runtime } from '../../../test/bed/service-runtimes.ts'
import { getData } from '../harness/arrange.ts'
import {
  logInAtProvider,
  type OpenIdProvider,
  openIdClient,
  startOpenIdProvider,
  toProviderSettings,
} from '../harness/openid-provider.ts'
import { fromOwnPage, usePageSession } from '../harness/page-session.ts'
import { withDatabase } from '../harness/stored-data.ts'

export function externalLoginSuite(runtime: Runtime): void {
  describe('login at an external provider', () => {
    let provider: OpenIdProvider
    let service: DistributionService
    beforeAll(async () => {
      service = await startDistributionService(runtime, async (url) => {
        provider = await startOpenIdProvider(`${url}/admin/login/callback`, {
          getRoles: (name) => (name === 'nobody' ? [] : ['card-admins']),
        })
        return toProviderSettings(provider)
      })
    })
    afterAll(async () => {
      await service?.stop()
      await provider?.stop()
    })

    const begin = (to = '') =>
      service.request('GET', `/admin/login/begin${to && `?to=${encodeURIComponent(to)}`}`)
    const readCookies = ({ headers }: ServiceResponse) =>
      headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
    const comeBack = (address: string, cookie: string) => {
      const { pathname, search } = new URL(address)
      return service.request('GET', pathname + search, {
        headers: { cookie, 'sec-fetch-site': 'cross-site' },
      })
    }
    const logIn = async (name: string, to?: string) => {
      const begun = await begin(to)
      const transaction = readCookies(begun)[0] ?? ''
      const address = begun.headers.get('location') ?? ''
      const back = await logInAtProvider(provider, address, name)
      return { begun, transaction, back, answer: await comeBack(back, transaction) }
    }
    const readSession = ({ headers }: ServiceResponse) =>
      /__Host-cardwire=[\w-]{43}/.exec(headers.getSetCookie().join('\n'))?.[0]
    const open = async (name: string) => {
      const { answer } = await logIn(name)
      return usePageSession(service, readSession(answer) ?? '')
    }

    test('leads there with state, nonce and PKCE, and back to a page that goes on to the one asked for', async () => {
      proves('external-sign-in')
      const { begun, answer } = await logIn('ada', 'devices?page=2')
      const { searchParams } = new URL(begun.headers.get('location') ?? '')
      expect(Object.fromEntries(searchParams)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        scope: 'openid profile',
        state: expect.stringMatching(/.{20}/),
        nonce: expect.stringMatching(/.{20}/),
      })
      expect(begun.headers.get('set-cookie')).toMatch(
        /^__Host-cardwire-login=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
      expect(answer.status).toBe(200)
      expect(answer.headers.get('refresh')).toBe(`0;url=${service.url}/admin/devices?page=2`)
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^__Host-cardwire-login=; Max-Age=0/),
        expect.stringMatching(/^__Host-cardwire=[\w-]{43}; .*SameSite=Strict$/),
      ])
    })

    test('session acts with the tokens of the provider, which no page shows and no row holds in the clear', async () => {
      proves('external-sign-in', 'stored-tokens-stolen')
      const session = await open('grace')
      const page = await session.get('')
      expect(page.status).toBe(200)
      expect(page.text).toContain('grace')
      const rows = await withDatabase(service, ({ run }) => run('select * from browser_sessions'))
      const row = rows.find(({ subject }) => subject === 'grace')
      expect(row.tokens).toEqual(expect.any(String))
      expect(JSON.stringify(row)).not.toContain('eyJ')
      expect(JSON.stringify(row)).not.toContain(session.cookie.split('=')[1])
      expect(page.text).not.toContain('eyJ')
    })

    test('who has no role is told so, and gets no session', async () => {
      proves('external-user-removed')
      const { answer } = await logIn('nobody')
      expect(answer.status).toBe(401)
      expect(answer.text).toContain('has no role here')
      expect(readSession(answer)).toBeUndefined()
    })

    test('who has signed in ten thousand times today gets no further session, and writes no entry', async () => {
      proves('logins-flood')
      expect(readSession((await logIn('marie')).answer)).toBeDefined()
      const count = () =>
        withDatabase(service, async ({ run }) => {
          await run(`update quotas set used = 10000 where subject like 'logins of %marie'`)
          return (await run(`select id from audit where subject like '%marie%'`)).length
        })
      const entries = await count()
      expect(entries).toBeGreaterThan(0)
      const { answer } = await logIn('marie')
      expect(answer.text).toContain('has signed in 10000 times today')
      expect(readSession(answer)).toBeUndefined()
      expect(await count()).toBe(entries)
    })

    test.each([
      ['without the cookie of the browser that began', () => ''],
      ['with the cookie of another login', async () => readCookies(await begin())[0] ?? ''],
      ['with a cookie that nobody sealed', () => '__Host-cardwire-login=AAAA'],
    ])('a code is refused %s', async (_, createCookie) => {
      proves('external-sign-in-forged')
      const begun = await begin()
      const address = begun.headers.get('location') ?? ''
      const back = await logInAtProvider(provider, address, 'ada')
      const answer = await comeBack(back, await createCookie())
      expect(answer.status).toBe(401)
      expect(readSession(answer)).toBeUndefined()
    })

    test('a code works once', async () => {
      proves('external-sign-in-forged')
      const { back, transaction, answer } = await logIn('ada')
      expect(answer.status).toBe(200)
      const again = await comeBack(back, transaction)
      expect(again.status).toBe(401)
      expect(readSession(again)).toBeUndefined()
    })

    test('what the provider says of itself has to be its own issuer', async () => {
      proves('external-sign-in-forged')
      const begun = await begin()
      const address = begun.headers.get('location') ?? ''
      const back = new URL(await logInAtProvider(provider, address, 'ada'))
      back.searchParams.set('iss', 'https://evil.example')
      const answer = await comeBack(back.href, readCookies(begun)[0] ?? '')
      expect(answer.status).toBe(401)
    })

    test.each([
      ['another state', (address: URL) => address.searchParams.set('state', 'x'.repeat(43))],
      ['no state', (address: URL) => address.searchParams.delete('state')],
    ])('a right code with the right cookie is refused with %s', async (_, change) => {
      proves('external-sign-in-forged')
      const begun = await begin()
      const address = begun.headers.get('location') ?? ''
      const back = new URL(await logInAtProvider(provider, address, 'ada'))
      change(back)
      const answer = await comeBack(back.href, readCookies(begun)[0] ?? '')
      expect(answer.status).toBe(401)
      expect(readSession(answer)).toBeUndefined()
    })

    test.each(['nonce', 'code_challenge'])(
      'a right code for another %s is refused',
      async (name) => {
        proves('external-sign-in-forged')
        const begun = await begin()
        const address = new URL(begun.headers.get('location') ?? '')
        address.searchParams.set(name, 'x'.repeat(43))
        const back = await logInAtProvider(provider, address.href, 'ada')
        const answer = await comeBack(back, readCookies(begun)[0] ?? '')
        expect(answer.status).toBe(401)
        expect(readSession(answer)).toBeUndefined()
      },
    )

    test('another site begins no login, and is no page to come back to', async () => {
      proves('external-sign-in-forged')
      const headers = { 'sec-fetch-site': 'cross-site' }
      const begun = await service.request('GET', '/admin/login/begin', { headers })
      expect([begun.status, begun.headers.get('set-cookie')]).toEqual([200, null])
      const { answer } = await logIn('ada', 'https://evil.example/')
      expect(answer.headers.get('refresh')).toBe(`0;url=${service.url}/admin`)
    })

    test('logout ends the session here, revokes its tokens there, and leads to the end of the session there', async () => {
      proves('external-sign-in')
      const session = await open('mary')
      const before = provider.revoked.length
      const answer = await session.post('logout')
      expect(answer.status).toBe(200)
      expect(answer.text).toContain(`href="${provider.issuer}/session/end?client_id=`)
      expect(answer.text).not.toContain('eyJ')
      await expect.poll(() => provider.revoked.length).toBe(before + 1)
      expect((await session.get('')).status).toBe(303)
    })

    /** Calls an operation with the session of a page. */
    const call = async (cookie: string, method: string, path: string) => {
      const headers = { cookie, ...fromOwnPage(service) }
      return service.request(method, `/admin/session/v3/administrators${path}`, { headers })
    }

    test('administrators see who signed in lately, and end their sessions, whose tokens are revoked', async () => {
      proves('external-sessions-managed')
      const [lee, kim, other] = [await open('lee'), await open('kim'), await open('kim')]
      const listed = getData(await call(lee.cookie, 'GET', '?size=100')).items
      const found = listed.filter(({ name }: Json) => ['lee', 'kim'].includes(name))
      expect(found).toEqual([
        {
          name: 'kim',
          displayName: 'kim',
          role: 'administrator',
          sessions: 2,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
        expect.objectContaining({ name: 'lee', sessions: 1 }),
      ])
      expect(Date.parse(found[0].updatedAt)).toBeGreaterThanOrEqual(Date.parse(found[0].createdAt))
      const sessions = getData(await call(lee.cookie, 'GET', '/kim/sessions'))
      expect(sessions).toHaveLength(2)
      expect(JSON.stringify(sessions)).not.toContain('eyJ')

      const before = provider.revoked.length
      const path = `/kim/sessions?id=${sessions[1].id}`
      expect(getData(await call(lee.cookie, 'DELETE', path))).toEqual({ ended: 1 })
      expect(provider.revoked.length).toBe(before + 1)
      expect((await kim.get('')).status).toBe(303)
      expect((await other.get('')).status).toBe(200)
      expect(getData(await call(lee.cookie, 'DELETE', '/kim/sessions'))).toEqual({ ended: 1 })
      expect((await other.get('')).status).toBe(303)
      expect((await lee.get('')).status).toBe(200)
      const entries = await withDatabase(service, ({ run }) =>
        run(
          "select subject, fields from audit where operation = 'endAdministratorSessions' order by sequence",
        ),
      )
      expect(entries).toEqual([
        { subject: 'lee', fields: 'session' },
        { subject: 'lee', fields: 'session' },
      ])
      const unknown = await call(lee.cookie, 'DELETE', '/nobody/sessions')
      expect([unknown.status, unknown.json.code]).toEqual([404, 'administrator-unknown'])
      expect((await call(lee.cookie, 'DELETE', '/kim')).json.code).toBe('method-not-allowed')
    })

    test('sessions of an account of this service do not end with those of a user of the same name', async () => {
      proves('external-sessions-managed', 'same-name-confused')
      const session = await open('admin')
      await withDatabase(service, async ({ run }) => {
        await run(
          "insert into administrators (name, password_hash, created_at, updated_at) values ('admin', '', 1, 1) on conflict do nothing",
        )
        await run(
          `insert into browser_sessions (id, hash, administrator, subject, name, address, user_agent, created_at, last_used_at, expires_at)
           select 'of-an-account', 'of-an-account', 'admin', subject, name, address, user_agent, created_at, last_used_at, expires_at
           from browser_sessions where subject = 'admin'`,
        )
      })
      expect(getData(await call(session.cookie, 'GET', '/admin/sessions'))).toHaveLength(1)
      expect(getData(await call(session.cookie, 'DELETE', '/admin/sessions'))).toEqual({ ended: 1 })
      const left = await withDatabase(service, ({ run }) =>
        run("select id from browser_sessions where subject = 'admin'"),
      )
      expect(left).toEqual([{ id: 'of-an-account' }])
    })

    test('passwords are asked for nowhere', async () => {
      const page = await service.request('GET', '/admin/login')
      expect(page.text).not.toContain('type="password"')
      const form = { username: 'admin', password: 'the-first-administrators-password' }
      const headers = fromOwnPage(service)
      const answer = await service.request('POST', '/admin/login', { headers, form })
      expect(readSession(answer)).toBeUndefined()
    })

    test('neither the secret of the client nor a code or token is in the log', async () => {
      proves('external-secrets-logged')
      const { back, transaction } = await logIn('ada')
      // The library throws an error with what the provider has sent, the code included.
      const forged = new URL(back)
      forged.searchParams.set('iss', 'https://evil.example')
      expect((await comeBack(forged.href, transaction)).status).toBe(401)
      const last = await service.request('GET', '/admin/login')
      await expect.poll(() => service.output()).toContain(last.headers.get('x-request-id'))
      const code = new URL(back).searchParams.get('code') ?? ''
      const secrets = [openIdClient.secret, code, transaction.split('=')[1] ?? '', 'eyJ']
      expect(secrets.filter((secret) => service.output().includes(secret))).toEqual([])
    })
  })
}
