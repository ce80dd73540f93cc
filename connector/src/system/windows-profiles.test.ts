/** Where the profiles of Windows lie, as its registry says. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { readProfilesFolder } from './windows-profiles.ts'

const read = (ProfilesDirectory: string | undefined) =>
  readProfilesFolder(
    (path) =>
      path.endsWith('\\ProfileList') && ProfilesDirectory !== undefined
        ? { ProfilesDirectory }
        : {},
    'D:\\Windows\\System32',
  )

test.each([
  ['%SystemDrive%\\Users', 'D:\\Users'],
  ['%systemdrive%\\$&', 'D:\\$&'],
  ['%SystemRoot%\\Profiles', 'D:\\Windows\\Profiles'],
  ['E:\\People', 'E:\\People'],
])('profiles in %s are in %s, whatever the environment says', (text, folder) => {
  proves('elevated-user-settings')
  expect(read(text)).toBe(folder)
})

test.each([[undefined], [''], ['Users'], ['%PUBLIC%\\..'], ['C:\\%USERNAME%']])(
  'profiles in %s are nowhere',
  (text) => {
    proves('elevated-user-settings')
    expect(() => read(text)).toThrow('Windows does not name it')
  },
)
