/** The entries of desktops: what the validator of freedesktop.org says, and what they start. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { render } from '../../packages/linux/render.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardwire-menu-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = '/usr/lib/cardwire/cardwire'

test.each(['menu.desktop', 'autostart.desktop'])('%s is what desktops read', (name) => {
  const file = join(folder, name)
  writeFileSync(file, render(name, { PROGRAM: program }))
  expect(execFileSync('desktop-file-validate', [file], { encoding: 'utf8' })).toBe('')
})

test('the entry of the menu opens the page, without a terminal, in four languages', () => {
  proves('open-from-menu')
  const entry = render('menu.desktop', { PROGRAM: program })
  expect(entry).toContain(`\nExec=${program} open\n`)
  expect(entry).toContain('\nTerminal=false\n')
  for (const key of ['GenericName', 'Comment', 'Keywords'])
    for (const language of ['', '[nl]', '[fr]', '[de]'])
      expect(entry).toContain(`\n${key}${language}=`)
})
