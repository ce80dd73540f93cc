/** The back end of the example: the requests that it answers, and the key that it never sends. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../back-end/app.ts'
import { readSettings } from '../back-end/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardwire-back-end-'))
afterAll(() => rmSync(folder, { recursive: true }))

const apiKey = '5f0c1f0e-2d1c-4b6e-9d53-0a7f4f0f6b11'
const cardFile = join(folder, 'atr')
const environment = { EXAMPLE_DS_URL: 'http://127.0.0.1:1', EXAMPLE_API_KEY: apiKey }
const app = createApp(readSettings({ ...environment, EXAMPLE_CARD_FILE: cardFile }))

/** What the browser says of a request of the page itself. */
const own = { host: 'localhost:8081', 'sec-fetch-site': 'same-origin' }
const ask = (path: string, init: RequestInit = {}) =>
  app.request(path, { ...init, headers: { ...own, ...init.headers } })
const move = (inserted: unknown, headers: Record<string, string> = {}) =>
  ask('/demo/card', { method: 'POST', body: JSON.stringify({ inserted }), headers })

test('the virtual card is inserted and removed by the page', async () => {
  expect((await move(true)).status).toBe(204)
  expect(readFileSync(cardFile, 'utf8').replaceAll(' ', '')).toMatch(/^3B[0-9A-F]+$/)
  expect((await move(false)).status).toBe(204)
  expect(existsSync(cardFile)).toBe(false)
  expect((await move('perhaps')).status).toBe(400)
})

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
  ['an origin that is not the page', { origin: 'https://evil.example' }],
  ['a program without Sec-Fetch-Site', { 'sec-fetch-site': '' }],
])('%s gets no token and moves no card', async (_, headers) => {
  expect((await ask('/token', { headers })).status).toBe(403)
  expect((await move(true, headers)).status).toBe(403)
  expect(existsSync(cardFile)).toBe(false)
})

test('a request under another host name is refused', async () => {
  for (const path of ['/', '/configuration', '/token']) {
    expect((await ask(path, { headers: { host: 'evil.example:8081' } })).status).toBe(421)
  }
})

test('the route of the virtual card does not exist where the readers are real', async () => {
  const real = createApp(readSettings(environment))
  const answer = await real.request('/demo/card', { method: 'POST', headers: own, body: '{}' })
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

test('a token is answered with a sentence without the reason when the service cannot be reached', async () => {
  const answer = await ask('/token')
  expect(answer.status).toBe(503)
  expect(await answer.text()).toBe('Cannot answer: the reason is in the log of the back end')
})

test('readSettings names what is missing or wrong, and repeats no value', () => {
  const wrong = { EXAMPLE_API_KEY: 'secret', EXAMPLE_PORT: '99999' }
  expect(() => readSettings(wrong)).toThrow(/EXAMPLE_PORT.*EXAMPLE_DS_URL.*EXAMPLE_API_KEY/)
  expect(() => readSettings(wrong)).not.toThrow(/secret/)
})
