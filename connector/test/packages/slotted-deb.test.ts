/** Where the slot of a Debian package is: packages are made by dpkg-deb, without compression, so that each slot can be found. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createEmptySlot } from '../../packages/empty-slot.ts'
import { openSlot } from '../../packages/linux/slotted-deb.ts'

const top = mkdtempSync(join(tmpdir(), 'cardwire-deb-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

/** A package with these files, by their names in it. */
function createDeb(files: Readonly<Record<string, Uint8Array>>): string {
  const tree = mkdtempSync(join(top, 'tree-'))
  mkdirSync(join(tree, 'DEBIAN'))
  const control = 'Package: cardwire\nVersion: 1\nArchitecture: all\nMaintainer: A <a@b.example>\n'
  writeFileSync(join(tree, 'DEBIAN/control'), `${control}Description: none\n`)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(tree, name), content)
  const file = `${tree}.deb`
  execFileSync('dpkg-deb', ['-Znone', '--build', tree, file], { stdio: 'ignore' })
  return file
}

test('openSlot finds the slot of a package', () => {
  const file = createDeb({ 'DEBIAN/slot': createEmptySlot(), program: Buffer.from('bytes') })
  const { offset, length } = openSlot(file, 0)
  expect(
    readFileSync(file)
      .subarray(offset, offset + length)
      .equals(createEmptySlot()),
  ).toBe(true)
})

test.each([
  ['no slot', {}],
  ['a slot among its files', { program: createEmptySlot() }],
  ['two slots', { 'DEBIAN/slot': createEmptySlot(), program: createEmptySlot() }],
])('openSlot refuses a package with %s', (_, files) => {
  expect(() => openSlot(createDeb(files), 0)).toThrow('Cannot find the slot')
})
