/** Which variables say where settings were moved to. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { readAccountFolders } from './settings-folders.ts'

test.each([
  ['linux', { XDG_CONFIG_HOME: '/srv/config', XDG_DATA_HOME: '/srv/data', HOME: '/home/ada' }],
  ['linux', { XDG_STATE_HOME: '/srv/config', XDG_CACHE_HOME: '/srv/data', APPDATA: '/x' }],
])('on %s the settings are also where %j says', (platform, environment) => {
  proves('folder-too-broad')
  const { settings } = readAccountFolders(platform, environment)
  expect(settings).toEqual(['/srv/config', '/srv/data'])
})
