/** Redirects of file servers: followed, or refused because they lead to this machine. */
import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { lookupElsewhere, resolveRedirect, startDownload } from './redirect.ts'

const elsewhere = { url: new URL('https://files.example/a/store.p12'), elsewhere: true }
/** An address that is reserved for documents (RFC 5737). */
const far = 'https://192.0.2.1'

test.each([
  'http://127.0.0.1:8080/admin',
  'https://localhost/admin',
  'https://printer.localhost/',
  'http://127.9.9.9/',
  'http://[::1]:631/',
  'http://0.0.0.0/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://2130706433/',
  '//localhost/',
  'http://localhost.:631/',
  'http://127.0.0.1./',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fe80::1]/',
])('%s is refused, as the first address and as that of a redirect', async (location) => {
  proves('redirect-to-loopback')
  expect(resolveRedirect(location, elsewhere)).toBeUndefined()
  const { href } = new URL(location, elsewhere.url)
  expect(await startDownload(href, far)).toBeUndefined()
})

test.each([
  ['a path', '/b', 'https://files.example/b'],
  ['another machine', 'https://cdn.example/x', 'https://cdn.example/x'],
])('resolveRedirect follows %s', (_, location, to) => {
  expect(resolveRedirect(location, elsewhere)?.url.href).toBe(to)
})

test.each(['http://127.0.0.1:8080', 'http://localhost:8080', `https://${hostname()}`])(
  'files of this machine are fetched for a service of it: %s',
  async (dsUrl) => {
    const first = await startDownload('http://127.0.0.1:1/a', dsUrl)
    expect(first).toEqual({ url: new URL('http://127.0.0.1:1/a'), elsewhere: false })
    const second = first && resolveRedirect('http://localhost:2/b', first)
    expect(second).toEqual({ url: new URL('http://localhost:2/b'), elsewhere: false })
  },
)

test.each([far, 'https://service.invalid'])(
  'every host is checked for the service %s, also that of a redirect to the same one',
  async (dsUrl) => {
    proves('redirect-to-loopback')
    const first = await startDownload('http://files.example:8080/a', dsUrl)
    const same = first && resolveRedirect('/b', first)
    const other = same && resolveRedirect('https://cdn.example/x', same)
    expect([first, same, other].map((step) => step?.elsewhere)).toEqual([true, true, true])
  },
)

test.each(['localhost', '127.0.0.1', '::1', '169.254.169.254'])(
  'lookupElsewhere resolves no name of this machine: %s',
  async (name) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    lookupElsewhere(name, { all: true }, (...result) => resolve(result))
    expect(await promise).toEqual([new Error(`"${name}" is this computer`), []])
  },
)

test('lookupElsewhere resolves an address of another machine', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  lookupElsewhere('192.0.2.1', {}, (...result) => resolve(result))
  expect(await promise).toEqual([null, '192.0.2.1', 4])
})
