/** Who sets the environment of the program does not choose its code: what Windows elevates has the variables of the user. */
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createEmptyHome, homePaths, runCommand } from '../../../test/bed/connector.ts'
import { proves } from '../../../test/bed/proves.ts'
import { version } from '../../src/version.ts'

let home: string
beforeEach(async (context) => {
  home = await createEmptyHome()
  context.onTestFinished(() => rm(home, { recursive: true, force: true }))
  await writeFile(
    join(home, 'other.js'),
    `require('node:fs').writeFileSync('${join(home, 'ran')}', '')`,
  )
})

test.each([
  ['BUN_OPTIONS', (file: string) => `--preload=${file}`],
  ['BUN_INSPECT_PRELOAD', (file: string) => file],
  ['NODE_OPTIONS', (file: string) => `--require ${file}`],
  // Opens a debugger, which runs what it is sent.
  ['BUN_INSPECT', () => 'ws://127.0.0.1:0/debugger'],
  ['BUN_INSPECT_CONNECT_TO', (file: string) => file],
  ['BUN_CONFIG_VERBOSE_FETCH', () => 'curl'],
])('%s changes nothing', (name, getValue) => {
  proves('runtime-variables')
  const { status, out, err } = runCommand(home, ['version'], {
    [name]: getValue(join(home, 'other.js')),
  })
  expect({ status, out, err }).toEqual({ status: 0, out: `${version}\n`, err: '' })
  expect(existsSync(join(home, 'ran'))).toBe(false)
})

test('BUN_BE_BUN makes it no interpreter', () => {
  proves('runtime-variables')
  const source = `require(${JSON.stringify(join(home, 'other.js'))})`
  const { status, err } = runCommand(home, ['-e', source], { BUN_BE_BUN: '1' })
  expect(err).toContain("error: unknown option '-e'")
  expect(status).not.toBe(0)
  expect(existsSync(join(home, 'ran'))).toBe(false)
})

test('commands that change the machine do not follow the settings file of a user', async () => {
  proves('elevated-user-settings')
  const { config } = homePaths(home)
  await mkdir(config, { recursive: true })
  await writeFile(join(config, 'cardwire.conf'), 'CARDWIRE_MACHINE_DIR=/srv/of-a-user\n')
  const print = ['registry', 'install', '--print']
  const { status, out } = runCommand(home, print, { CARDWIRE_MACHINE_DIR: '' })
  expect(status).toBe(0)
  expect(out).toContain('CARDWIRE_MACHINE_DIR=/var/lib/cardwire')
  expect(out).not.toContain('/srv/of-a-user')
})
