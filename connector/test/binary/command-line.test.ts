/** The command line of the compiled binary: what its help teaches, its settings, its exit status, on a fresh home. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  createEmptyHome,
  homePaths,
  runCommand,
  startConnector,
} from '../../../test/bed/connector.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'

let home: string
beforeEach(async (context) => {
  home = await createEmptyHome()
  // After whatever runs in it.
  context.onTestFinished(() => rm(home, { recursive: true, force: true }))
})

/** The names under "Commands:" of a help. */
const namesIn = (help: string): readonly string[] =>
  [...(/Commands:\n([\s\S]*?)\n\n/.exec(help)?.[1] ?? '').matchAll(/^ {2}([a-z]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help')

interface CommandHelp {
  readonly path: readonly string[]
  readonly status: number | null
  readonly out: string
}

/** What each command prints for `--help`: this one first, then those below it. */
function readHelp(path: readonly string[] = []): readonly CommandHelp[] {
  const { status, out } = runCommand(home, [...path, '--help'])
  return [{ path, status, out }, ...namesIn(out).flatMap((name) => readHelp([...path, name]))]
}

describe('help', () => {
  test('names every role and command', () => {
    proves('one-binary')
    expect(namesIn(runCommand(home, ['help']).out)).toEqual(
      expect.arrayContaining([
        ...['run', 'api', 'registry', 'readers', 'consents', 'certs'],
        ...['sync', 'update', 'doctor', 'version'],
      ]),
    )
  })

  test('does not name what only the connector itself starts', () => {
    const { out } = runCommand(home, ['help'])
    expect(out).not.toContain('sandbox')
    expect(out).not.toContain('desktop')
  })

  test.each([
    ['consents', []],
    ['readers', []],
    ['sync', ['--ds-url', '--ds-fingerprints', '--ca-file', '--log-level']],
    [
      'registry',
      [
        ...['--registry-port', '--machine-dir', '--hosts'],
        ...['--ds-url', '--ds-fingerprints', '--ca-file', '--tags', '--log-level'],
      ],
    ],
  ])('of %s has its own settings, and every other one is accepted', (command, settings) => {
    const { out } = runCommand(home, [command, '--help'])
    expect([...out.matchAll(/^ {2}(--[a-z-]+) <value>/gm)].map(([, flag]) => flag)).toEqual(
      settings,
    )
    const help = ['--api-ports', '25100-25199', '--virtual-reader', 'card', '--help']
    expect(runCommand(home, [command, ...help]).status).toBe(0)
  })

  test('of no command has a flag for a secret: other accounts read the arguments', () => {
    const key = crypto.randomUUID()
    const { status, err } = runCommand(home, ['run', '--installation-key', key])
    expect([status, err]).toEqual([2, expect.stringContaining('unknown option')])
    const { out } = runCommand(home, ['run', '--help'])
    expect(out).toContain('CARDWIRE_INSTALLATION_KEY can only be set there')
  })

  test('of every command has examples, explains its exit statuses, and leaves nothing behind', async () => {
    proves('command-help')
    const [, ...all] = readHelp()
    expect(all.map(({ path }) => path.join(' '))).toContain('certs install')
    for (const { path, status, out } of all) {
      expect([path, status]).toEqual([path, 0])
      expect(out).toContain(`Usage: cardwire ${path.join(' ')}`)
      // At least one, and each a line that begins with this command, or with the help of one below it.
      const [, examples = ''] = /\nExamples:\n([\s\S]*?)\n(?:\n|$)/.exec(out) ?? []
      const begin = new RegExp(`^  cardwire (?:help )?${path.join(' ')}`)
      const others = examples.split('\n').filter((line) => !begin.test(line))
      expect([path, others]).toEqual([path, []])
      expect(out).toContain('Exit status:\n   0  done')
    }
    for (const path of [['doctor'], ['certs'], ['certs', 'install']]) {
      const same = all.find((help) => help.path.join() === path.join())
      expect(runCommand(home, ['help', ...path]).out).toBe(same?.out)
    }
    expect(await readdir(home)).toEqual([])
  })

  test('of run has examples, every setting under its heading, and the place of the file', () => {
    proves('command-help')
    const { out } = runCommand(home, ['run', '--help'])
    expect(out).toMatch(/Examples:\n {2}cardwire run/)
    expect(out).toMatch(/Settings:\n {2}--registry-port <value>/)
    expect(out).toContain('78  the distribution service has blocked this version')
    expect(out).toContain(join(homePaths(home).config, 'cardwire.conf'))
  })

  test.each([[['certs']], [[]]])(
    'is shown for the incomplete command %j, with exit status 2',
    (args) => {
      proves('wrong-command-line')
      const { status, out, err } = runCommand(home, args)
      expect([status, out]).toEqual([2, ''])
      expect(err).toContain('Usage: cardwire')
    },
  )

  test.each([
    [['reades'], "unknown command 'reades'\n(Did you mean readers?)", 'cardwire'],
    [['run', '--nothing'], "unknown option '--nothing'", 'cardwire run'],
    [['readers', '--wach'], "unknown option '--wach'\n(Did you mean --watch?)", 'cardwire readers'],
    [['run', 'more'], 'too many arguments', 'cardwire run'],
    [['certs', 'nothing'], "unknown command 'nothing'", 'cardwire certs'],
    [['certs', 'status', '--nothing'], "unknown option '--nothing'", 'cardwire certs status'],
    [['help', 'certs', 'nothing'], "unknown command 'nothing'", 'cardwire certs'],
  ])('is named in one line below the error of %j, with exit status 2', (args, error, command) => {
    const { status, out, err } = runCommand(home, args)
    expect([status, out]).toEqual([2, ''])
    expect(err).toMatch(/^error: /)
    expect(err).toContain(error)
    expect(err.endsWith(`\nsee: ${command} --help\n`)).toBe(true)
    expect(err.trim().split('\n').length).toBeLessThan(4)
  })

  test('of update lists each exit status', () => {
    const { out } = runCommand(home, ['update', '--help'])
    const statuses = [...out.matchAll(/^ {2,3}(\d+) {2}/gm)].map(([, status]) => status)
    expect(statuses).toEqual(['0', '1', '2', '100'])
    expect(out).toContain('  cardwire update --check')
  })
})

test.each(['version', '--version', '-V'])('%s prints the version and nothing else', (word) => {
  expect(runCommand(home, [word])).toEqual({
    status: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    err: '',
  })
})

describe('on a fresh home', () => {
  test.each([
    [['certs', 'status'], 1, 'root certificate: missing'],
    [['certs', 'status', 'localhost'], 1, 'there is no root certificate'],
    [['consents'], 0, 'You have not allowed any sites'],
    [['consents', 'revoke', 'https://a.example'], 1, 'you have not allowed'],
    [['consents', 'revoke'], 2, 'name one site'],
    [['sync'], 0, 'no distribution service'],
    [['certs', 'uninstall'], 0, 'removed'],
    [['certs', 'renew'], 1, 'start the connector once'],
    [['certs', 'hosts', 'com'], 1, '"com" has one label'],
  ])('%j ends with %d and says why', (args, status, message) => {
    proves('commands-in-new-home')
    const answer = runCommand(home, args)
    expect([answer.status, answer.out + answer.err]).toEqual([
      status,
      expect.stringContaining(message),
    ])
    // A sentence, not the place in the source.
    expect(answer.err).not.toMatch(/\n +at /)
  })

  test('readers shows the reader that the settings name, by a flag too', async () => {
    const card = join(home, 'card')
    await writeFile(card, '3B9813400AA503010101AD1311')
    const { status, out } = runCommand(home, ['readers', '--virtual-reader', card])
    expect([status, out]).toEqual([0, expect.stringContaining('card 3B 98 13 40')])
    expect(out).toMatch(/Belgi/)
  })
})

describe('settings', () => {
  /** What the doctor says of the registry shows which port it reads. */
  const portOf = (args: readonly string[], settings: Readonly<Record<string, string>>) =>
    /port (\d+) is free for the registry/.exec(runCommand(home, args, settings).out)?.[1]

  const keep = async (text: string) => {
    await mkdir(homePaths(home).config, { recursive: true })
    await writeFile(join(homePaths(home).config, 'cardwire.conf'), text)
  }

  test('of a flag win over the environment, and those over the file', async () => {
    proves('setting-precedence')
    const [file, environment, flag] = [
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
    ].map(String) as [string, string, string]
    await keep(`# a comment\nCARDWIRE_REGISTRY_PORT=${file}\n`)
    const set = { CARDWIRE_REGISTRY_PORT: environment }
    expect(portOf(['doctor'], {})).toBe(file)
    expect(portOf(['doctor'], set)).toBe(environment)
    expect(portOf(['doctor', '--registry-port', flag], set)).toBe(flag)
  })

  test.each([
    ['a file with an unknown name', 'CARDWIRE_CROS=https://a.example\n', {}, []],
    ['an environment with an unknown name', '', { CARDWIRE_CROS: 'x' }, []],
    ['a file with a value that cannot be', 'CARDWIRE_CORS=shop.example\n', {}, []],
    ['a flag with a value that cannot be', '', {}, ['--cors', '*']],
  ])('of %s are refused by name and place, with exit status 2', async (_, text, set, flags) => {
    proves('wrong-setting-named')
    if (text !== '') await keep(text)
    const { status, err } = runCommand(home, ['readers', ...flags], set as Record<string, string>)
    expect([status, err]).toEqual([2, expect.stringMatching(/CARDWIRE_C(ROS|ORS) \(/)])
  })

  test('of a file that cannot be read are refused with its path', async () => {
    const path = join(homePaths(home).config, 'cardwire.conf')
    await mkdir(path, { recursive: true })
    const { status, err } = runCommand(home, ['readers'])
    expect([status, err]).toEqual([2, expect.stringContaining(`${path}: it cannot be read`)])
  })
})

test('every folder follows the XDG variables', async () => {
  proves('folders-by-environment')
  const at = (name: string) => join(home, name)
  await mkdir(at('c/cardwire'), { recursive: true })
  await writeFile(at('c/cardwire/cardwire.conf'), `CARDWIRE_VIRTUAL_READER=${at('c/card')}\n`)
  const variables = { XDG_CONFIG_HOME: at('c'), XDG_STATE_HOME: at('s'), XDG_DATA_HOME: at('d') }
  const connector = await startConnector(variables, home)
  onTestFinished(() => connector.stop())
  const listed = async () => (await connector.request('/v3/readers')).json.data
  await expect.poll(listed).toMatchObject([{ name: 'Cardwire Virtual Reader' }])
  expect(existsSync(at('s/cardwire/logs/api.log'))).toBe(true)
  expect((await readdir(home)).toSorted()).toEqual(['c', 'd', 's'])
})

test('api is what run is, without a registry of its own', async () => {
  proves('one-binary')
  const connector = await startConnector({}, undefined, { role: 'api' })
  onTestFinished(() => connector.stop())
  const registry = async () => (await connector.request('/info')).json.data.t1CInfoAPI.registry
  await expect.poll(registry).toEqual({
    state: 'absent',
    reason: expect.stringContaining('cardwire registry'),
    pid: 0,
  })
  expect(connector.output()).not.toContain('registry started')
})

test('api finds the registry that a user starts beside it', async () => {
  proves('one-binary')
  const port = String(await findFreePort())
  const settings = { CARDWIRE_REGISTRY_PORT: port }
  const connector = await startConnector(settings, home, { role: 'api' })
  onTestFinished(() => connector.stop())
  const env = createEnvironment(home, { ...settings, CARDWIRE_MACHINE_DIR: join(home, 'machine') })
  const registry = spawn(connectorProgram, ['registry'], { env, stdio: 'ignore' })
  onTestFinished(() => void registry.kill())
  await expect.poll(() => connector.output()).toContain('registry found')
})
