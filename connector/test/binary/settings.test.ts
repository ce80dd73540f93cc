/** `cardwire settings`, and who overrides whom: flag, environment, the files of the user, the machine and the administrator. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { createHome, homePaths, runCommand } from '../../../test/bed/connector.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import { runForDocument } from './command-document.ts'

let home: string
beforeEach(async (context) => {
  home = await createHome()
  context.onTestFinished(() => rm(home, { recursive: true, force: true }))
})

function writePersonal(text: string): void {
  mkdirSync(homePaths(home).config, { recursive: true })
  writeFileSync(join(homePaths(home).config, 'cardwire.conf'), text)
}

test('each setting has its value and its source', () => {
  writePersonal('CARDWIRE_JWT=off\n')
  const settings = { CARDWIRE_LOG_LEVEL: 'debug' }
  const { status, document } = runForDocument(
    home,
    ['settings', '--hosts', 'reader.local'],
    settings,
  )
  expect(status).toBe(0)
  expect(document).toMatchObject({
    settings: expect.arrayContaining([
      { name: 'CARDWIRE_JWT', value: 'off', source: join(homePaths(home).config, 'cardwire.conf') },
      { name: 'CARDWIRE_LOG_LEVEL', value: 'debug', source: 'environment' },
      { name: 'CARDWIRE_HOSTS', value: 'reader.local', source: 'flag' },
      { name: 'CARDWIRE_API_PORTS', value: '25100-25199', source: 'default' },
    ]),
    unread: [],
  })
})

test('of the installation key it shows that it is set', () => {
  const key = '1b671a64-40d5-491e-99b0-da01ff1f3341'
  writePersonal(`CARDWIRE_INSTALLATION_KEY=${key}\n`)
  const { out } = runCommand(home, ['settings'])
  expect(out).toMatch(/CARDWIRE_INSTALLATION_KEY +\(set\)/)
  expect(out).not.toContain(key)
})

describe('with files of the administrator in /etc/cardwire', () => {
  /** Runs the binary where /etc has these files too: in a mount namespace of its own. */
  function runWith(
    files: Readonly<Record<string, string>>,
    args: readonly string[],
    settings: Readonly<Record<string, string>> = {},
  ) {
    const folder = join(home, 'etc', 'cardwire')
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    for (const path of [join(home, 'etc'), folder]) chmodSync(path, 0o755)
    const mount = `mount -t overlay overlay -o lowerdir=${join(home, 'etc')}:/etc /etc && exec "$@"`
    return spawnSync('unshare', ['--mount', 'sh', '-c', mount, 'sh', connectorProgram, ...args], {
      encoding: 'utf8',
      env: createEnvironment(home, settings),
    })
  }
  const sourceOf = (stdout: string, name: string) =>
    JSON.parse(stdout).settings.find((one: { name: string }) => one.name === name)

  test('those of the machine count where nobody says otherwise', () => {
    proves('machine-settings')
    const files = { 'cardwire.conf': 'CARDWIRE_JWT=off\nCARDWIRE_LOG_LEVEL=warning\n' }
    writePersonal('CARDWIRE_LOG_LEVEL=error\n')
    const { stdout } = runWith(files, ['settings', '--json'])
    expect(sourceOf(stdout, 'CARDWIRE_JWT')).toMatchObject({
      value: 'off',
      source: '/etc/cardwire/cardwire.conf',
    })
    expect(sourceOf(stdout, 'CARDWIRE_LOG_LEVEL')).toMatchObject({ value: 'error' })
  })

  test('those that are managed win over flag, environment and the file of the user', () => {
    proves('machine-settings')
    writePersonal('CARDWIRE_LOG_LEVEL=error\n')
    const files = { 'managed.conf': 'CARDWIRE_LOG_LEVEL=warning\n' }
    const flags = ['settings', '--json', '--log-level', 'debug']
    const { stdout } = runWith(files, flags, { CARDWIRE_LOG_LEVEL: 'info' })
    expect(sourceOf(stdout, 'CARDWIRE_LOG_LEVEL')).toEqual({
      name: 'CARDWIRE_LOG_LEVEL',
      value: 'warning',
      source: '/etc/cardwire/managed.conf',
    })
  })

  test('managed ones that cannot be read stop every command but this one', () => {
    mkdirSync(join(home, 'etc', 'cardwire', 'managed.conf'), { recursive: true })
    const shown = runWith({}, ['settings'])
    expect([shown.status, shown.stderr]).toEqual([
      0,
      expect.stringContaining('/etc/cardwire/managed.conf is not read: it is not a regular file'),
    ])
    const stopped = runWith({}, ['status'])
    expect([stopped.status, stopped.stderr]).toEqual([
      2,
      expect.stringContaining('/etc/cardwire/managed.conf: it cannot be read'),
    ])
  })
})
