/** Other pages attack a user who is signed in to the admin console, in Chromium: nothing changes, and nothing is read. */
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import { type Administration, startAdministration } from './administration.ts'

/** A name that is of this machine, and another site than `127.0.0.1`. */
const foreignHost = 'localhost'

describe.runIf(existsSync(headlessProgram))('pages that attack the admin console', () => {
  let administration: Administration
  let server: Server
  let page: Page
  let body = ''
  /** What the pages requested, and whether the cookie of the session went with it. */
  const requests: { readonly url: string; readonly cookie: boolean }[] = []

  beforeAll(async () => {
    administration = await startAdministration()
    server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>attacker</title>${body}`)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    ;({ page } = await administration.openLoggedIn('account'))
    const record = async (request: Request) => {
      const headers = await request.allHeaders()
      requests.push({
        url: request.url(),
        cookie: /__Host-cardwire=/.test(headers['cookie'] ?? ''),
      })
    }
    // What the policy of the service keeps from a page of another site counts as failed.
    page.on('requestfinished', record)
    page.on('requestfailed', record)
  })
  afterAll(async () => {
    await administration?.stop()
    server?.close()
  })

  /** Opens a page of the attacker in the browser that is logged in; `host` 127.0.0.1 is another port of the same site. */
  const open = async (html: string, host: string) => {
    body = html
    requests.length = 0
    await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`)
  }
  const admin = (to: string) => `${administration.service.url}/admin/${to}`
  const expectLoggedIn = async () => {
    const other = await page.context().newPage()
    await other.goto(admin('account'))
    await other.getByRole('heading', { name: 'Your account' }).waitFor()
    await other.close()
  }

  const hosts = ['127.0.0.1', foreignHost]
  const logoutForm = () => `<form method="post" action="${admin('logout')}"></form>`

  test.each(hosts)('a form of a page at %s changes nothing', async (host) => {
    proves('signed-in-user-attacked')
    await open(logoutForm(), host)
    await page.evaluate('document.forms[0].submit()')
    await page.getByRole('heading', { name: 'Nothing was changed' }).waitFor()
    await expectLoggedIn()
  })

  test.each(hosts)(
    'a form that logs somebody else in, of a page at %s, is refused',
    async (host) => {
      proves('signed-in-user-attacked')
      await open(
        `<form method="post" action="${admin('login')}"><input name="username" value="evil"><input name="password" value="evil"></form>`,
        host,
      )
      await page.evaluate('document.forms[0].submit()')
      await page.getByRole('heading', { name: 'Nothing was changed' }).waitFor()
      await expectLoggedIn()
    },
  )

  test.each(hosts)('fetch of a page at %s changes nothing and reads nothing', async (host) => {
    proves('signed-in-user-attacked')
    await open('', host)
    const tries = [
      ['POST', 'logout', { mode: 'no-cors' }],
      ['POST', 'session/v3/signing-keys', { mode: 'no-cors', body: '{"use":"application"}' }],
      ['PUT', 'session/v3/organizations', { body: '{"name":"Evil"}' }],
      ['GET', 'account', {}],
      ['GET', 'session/v3/organizations', {}],
      ['GET', 'session', {}],
    ] as const
    for (const [method, to, init] of tries) {
      const options = JSON.stringify({ method, credentials: 'include', ...init })
      const read = await page.evaluate<string>(
        `fetch(${JSON.stringify(admin(to))}, ${options}).then((r) => r.text()).catch(() => '')`,
      )
      expect([to, read]).toEqual([to, ''])
    }
    await expectLoggedIn()
    const token = await administration.service.login()
    const { json } = await administration.service.request('GET', '/v3/organizations', { token })
    expect(json.data.total).toBe(0)
  })

  test.each(hosts)('a frame of a page at %s shows nothing', async (host) => {
    proves('signed-in-user-attacked')
    await open(`<iframe src="${admin('account')}"></iframe>`, host)
    await expect.poll(() => requests.some(({ url }) => url.includes('/admin/'))).toBe(true)
    const frame = page.frames().find((one) => one !== page.mainFrame())
    await expect.poll(() => frame?.url()).toMatch(/^chrome-error:/)
  })

  test('links, images and prefetches of another site arrive without the cookie', async () => {
    proves('signed-in-user-attacked')
    const of = (to: string) => admin(to)
    await open(
      `<link rel="prefetch" href="${of('account')}"><img src="${of('audit')}"><script src="${of('session/v3/organizations')}"></script><a href="${of('account')}">go</a>`,
      foreignHost,
    )
    await expect
      .poll(() => requests.filter(({ url }) => url.includes('/admin/')).length)
      .toBeGreaterThanOrEqual(2)
    expect(requests.filter(({ cookie }) => cookie)).toEqual([])
    await page.getByRole('link', { name: 'go' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expectLoggedIn()
  })

  test('a cookie that a page of another port sets is not that of the session', async () => {
    proves('session-fixed')
    await open('', '127.0.0.1')
    await page.evaluate(`
      document.cookie = 'cardwire=planted; path=/'
      document.cookie = '__Host-cardwire=planted; path=/admin; secure'
      document.cookie = '__Host-cardwire-login=planted; path=/admin; secure'
    `)
    const cookies = await page.context().cookies(administration.service.url)
    expect(cookies.map(({ name, value }) => [name, value === 'planted'])).toEqual(
      expect.arrayContaining([['__Host-cardwire', false]]),
    )
    expect(
      cookies.some(({ name, value }) => name.startsWith('__Host') && value === 'planted'),
    ).toBe(false)
    await expectLoggedIn()
  })

  test('a window that another page opens tells it nothing', async () => {
    proves('signed-in-user-attacked')
    await open(`<button>open</button>`, foreignHost)
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(`void (window.opened = window.open(${JSON.stringify(admin('account'))}))`),
    ])
    await opened.waitForLoadState()
    expect(await page.evaluate('window.opened.closed || window.opened.length === 0')).toBe(true)
    expect(await opened.evaluate('window.opener === null')).toBe(true)
    await opened.close()
  })
})
