/** The user of this process, as the system knows it. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { hasDesktop, readUser, toPackageFormat } from './user.ts'

test.each([
  ['without variables', {}],
  ['with the USER of another', { USER: 'somebody-else' }],
])('user name is that of the account, %s', (_, environment) => {
  proves('user-locale')
  const name = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()

  expect(readUser(environment).username).toBe(name)
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

test.each([
  ['Debian', 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\n', 'deb'],
  ['Ubuntu', 'ID=ubuntu\nID_LIKE=debian\n', 'deb'],
  ['Fedora', 'ID=fedora\nNAME="Fedora Linux"\n', 'rpm'],
  ['Rocky Linux', 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'rpm'],
  ['openSUSE', 'ID="opensuse-leap"\nID_LIKE="suse opensuse"\n', 'rpm'],
  ['another one, whose name has one of these', 'ID=arch\nNAME="not debian"\n', undefined],
  ['a system that says nothing', '', undefined],
])('toPackageFormat of %s', (_, osRelease, format) => {
  expect(toPackageFormat(osRelease)).toBe(format)
})
