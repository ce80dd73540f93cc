/** Redirects of file servers: followed, or refused because they lead to this machine. */
import { expect, test } from 'vitest'
import { resolveRedirect } from './redirect.ts'

const elsewhere = new URL('https://files.example/a/store.p12')

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
])('resolveRedirect refuses %s after another machine', (location) => {
  expect(resolveRedirect(location, elsewhere)).toBeUndefined()
})

test.each([
  ['a path', '/b', 'https://files.example/b'],
  ['another machine', 'https://cdn.example/x', 'https://cdn.example/x'],
])('resolveRedirect follows %s', (_, location, to) => {
  expect(resolveRedirect(location, elsewhere)?.href).toBe(to)
})

test('resolveRedirect follows this machine to itself', () => {
  const from = new URL('http://127.0.0.1:1/a')
  expect(resolveRedirect('http://localhost:2/b', from)?.href).toBe('http://localhost:2/b')
})
