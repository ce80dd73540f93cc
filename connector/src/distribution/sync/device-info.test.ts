/** What a device says about itself, as the API of the service names it. */
import { expect, test } from 'vitest'
import { readUser } from '../../system/user.ts'
import { toDeviceInfo, toMachineInfo, toPlatform } from './device-info.ts'

test('the registry of the machine is named as such, without a user', () => {
  const user = readUser(process.env)
  expect(toMachineInfo(user, [])).toEqual({
    ...toDeviceInfo(user, []),
    device: { ...toDeviceInfo(user, []).device, component: 'registry' },
    user: {},
  })
})

test('a device names its tags, if it has some', () => {
  const user = readUser(process.env)
  expect(toDeviceInfo(user, ['berlin', 'floor:2']).device.tags).toEqual(['berlin', 'floor:2'])
  expect(toMachineInfo(user, ['berlin']).device.tags).toEqual(['berlin'])
  expect(toDeviceInfo(user, []).device).not.toHaveProperty('tags')
})

test.each([
  ['linux', 'x64', 'UNIX'],
  ['linux', 'arm64', 'UNIX'],
  ['win32', 'x64', 'WIN64'],
  ['win32', 'arm64', 'WIN64'],
  ['win32', 'ia32', 'WIN32'],
  ['darwin', 'x64', 'MACOS'],
  ['darwin', 'arm64', 'MACOSARM'],
])('toPlatform: %s on %s is %s', (platform, architecture, expected) => {
  expect(toPlatform(platform, architecture)).toBe(expected)
})
