/** What an administrator's purge removes from a home whose user has put links there: the shell functions of the packages, as root. */
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'

const functions = fileURLToPath(
  new URL('../../packages/linux/scripts/functions.sh', import.meta.url),
)
/** That of "nobody", which every system has. */
const user = 65_534
const state = '.local/state/cardwire'
let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cardwire-purge-'))
  chownSync(home, user, user)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Makes a folder in the home, and those above it, with a file in it. */
function makeFolder(name: string, owner = user): void {
  let path = home
  for (const part of name.split('/')) {
    path = join(path, part)
    if (existsSync(path)) continue
    mkdirSync(path)
    chownSync(path, owner, owner)
  }
  writeFileSync(join(path, 'file'), '')
  chownSync(join(path, 'file'), owner, owner)
}

function makeLink(name: string, to: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true })
  symlinkSync(join(home, to), join(home, name))
}

/** Only the home is another one than the system says. */
function purge(): void {
  const account = `${user}:${user}::${home}:/bin/sh`
  const script = `. "$0"; list_uids() { echo ${user}; }; getent() { echo "nobody:x:${account}"; }; remove_runtimes`
  execFileSync('sh', ['-eu', '-c', script, functions])
}

const has = (name: string) => existsSync(join(home, name, 'file'))

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('a purge', () => {
  test('removes the runtime and the logs of a user, and keeps what else is there', () => {
    for (const name of ['runtime', 'logs', 'other']) makeFolder(`${state}/${name}`)
    purge()
    expect(['runtime', 'logs', 'other'].map((name) => has(`${state}/${name}`))).toEqual([
      ...[false, false, true],
    ])
  })

  test.each(['.local', '.local/state', state])('follows no link at %s', (link) => {
    proves('purge-link')
    makeFolder(`mine${state.slice(link.length)}/runtime`)
    makeLink(link, 'mine')
    purge()
    expect(has(`mine${state.slice(link.length)}/runtime`)).toBe(true)
  })

  test('removes nothing that only root may remove', () => {
    proves('purge-link')
    makeFolder(`${state}/logs`)
    makeFolder(`${state}/runtime`)
    makeFolder(`${state}/runtime/of-root`, 0)
    purge()
    expect([has(`${state}/logs`), has(`${state}/runtime/of-root`)]).toEqual([false, true])
  })
})
