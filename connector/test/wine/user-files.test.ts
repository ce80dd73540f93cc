/** Files of users, as Windows opens them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { type Act, openAct } from './run-program.ts'

let act: Act
beforeAll(async () => {
  act = await openAct('./user-files-program.ts')
})
afterAll(() => act.stop())

test('a file is read name by name, and nothing that is not a file', async () => {
  proves('windows-root-planted')
  expect(JSON.parse(await act.run())).toEqual({
    file: 'a root\n',
    otherCase: 'a root\n',
    missing: 'Error: Cannot open "none.pem" of "C:\\people": Windows returned 0xc0000034',
    folder: 'Error: Cannot open "Local" of "C:\\people": Windows returned 0xc00000ba',
    isThere: true,
    isFileThere: true,
    isNoneThere: false,
  })
})
