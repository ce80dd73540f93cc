/** Which paths only their owners can change. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { findWritablePlace, isProgramPlace } from './protected-path.ts'

const user = 65_534

describe.runIf(process.getuid?.() === 0)('of root and another account', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'cardwire-protected-')))
  afterAll(() => rmSync(base, { recursive: true, force: true }))
  const [outer, inner] = [join(base, 'outer'), join(base, 'outer/inner')]
  const file = join(inner, 'library.so')
  beforeEach(() => {
    rmSync(outer, { recursive: true, force: true })
    chmodSync(base, 0o755)
    mkdirSync(inner, { recursive: true, mode: 0o755 })
    writeFileSync(file, 'x', { mode: 0o644 })
  })

  test('what root owns as a whole is protected, also below a folder with the sticky bit', () => {
    proves('service-names-library')
    expect(findWritablePlace(file, [0])).toBeUndefined()
    chmodSync(outer, 0o1777)
    expect(findWritablePlace(file, [0])).toBeUndefined()
  })

  test.each([
    ['the file', file],
    ['its folder', inner],
    ['a folder above', outer],
  ])('%s that belongs to a user is found, unless that user is an owner', (_, place) => {
    proves('service-names-library')
    chownSync(place, user, user)
    expect(findWritablePlace(file, [0])).toBe(place)
    expect(findWritablePlace(file, [0, user])).toBeUndefined()
  })

  test.each([
    ['the file', file, 0o664],
    ['the file', file, 0o646],
    ['its folder', inner, 0o775],
    ['a folder above', outer, 0o757],
  ])('%s that others can write is found', (_, place, mode) => {
    proves('service-names-library', 'library-swapped')
    chmodSync(place, mode)
    expect(findWritablePlace(file, [0])).toBe(place)
  })
})

test.each([
  ['C:\\Program Files\\OpenSC Project\\pkcs11\\opensc-pkcs11.dll', true],
  ['c:\\program files (x86)\\vendor\\p11.dll', true],
  ['C:\\Windows\\System32\\beidpkcs11.dll', true],
  ['C:\\Windows\\System32\\spool\\drivers\\color\\p11.dll', false],
  ['C:\\Windows\\Temp\\p11.dll', false],
  ['C:\\Program Files\\..\\Users\\ada\\p11.dll', false],
  ['C:\\Program Files.exe\\p11.dll', false],
  ['D:\\Program Files\\vendor\\p11.dll', false],
  ['C:\\ProgramData\\vendor\\p11.dll', false],
  ['C:\\Users\\ada\\invoices\\p11.dll', false],
  ['\\\\server\\share\\Program Files\\p11.dll', false],
])('on Windows %s is where only installers write: %s', (path, expected) => {
  proves('service-names-library')
  expect(isProgramPlace(path, 'C:\\Windows')).toBe(expected)
})
