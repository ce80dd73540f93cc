/** The icon for Windows, as icotool reads it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createIco, findIcon, iconSizes } from '../../packages/icon/icon.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardwire-icon-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the icon file of Windows has the picture of each size, unchanged', () => {
  const file = join(folder, 'cardwire.ico')
  writeFileSync(file, createIco())
  const listed = execFileSync('icotool', ['--list', file], { encoding: 'utf8' })
  expect([...listed.matchAll(/--width=(\d+)/g)].map(([, width]) => Number(width))).toEqual(
    iconSizes,
  )
  for (const size of iconSizes)
    expect(readFileSync(file).includes(readFileSync(findIcon(size)))).toBe(true)
})
