/** What the local page of the compiled binary refuses: other accounts, origins, names, frames, and addresses that were used. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runProgram } from '../../../../test/bed/program.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { createUser, type OpenedAddress, openInChromium, type UserWithPage } from './user.ts'

let user: UserWithPage
let opened: OpenedAddress
beforeAll(async () => {
  user = await createUser()
  opened = await user.open()
})
afterAll(() => user?.close())

const curl = async (...args: readonly string[]) => {
  const { out } = await runProgram([
    ...['curl', '-s', '-o', '/dev/null', '-w', '%{http_code}', ...args],
  ])
  return Number(out)
}

const session = () => JSON.stringify({ ticket: opened.ticket })
const json = ['-H', 'content-type: application/json', '-X', 'POST', '-d'] as const

test('a process of this account gets the page', async () => {
  expect(await curl(`${opened.origin}/`)).toBe(200)
})

test('another account gets nothing, and does not use up the ticket', async () => {
  proves('open-url-read')
  const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', 'curl', '-s']
  const { out } = await runProgram([
    ...asNobody,
    ...['-w', '%{http_code}', '-H', `origin: ${opened.origin}`, ...json, session()],
    `${opened.origin}/session`,
  ])
  expect(out).toBe(
    '{"reason":"This page belongs to another user of this computer. Open Cardwire in your own account."}403',
  )
})

test.each([
  ['another name for the address', ['-H', 'host: localhost']],
  ['a page of another origin', ['-H', 'origin: https://evil.example']],
  ['a page that hides its origin', ['-H', 'sec-fetch-site: cross-site']],
  ['a frame of another page', ['-H', 'sec-fetch-site: none', '-H', 'sec-fetch-dest: iframe']],
] as const)('%s is refused', async (_, headers) => {
  proves('open-page-attacked')
  expect(await curl(...headers, `${opened.origin}/`)).toBe(403)
})

test.each(['PUT', 'DELETE', 'OPTIONS'])('%s is refused', async (method) => {
  const origin = ['-H', `origin: ${opened.origin}`]
  expect(await curl('-X', method, ...origin, `${opened.origin}/`)).toBe(405)
})

test.each(['view', 'findings', 'revoke', 'start', 'trust', 'service', 'update', 'use'])(
  '/%s without the token is refused',
  async (action) => {
    proves('open-page-attacked')
    const headers = ['-H', `origin: ${opened.origin}`, '-H', 'authorization: Bearer x']
    expect(await curl(...headers, ...json, '{}', `${opened.origin}/${action}`)).toBe(401)
  },
)

test.each(['/', '/main.ts', '/nothing', '/session'])(
  'the response to %s has the policy: own files alone, in no frame, and no text becomes markup',
  async (path) => {
    proves('open-page-attacked')
    const { headers } = await fetch(`${opened.origin}${path}`)
    const policy = headers.get('content-security-policy')
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy).toContain(rule)
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
  },
)

test('a request without an origin gets no token', async () => {
  proves('open-page-attacked')
  expect(await curl(...json, session(), `${opened.origin}/session`)).toBe(403)
})

test('another page cannot show it in a frame, nor find out that it is there', async () => {
  proves('open-page-attacked')
  const other = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<iframe src="${opened.origin}/"></iframe>`)
  })
  await once(other.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const { page, close } = await openInChromium(`http://localhost:${port}/`)
  const text = await page.frames()[1]?.locator('body').textContent()
  expect(text ?? '').not.toContain('Cardwire')
  const outcome = await page.evaluate(
    `fetch('${opened.origin}/').then(() => 'answered', () => 'refused')`,
  )
  expect(outcome).toBe('refused')
  await close()
})

test('an address works once', async () => {
  proves('open-url-read')
  const first = await openInChromium(opened.address)
  await first.page.getByRole('heading', { name: 'Cardwire is running' }).waitFor()
  expect(first.page.url()).toBe(`${opened.origin}/`)
  const second = await openInChromium(opened.address)
  await second.page.getByRole('heading', { name: 'was already used' }).waitFor()
  expect(second.faults).toEqual([expect.stringContaining('403')])
  await Promise.all([first.close(), second.close()])
})

test('a page that is loaded again has no token, and says how to go on', async () => {
  proves('open-url-read', 'open-port-reused')
  const { address } = await user.open()
  const { page, close } = await openInChromium(address)
  await page.getByRole('heading', { name: 'Cardwire is running' }).waitFor()
  await page.reload()
  await page.getByText('Open Cardwire again from the Start menu or your list of apps.').waitFor()
  expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).toBe('{}')
  await close()
})
