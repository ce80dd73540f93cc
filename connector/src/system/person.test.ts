/** The person of this process, as the system knows it. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { hasDesktop, readPerson } from './person.ts'

test.each([
  ['without variables', {}],
  ['with the USER of another', { USER: 'somebody-else' }],
])('user name is that of the account, %s', (_, environment) => {
  const name = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()

  expect(readPerson(environment).username).toBe(name)
})

test.each([
  ['linux', 'without a display', {}, false],
  ['linux', 'with an empty DISPLAY', { DISPLAY: '' }, false],
  ['linux', 'with X11', { DISPLAY: ':0' }, true],
  ['linux', 'with Wayland', { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['win32', 'as always', {}, true],
  ['darwin', 'as always', {}, true],
])('desktop on %s, %s', (platform, _, environment, expected) => {
  expect(hasDesktop(platform, environment)).toBe(expected)
})
