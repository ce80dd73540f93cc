/** Files of a type by the rules of Windows, as far as Wine has them: names, and renames that replace nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { type Act, openAct } from './run-program.ts'

let act: Act
beforeAll(async () => {
  act = await openAct('./files-program.ts')
})
afterAll(() => act.stop())

test('on Windows names of devices, drives, streams and programs are refused, and nothing is replaced', async () => {
  proves('file-path-escape', 'service-names-folder', 'file-mark')
  const refused = 'file-path-refused'
  const mark = '[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=https://shop.example/\r\n'
  const unmapped = 'file-type-unmapped'
  expect(JSON.parse(await act.run())).toEqual({
    written: {
      ...{ 'plain.txt': 'done', 'Übung é.txt': 'done' },
      ...{ '..': refused, '..\\outside.txt': refused, 'C:\\outside.txt': refused },
      ...{ 'a.txt:stream': refused, NUL: refused, 'con.txt': refused, COM1: refused },
      ...{ 'aux.pdf': refused, 'end.': refused, 'end ': refused, 'LONGNA~1.TXT': refused },
      ...{ 'run.exe': refused, 'run.lnk': refused, 'a/b': refused },
    },
    named: {
      ...{ home: unmapped, upperCase: unmapped, settings: unmapped, own: unmapped },
      ...{ system: unmapped, drive: unmapped, inHome: 'done' },
    },
    taken: 'file-taken',
    copied: 'done',
    moved: 'file-taken',
    renamed: 'done',
    outside: refused,
    drive: refused,
    root: ['renamed.txt', 'sub', 'Übung é.txt'],
    content: 'plain.txt',
    marks: [mark, mark],
    unmarked: [],
    beside: ['home', 'outside.txt', 'own', 'root', 'runtime'],
    drivers: false,
  })
})
