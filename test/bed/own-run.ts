/** A run of vitest by itself has a folder for what its tests share, and removes it: workers that are ended do not. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { sharedFolderSetting } from './shared-folder.ts'

let made: string | undefined

export function setup(): void {
  // Part of `npm test`, which has one.
  if (process.env[sharedFolderSetting]) return
  made = mkdtempSync(join(tmpdir(), 'cardwire-shared-'))
  process.env[sharedFolderSetting] = made
}

export function teardown(): void {
  if (made === undefined) return
  delete process.env[sharedFolderSetting]
  rmSync(made, { recursive: true, force: true, maxRetries: 10 })
  made = undefined
}
