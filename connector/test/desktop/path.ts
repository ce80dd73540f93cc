/** A PATH with some programs of this machine, and without others. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** A folder with links to these programs, which goes with the test. */
export function only(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-path-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return link(names, folder)
}

/** The same, which goes with the tests of the file or block. */
export function linkPrograms(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-path-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return link(names, folder)
}

/** A folder in `parent` with links to all programs but one. */
export const without = (name: string, parent: string): string =>
  link(
    readdirSync('/usr/bin').filter((each) => each !== name),
    join(parent, `without-${name}`),
  )

function link(names: readonly string[], folder: string): string {
  mkdirSync(folder, { recursive: true })
  for (const name of names) symlinkSync(join('/usr/bin', name), join(folder, name))
  return folder
}
