/** The pages of the admin console as HTTP: sessions, and what everybody else gets. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import {
  fromOwnPage,
  openPageSession,
  sendLogin,
  toPagePath,
  usePageSession,
} from '../harness/page-session.ts'

export function administrationSuite(service: () => DistributionService): void {
  test('administration shows the overview to who has logged in, and nothing of it is stored', async () => {
    proves('pages-same-everywhere')
    const session = await openPageSession(service())
    const { status, text, headers } = await session.get('')
    expect(status).toBe(200)
    expect(text).toContain('<h1>Overview</h1>')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).not.toContain(session.cookie.split('=')[1])
  })

  test('administration is where the address of the service leads', async () => {
    const { status, headers } = await service().request('GET', '/')
    expect([status, headers.get('location')]).toEqual([302, 'admin'])
  })

  test.each([
    ['no cookie', undefined],
    ['an unknown cookie', '__Host-cardwire=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['an empty cookie', '__Host-cardwire='],
  ])(
    'administration sends a browser with %s to the login, and back from there',
    async (_, cookie) => {
      const { status, headers } = await service().request('GET', '/admin/devices?page=2', {
        headers: cookie === undefined ? {} : { cookie },
      })
      expect(status).toBe(303)
      expect(headers.get('location')).toBe('./login?to=devices%3Fpage%3D2')
    },
  )

  test('administration gives a cookie that only this host gets, and only from its own pages', async () => {
    const { status, headers } = await sendLogin(service())
    expect(status).toBe(303)
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-cardwire=[\w-]{43}; Max-Age=36000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
  })

  test('administration refuses the cookie of a session that was logged out', async () => {
    proves('ended-session-cookie')
    const session = await openPageSession(service())
    await session.post('logout')
    expect((await session.get('')).status).toBe(303)
  })

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this host', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }],
    ['another origin, in a browser without Sec-Fetch-Site', { origin: 'https://evil.example' }],
    ['an origin that is not named', { origin: 'null' }],
    ['no page', {}],
  ])('administration changes nothing for a form of %s', async (_, headers) => {
    proves('cross-site-request')
    const { cookie } = await openPageSession(service())
    const logout = await service().request('POST', toPagePath('logout'), {
      headers: { cookie, ...headers },
      form: {},
    })
    expect(logout.status).toBe(403)
    expect((await usePageSession(service(), cookie).get('')).status).toBe(200)
  })

  test('administration logs nobody in over plain http of another machine, and says why', async () => {
    proves('sign-in-intercepted')
    const { status, text, headers } = await sendLogin(service(), undefined, {
      ...fromOwnPage(service()),
      origin: 'http://ds.example',
    })
    expect(status).toBe(401)
    expect(text).toContain('plain HTTP')
    expect(headers.get('set-cookie')).toBeNull()
  })

  test.each([
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '../docs',
    'javascript:alert(1)',
    'a/../../v3/downloads/installer',
    'a/%2e%2e/%2e%2e/v3/downloads/installer',
    'devices?\u0000',
    'devices?\u20ac',
  ])('administration leads from the login to its own pages alone, not to %s', async (to) => {
    proves('sign-in-redirect')
    const { headers } = await service().request('POST', '/admin/login', {
      headers: fromOwnPage(service()),
      form: { username: 'admin', password: 'the-first-administrators-password', to },
    })
    expect(headers.get('location')).toBe('./')
  })

  test('administration reads no login form of more than 16 KiB', async () => {
    const { status } = await service().request('POST', '/admin/login', {
      headers: fromOwnPage(service()),
      form: { username: 'admin', password: 'x'.repeat(16 * 1024) },
    })
    expect(status).toBe(413)
  })

  test('administration parses no form of more than 10,000 fields', async () => {
    const { cookie } = await openPageSession(service())
    const { status } = await service().request('POST', '/admin/organizations', {
      headers: {
        ...fromOwnPage(service()),
        cookie,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'a&'.repeat(500_000),
    })
    expect(status).toBe(413)
  })

  test('administration takes no step of an address for a scheme or a host', async () => {
    const session = await openPageSession(service())
    const { text } = await session.get('javascript:alert(1)')
    expect(text).toContain('href="./javascript:alert(1)#main"')
  })

  test('administration knows no page of another address', async () => {
    const session = await openPageSession(service())
    const { status, text } = await session.get('no-such-page/<script>')
    expect(status).toBe(404)
    expect(text).toContain('Page not found')
    expect(text).not.toContain('<script>')
  })
}
