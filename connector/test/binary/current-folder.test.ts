/** The folder in which the binary is started may be one where another account writes: nothing in it is a part of the program. */
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createHome, runCommand } from '../../../test/bed/connector.ts'
import { proves } from '../../../test/bed/proves.ts'

let home: string
let folder: string
beforeEach(async (context) => {
  home = await createHome()
  context.onTestFinished(() => rm(home, { recursive: true, force: true }))
  folder = join(home, 'downloads')
  await mkdir(folder)
})

const runThere = (args: readonly string[]) =>
  runCommand(home, args, {}, ['env', `--chdir=${folder}`])

test('a bunfig.toml of the current folder starts no program', async () => {
  proves('runtime-files-planted')
  await writeFile(join(folder, 'bunfig.toml'), 'preload = ["./preload.ts"]')
  await writeFile(join(folder, 'preload.ts'), `await Bun.write('${join(folder, 'was-here')}', '')`)
  expect(runThere(['version']).status).toBe(0)
  expect(existsSync(join(folder, 'was-here'))).toBe(false)
})

test('an .env of the current folder has no settings', async () => {
  proves('runtime-files-planted')
  await writeFile(join(folder, '.env'), 'CARDWIRE_DS_URL=https://elsewhere.example\n')
  expect(runThere(['settings']).out).not.toContain('elsewhere.example')
})
