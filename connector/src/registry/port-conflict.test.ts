/** How a conflict of the registry port is explained on every system. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { explainPortConflict } from './port-conflict.ts'

test.each([
  ['linux', 'sysctl net.ipv4.ip_local_reserved_ports=51983'],
  ['win32', 'netsh int ipv4 add excludedportrange protocol=tcp startport=51983'],
])(
  'on %s a taken port is explained with its holder and the command that reserves it',
  (platform, command) => {
    proves('registry-port-taken')
    const holder = { user: '1001', program: { name: 'python3', pid: 77 } }
    const { what, todo } = explainPortConflict(platform, 51_983, 'other-program', holder, 'bob')
    expect(what).toBe(
      'port 51983 is in use by python3, process 77, user bob, so pages cannot find this connector',
    )
    expect(todo).toContain(command)
    expect(todo).toContain('another port with --registry-port')
  },
)

test('program that this user may not inspect is named by its user', () => {
  const { what } = explainPortConflict(
    'linux',
    51_983,
    'other-program',
    { user: '1001' },
    undefined,
  )
  expect(what).toContain('port 51983 is in use by user 1001, so')
})

test('unknown program is called another program', () => {
  const { what, todo } = explainPortConflict(
    'darwin',
    51_983,
    'other-program',
    undefined,
    undefined,
  )
  expect(what).toContain('port 51983 is in use by another program, so')
  expect(todo).toMatch(/^end it; or set another port/)
})

test('reservation on linux says that it replaces the existing list, and how to keep it', () => {
  const { todo } = explainPortConflict('linux', 51_983, 'other-program', undefined, undefined)
  expect(todo).toMatch(/this replaces the current list until the next boot; .*\/etc\/sysctl\.d/)
})

test('registry of another connector of this user needs no administrator', () => {
  const holder = { user: '1001', program: { name: 'cardwire', pid: 77 } }
  const { what, todo } = explainPortConflict('linux', 51_983, 'foreign', holder, 'bob', 1001)
  expect(what).toBe('the registry of your other connector (cardwire, process 77) uses port 51983')
  expect(todo).toBe('pages find the other connector; to make them find this one, stop the other')
  const other = explainPortConflict('linux', 51_983, 'foreign', holder, 'bob', 1002)
  expect(other.what).toContain('another user')
})

test('registry of another user is explained with what an administrator does', () => {
  const { what, todo } = explainPortConflict(
    'linux',
    51_983,
    'foreign',
    { user: '1001' },
    'bob',
    1002,
  )
  expect(what).toContain('the registry of another user (user bob) uses port 51983')
  expect(todo).toContain('cardwire registry install')
})

test.each([
  ['linux', 'systemctl start cardwire-registry'],
  ['darwin', 'launchctl kickstart system/cardwire.registry'],
  ['win32', 'schtasks /run /tn "Cardwire Registry"'],
])('on %s the service that does not answer is started with %s', (platform, command) => {
  expect(explainPortConflict(platform, 51_983, 'absent', undefined, undefined).todo).toContain(
    command,
  )
})
