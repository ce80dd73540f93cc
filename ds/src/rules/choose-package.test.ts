/** Which package of a version a machine gets. */
import { expect, test } from 'vitest'
import { choosePackages, type ListedFile, toMachine } from './choose-package.ts'

const createFile = (file: string, architecture: string, system: ListedFile['system'] = 'UNIX') => ({
  ...{ file, system, architecture, size: 1, sha256: 'ab'.repeat(32) },
})
const files = [
  createFile('c-1.x86_64.rpm', 'x64'),
  createFile('c-1.aarch64.rpm', 'arm64'),
  createFile('c_1_amd64.deb', 'x64'),
  createFile('c_1_arm64.deb', 'arm64'),
  createFile('c-1-x64.msi', 'x64', 'WIN64'),
]

test.each([
  [undefined, undefined, 'c_1_amd64.deb'],
  ['x64', 'deb', 'c_1_amd64.deb'],
  ['arm64', undefined, 'c_1_arm64.deb'],
  ['arm64', 'rpm', 'c-1.aarch64.rpm'],
  [undefined, 'rpm', 'c-1.x86_64.rpm'],
  ['riscv64', 'flatpak', 'c_1_amd64.deb'],
])('choosePackages for a machine with %s and %s has %s first', (architecture, format, first) => {
  const machine = toMachine('UNIX', architecture, format)
  expect(choosePackages(files, 'UNIX', machine, 'c_1_amd64.deb')[0]?.file).toBe(first)
})

test('choosePackages has none where no package is for the machine', () => {
  const machine = toMachine('UNIX', 'arm64', 'rpm')
  expect(choosePackages(files.slice(2), 'UNIX', machine, 'c_1_amd64.deb')).toEqual([])
})

test('toMachine asks for nothing on a system whose installers are told apart by the system', () => {
  expect(toMachine('WIN64', 'arm64', 'deb')).toEqual({})
})
