/** Which distribution an os-release file means. */
import { expect, test } from 'vitest'
import { findDistribution } from './linux-anchors.ts'

test.each([
  ['ID=debian\n', '/usr/local/share/ca-certificates', 'update-ca-certificates'],
  ['ID=ubuntu\nID_LIKE=debian\n', '/usr/local/share/ca-certificates', 'update-ca-certificates'],
  [
    'ID=linuxmint\nID_LIKE="ubuntu debian"',
    '/usr/local/share/ca-certificates',
    'update-ca-certificates',
  ],
  ['NAME=Fedora\nID=fedora\n', '/etc/pki/ca-trust/source/anchors', 'update-ca-trust'],
  [
    'ID="rocky"\nID_LIKE="rhel centos fedora"',
    '/etc/pki/ca-trust/source/anchors',
    'update-ca-trust',
  ],
  ['ID=arch\n', '/etc/ca-certificates/trust-source/anchors', 'trust'],
  ['ID=manjaro\nID_LIKE=arch', '/etc/ca-certificates/trust-source/anchors', 'trust'],
  [
    'ID="opensuse-leap"\nID_LIKE="suse opensuse"',
    '/etc/pki/trust/anchors',
    'update-ca-certificates',
  ],
  ["ID='alpine'", '/usr/local/share/ca-certificates', 'update-ca-certificates'],
])('%j keeps anchors in %s', (text, folder, program) => {
  const found = findDistribution(text)
  expect([found?.folder, found?.command[0]]).toEqual([folder, program])
})

test.each(['', 'ID=plan9', 'VERSION_ID=debian'])('%j is not known', (text) => {
  expect(findDistribution(text)).toBeUndefined()
})
