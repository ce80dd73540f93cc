/** Redirects of file servers: followed, or refused because they lead to this machine. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { lookupElsewhere, resolveRedirect } from './redirect.ts'

const elsewhere = { url: new URL('https://files.example/a/store.p12'), elsewhere: false }

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
])('resolveRedirect refuses %s after another machine', (location) => {
  proves('redirect-to-loopback')
  expect(resolveRedirect(location, elsewhere)).toBeUndefined()
})

test.each([
  ['a path', '/b', 'https://files.example/b'],
  ['another machine', 'https://cdn.example/x', 'https://cdn.example/x'],
])('resolveRedirect follows %s', (_, location, to) => {
  expect(resolveRedirect(location, elsewhere)?.url.href).toBe(to)
})

test('resolveRedirect follows this machine to itself', () => {
  const from = { url: new URL('http://127.0.0.1:1/a'), elsewhere: false }
  const to = { url: new URL('http://localhost:2/b'), elsewhere: false }
  expect(resolveRedirect('http://localhost:2/b', from)).toEqual(to)
})

test('resolveRedirect follows a file server to itself, whatever its address', () => {
  const from = { url: new URL('https://169.254.1.1/a'), elsewhere: false }
  const to = { url: new URL('https://169.254.1.1/b'), elsewhere: false }
  expect(resolveRedirect('/b', from)).toEqual(to)
})

test('resolveRedirect has every host checked that another machine chose', () => {
  proves('redirect-to-loopback')
  const same = resolveRedirect('/b', elsewhere)
  const other = resolveRedirect('https://cdn.example/x', elsewhere)
  const again = other && resolveRedirect('/y', other)
  expect([same, other, again].map((step) => step?.elsewhere)).toEqual([false, true, true])
})

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
