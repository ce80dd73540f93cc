/** The back end of the example: the requests that it answers, and the key that it never sends. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createApp } from '../back-end/app.ts'
import { readSettings } from '../back-end/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardwire-back-end-'))
afterAll(() => rmSync(folder, { recursive: true }))

const apiKey = '5f0c1f0e-2d1c-4b6e-9d53-0a7f4f0f6b11'
const cardFile = join(folder, 'atr')
const environment = { EXAMPLE_DS_URL: 'http://127.0.0.1:1', EXAMPLE_API_KEY: apiKey }
const noSession = 'You have no session. Sign in, then open this page again'
let address = ''
const onAddress = (next: string) => {
  address = next
}
const app = createApp(readSettings({ ...environment, EXAMPLE_CARD_FILE: cardFile }), onAddress)

/** What the browser says of a request of the page itself. */
const own = { host: 'localhost:8081', 'sec-fetch-site': 'same-origin' }
const askWithout = (path: string, init: RequestInit = {}) =>
  app.request(path, { ...init, headers: { ...own, ...init.headers } })
/** Opens an address as a browser does; the cookie that it gets, with its attributes. */
const open = async (url: string, headers: Record<string, string> = {}) => {
  const { pathname, search } = new URL(url)
  const answer = await askWithout(`${pathname}${search}`, { headers })
  return { answer, cookie: answer.headers.get('set-cookie') }
}
/** The cookie of the one browser that has opened the first address. */
const first = address
const { cookie: firstCookie } = await open(first)
const [session = ''] = firstCookie?.split(';') ?? []
const ask = (path: string, init: RequestInit = {}) =>
  askWithout(path, { ...init, headers: { cookie: session, ...init.headers } })
const move = (inserted: unknown, headers: Record<string, string> = {}) =>
  ask('/demo/card', { method: 'POST', body: JSON.stringify({ inserted }), headers })

test('the virtual card is inserted and removed by the page', async () => {
  expect((await move(true)).status).toBe(204)
  expect(readFileSync(cardFile, 'utf8').replaceAll(' ', '')).toMatch(/^3B[0-9A-F]+$/)
  expect((await move(false)).status).toBe(204)
  expect(existsSync(cardFile)).toBe(false)
  expect((await move('perhaps')).status).toBe(400)
  expect((await move('x'.repeat(65_536), { 'content-length': '65555' })).status).toBe(413)
})

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
  ['an origin that is not the page', { origin: 'https://evil.example' }],
  ['a program without Sec-Fetch-Site', { 'sec-fetch-site': '' }],
])('%s gets no token and moves no card', async (_, headers) => {
  proves('example-isolated')
  expect((await ask('/token', { headers })).status).toBe(403)
  expect((await move(true, headers)).status).toBe(403)
  expect(existsSync(cardFile)).toBe(false)
})

test.each([
  '',
  'cardwire-example-8081=',
  'cardwire-example-8081=guess',
  session.replace('8081', '1'),
])('everything asks for a session: the cookie "%s" gets 401 with what to do', async (cookie) => {
  proves('example-token-taken')
  const headers = { cookie }
  const answers = [
    ...(await Promise.all(
      [
        '/',
        '/main.js',
        '/configuration',
        '/token',
        '/demo/card',
        '/?key=',
        '/?key=guess',
        '/none',
      ].map((path) => askWithout(path, { headers })),
    )),
    await move(true, headers),
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(401)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await answer.text()).toBe(noSession)
  }
  expect(existsSync(cardFile)).toBe(false)
})

test('an address starts one session, in a cookie that no script reads and no other site sends', async () => {
  proves('example-token-taken')
  expect(firstCookie).toMatch(
    /^cardwire-example-8081=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  const { answer, cookie } = await open(first)
  expect([answer.status, cookie]).toEqual([401, null])
  const second = address
  expect(second).toMatch(/^http:\/\/localhost:8081\/\?key=[\w-]{43}$/)
  expect(second).not.toBe(first)
  const other = await open(second)
  expect([other.answer.status, other.answer.headers.get('location')]).toEqual([303, '/'])
  expect(other.cookie).not.toBe(firstCookie)
  expect(address).not.toBe(second)
  expect((await ask('/configuration')).status).toBe(200)
})

test('an address that was used leads its own browser to the page, and starts nothing', async () => {
  const before = address
  const { answer, cookie } = await open(first, { cookie: session })
  expect([answer.status, answer.headers.get('location'), cookie]).toEqual([303, '/', null])
  expect(address).toBe(before)
})

test('over https the cookie is sent over https alone', async () => {
  let shop = ''
  const settings = readSettings({ ...environment, EXAMPLE_URL: 'https://shop.example' })
  const { request } = createApp(settings, (next) => {
    shop = next
  })
  const answer = await request(`/${new URL(shop).search}`, { headers: { host: 'shop.example' } })
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-cardwire-example=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  )
})

test('of more than twenty browsers the one that opened first loses its session', async () => {
  let next = ''
  const { request } = createApp(readSettings(environment), (url) => {
    next = url
  })
  const cookies: string[] = []
  for (let count = 0; count < 21; count += 1) {
    const answer = await request(`/${new URL(next).search}`, { headers: own })
    cookies.push(answer.headers.get('set-cookie') ?? '')
  }
  const statusOf = async (cookie = '') =>
    (await request('/configuration', { headers: { ...own, cookie } })).status
  expect(await Promise.all([cookies[0], cookies[1], cookies[20]].map(statusOf))).toEqual([
    401, 200, 200,
  ])
})

test('a request under another host name is refused', async () => {
  for (const path of ['/', '/configuration', '/token']) {
    expect((await ask(path, { headers: { host: 'evil.example:8081' } })).status).toBe(421)
  }
})

test('the route of the virtual card does not exist where the readers are real', async () => {
  let real = ''
  const { request } = createApp(readSettings(environment), (next) => {
    real = next
  })
  const opened = await request(`/${new URL(real).search}`, { headers: own })
  const headers = { ...own, cookie: opened.headers.get('set-cookie') ?? '' }
  const answer = await request('/demo/card', { method: 'POST', headers, body: '{}' })
  expect(answer.status).toBe(404)
})

test('the page may run its own script alone, and its settings have no key in them', async () => {
  const page = await ask('/')
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).toContain("connect-src 'self' https://localhost:*;")
  expect(policy).not.toContain('unsafe')
  expect(await page.text()).not.toMatch(/<script(?![^>]*src=)|style=|https?:\/\//)
  const settings = await (await ask('/configuration')).text()
  expect(JSON.parse(settings)).toMatchObject({ configuration: { t1cApiPort: '51983' } })
  expect(settings).not.toContain(apiKey)
})

test('commands of a checkout are for developers alone', async () => {
  proves('developer-commands')
  let next = ''
  const settings = readSettings({ ...environment, EXAMPLE_DEVELOPER: 'yes' })
  const { request } = createApp(settings, (url) => {
    next = url
  })
  const refused = await (await request('/', { headers: own })).text()
  expect(refused).toContain('npm start')
  const opened = await request(`/${new URL(next).search}`, { headers: own })
  const headers = { ...own, cookie: opened.headers.get('set-cookie') ?? '' }
  const read = async (answer: Response) => JSON.parse(await answer.text()).forDeveloper
  expect(await read(await request('/configuration', { headers }))).toBe(true)
  expect(await read(await ask('/configuration'))).toBe(false)
  expect(noSession).not.toContain('npm')
})

test('a token is answered with a sentence without the reason when the service cannot be reached', async () => {
  const answer = await ask('/token')
  expect(answer.status).toBe(503)
  expect(await answer.text()).toBe('This application can’t answer right now. Try again in a minute')
})

test('readSettings names what is missing or wrong, and repeats no value', () => {
  const wrong = { EXAMPLE_API_KEY: 'secret', EXAMPLE_PORT: '99999' }
  expect(() => readSettings(wrong)).toThrow(/EXAMPLE_PORT.*EXAMPLE_DS_URL.*EXAMPLE_API_KEY/)
  expect(() => readSettings(wrong)).not.toThrow(/secret/)
})
