/** Where files lie on each system. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { getFolders, getMachineFolders } from './folders.ts'

test.each([
  [
    'Linux',
    'linux',
    {},
    {
      config: '/home/ada/.config/cardwire',
      runtime: '/home/ada/.local/state/cardwire/runtime',
      logs: '/home/ada/.local/state/cardwire/logs',
      certificates: '/home/ada/.local/share/cardwire/certificates',
    },
  ],
  [
    'Linux with XDG variables, a relative one ignored',
    'linux',
    { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_DATA_HOME: 'relative' },
    {
      config: '/c/cardwire',
      runtime: '/s/cardwire/runtime',
      logs: '/s/cardwire/logs',
      certificates: '/home/ada/.local/share/cardwire/certificates',
    },
  ],
  [
    'macOS',
    'darwin',
    {},
    {
      config: '/home/ada/Library/Application Support/Cardwire',
      runtime: '/home/ada/Library/Application Support/Cardwire/Runtime',
      logs: '/home/ada/Library/Logs/Cardwire',
      certificates: '/home/ada/Library/Application Support/Cardwire/Certificates',
    },
  ],
  [
    'Windows',
    'win32',
    { LOCALAPPDATA: '/l', APPDATA: '/r' },
    {
      config: '/r/Cardwire',
      runtime: '/l/Cardwire/Runtime',
      logs: '/l/Cardwire/Logs',
      certificates: '/l/Cardwire/Certificates',
    },
  ],
] as const)('folders on %s', (_, platform, environment, expected) => {
  proves('folders-by-environment')
  expect(getFolders(platform, environment, '/home/ada')).toEqual(expected)
})

test.each([
  ['linux', {}, '/var/lib/cardwire'],
  ['darwin', {}, '/Library/Application Support/Cardwire'],
  ['win32', { ProgramData: '/p' }, '/p/Cardwire'],
] as const)('folders of the service on %s', (platform, environment, base) => {
  expect(getMachineFolders(platform, environment)).toEqual({
    base,
    certificates: `${base}/certificates`,
    runtime: `${base}/runtime`,
    logs: `${base}/logs`,
    published: `${base}/public`,
    leaf: `${base}/public/localhost.pem`,
    root: `${base}/public/rootCA.pem`,
    state: `${base}/public/service.json`,
  })
  expect(getMachineFolders(platform, environment, '/elsewhere').leaf).toBe(
    '/elsewhere/public/localhost.pem',
  )
})
