/** `cardwire completion` in the shells themselves, and `cardwire man` in the programs that read manual pages. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../../../test/bed/connector.ts'
import { createEnvironment } from '../../../test/bed/program.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-completion-'))
  for (const shell of ['bash', 'zsh', 'fish'])
    await writeFile(join(folder, shell), runCommand(folder, ['completion', shell]).out)
  await writeFile(join(folder, 'cardwire.1'), runCommand(folder, ['man']).out)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (program: string, ...args: readonly string[]) =>
  spawnSync(program, args, { cwd: folder, env: createEnvironment(folder), encoding: 'utf8' })

/** What a shell offers for the last of the words, one on a line. */
const offers: Readonly<Record<string, (words: readonly string[]) => string>> = {
  bash: (words) =>
    `source ./bash; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_cardwire; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The function runs in the shell; what it hands to the line editor is printed.
  zsh: (words) =>
    `compdef() { :; }; _files() { :; }; _describe() { print -l -- \${\${(P)2}%%:*}; }
source ./zsh; words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; _cardwire`,
  fish: (words) => `source ./fish; complete -C '${words.join(' ')}' | string replace -r '\\t.*' ''`,
}

/** The names under "Commands:" of a help. */
const namesIn = (args: readonly string[]): readonly string[] => {
  const help = runCommand(folder, [...args, '--help']).out
  const [, commands = ''] = /Commands:\n([\s\S]*?)\n\n/.exec(help) ?? []
  return [...commands.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name)
}

describe.each(Object.keys(offers))('completion in %s', (shell) => {
  const complete = (...words: readonly string[]) => {
    const { stdout, stderr } = run(shell, '-c', offers[shell]?.(['cardwire', ...words]) ?? '')
    expect(stderr).toBe('')
    const start = words.at(-1) ?? ''
    // As the line editor of zsh does, and the other two themselves.
    const offered = stdout.trim().split('\n')
    return offered.filter((word) => shell !== 'zsh' || word.startsWith(start)).toSorted()
  }

  test('offers every command of the help', () => {
    const names = namesIn([])
    expect(names).toContain('status')
    expect(complete('')).toEqual(expect.arrayContaining([...names]))
    expect(complete('certs', '')).toEqual(expect.arrayContaining([...namesIn(['certs'])]))
  })

  test('offers what begins as the word does, of the command before it alone', () => {
    expect(complete('stat')).toEqual(['status'])
    expect(complete('certs', 'ren')).toEqual(['renew'])
    expect(complete('consents', 'revoke', '--a')).toEqual(['--all'])
    expect(complete('consents', '--j')).toEqual(['--json', '--json-schema'])
    expect(complete('sync', '--ds-u')).toEqual(['--ds-url'])
    expect(complete('certs', 'status', '--a')).not.toContain('--all')
  })
})

test('completion of another shell is refused, with those that there are', () => {
  const { status, err } = runCommand(folder, ['completion', 'tcsh'])
  expect([status, err]).toEqual([2, expect.stringContaining('bash, zsh, fish')])
})

describe('the manual page', () => {
  test('names every command, with its exit statuses', () => {
    const { out } = runCommand(folder, ['man'])
    for (const name of namesIn([])) expect(out).toContain(`.SS "cardwire ${name}`)
    expect(out).toContain('exit status 100\n')
  })

  test('is read by man without a warning', () => {
    const { stdout, stderr } = run('man', '--warnings', '-l', 'cardwire.1')
    expect(stderr).toBe('')
    expect(stdout).toContain('cardwire status')
  })

  test('has nothing that mandoc objects to', () => {
    expect(run('mandoc', '-T', 'lint', 'cardwire.1').stdout).toBe('')
  })
})
