/** Folders of settings that were moved, and the folder of the profiles: by what Windows says, and not the environment. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { type Act, openAct } from './run-program.ts'

let act: Act
beforeAll(async () => {
  // As a program of the user sets them, in what is started after it.
  const USERPROFILE = 'C:\\other'
  act = await openAct('./folders-program.ts', {
    ...{ USERPROFILE, HOME: USERPROFILE, PUBLIC: 'C:\\other\\Public' },
    ...{ ProgramData: 'C:\\other', SystemDrive: 'D:' },
  })
})
afterAll(() => act.stop())

test('folders that were moved, or that the environment hides, are none for pages', async () => {
  proves('folder-too-broad', 'folder-over-network', 'elevated-user-settings')
  const key = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\User Shell Folders'
  const value = ['/v', 'AppData', '/t', 'REG_SZ', '/d', 'C:\\moved\\roaming']
  await act.output('reg', 'add', key, ...value, '/f')
  expect(JSON.parse(await act.run())).toEqual({
    profiles: 'C:\\users',
    faults: {
      ...{ home: 'whole', profiles: 'whole' },
      ...{ moved: 'system', data: 'system' },
      ...{ localhost: 'system', loopback: 'system', self: 'system', invoices: 'allowed' },
    },
  })
})
