/**
 * The link in /usr/local/bin, which belongs to a user on many Macs, and the copy in /Applications, where administrators write: the scripts of the
 * package on this system, with a folder of a test.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { renderScript } from '../../packages/macos/render.ts'

const user = 12_345
const program = '/Library/Cardwire/cardwire'
const roots: string[] = []
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

let root: string
let link: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cardwire-link-'))
  roots.push(root)
  chmodSync(root, 0o755)
  link = join(root, 'local/bin/cardwire')
  const tools = join(root, 'tools')
  mkdirSync(tools)
  // What only macOS has, and what would change this system.
  for (const tool of ['ditto', 'dscl', 'launchctl', 'pkgutil', 'install', 'ps'])
    writeFileSync(join(tools, tool), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  const sudo = `echo "$*" >>${root}/sudo; id=\${2#?}; shift 2; exec setpriv --reuid "$id" --clear-groups "$@"`
  writeFileSync(join(tools, 'sudo'), `#!/bin/sh\n${sudo}\n`, { mode: 0o755 })
})

/** Runs a script of the package with this folder in the place of the system's. */
function run(name: 'postinstall' | 'uninstall'): void {
  const text = renderScript(name)
    .replace(/^PATH=/m, `PATH=${root}/tools:`)
    .replaceAll('/usr/local', join(root, 'local'))
    .replaceAll('/Applications', join(root, 'Applications'))
    .replaceAll(/(?<=rm -rf |=|')\/Library/g, join(root, 'Library'))
    .replace(`program=${join(root, program)}`, `program=${program}`)
  writeFileSync(join(root, name), text)
  spawnSync('/bin/sh', [join(root, name)], { env: { PATH: join(root, 'planted') } })
}

test.skipIf(!isRoot)('no command is taken from the folders of a user', () => {
  proves('pkg-path')
  const planted = join(root, 'planted')
  mkdirSync(planted)
  for (const name of ['awk', 'dirname', 'id', 'ls', 'ps', 'readlink', 'sudo'])
    writeFileSync(join(planted, name), `#!/bin/sh\n: >${root}/run\n`, { mode: 0o755 })
  for (const script of ['postinstall', 'uninstall'] as const) run(script)
  expect(existsSync(join(root, 'run'))).toBe(false)
})

function makeFolder(): void {
  mkdirSync(join(root, 'local/bin'), { recursive: true, mode: 0o755 })
  chownSync(join(root, 'local/bin'), user, user)
}

test.skipIf(!isRoot)('a folder of a user keeps its owner, and gets the link as that user', () => {
  proves('pkg-takes-folder')
  makeFolder()
  run('postinstall')
  const { uid, mode } = statSync(join(root, 'local/bin'))
  expect([uid, mode & 0o7777]).toEqual([user, 0o755])
  expect(readlinkSync(link)).toBe(program)
  expect(readFileSync(join(root, 'sudo'), 'utf8')).toBe(`-u #${user} ln -sfn ${program} ${link}\n`)
  run('uninstall')
  expect(readdirSync(join(root, 'local/bin'))).toEqual([])
})

test.skipIf(!isRoot)('a Mac without the folder gets one', () => {
  run('postinstall')
  expect(readlinkSync(link)).toBe(program)
  expect(statSync(join(root, 'local/bin')).uid).toBe(0)
})

test.skipIf(!isRoot)('a user’s own file, and a link to somewhere else, stay as they are', () => {
  proves('pkg-takes-folder')
  makeFolder()
  const treasure = join(root, 'treasure')
  mkdirSync(treasure)
  symlinkSync(treasure, link)
  for (const script of ['postinstall', 'uninstall'] as const) run(script)
  expect([readlinkSync(link), readdirSync(treasure)]).toEqual([treasure, []])
  rmSync(link)
  writeFileSync(link, 'mine')
  for (const script of ['postinstall', 'uninstall'] as const) run(script)
  expect(readFileSync(link, 'utf8')).toBe('mine')
})

test.skipIf(!isRoot)('a folder that a user has made a link leads root nowhere', () => {
  proves('pkg-takes-folder')
  const treasure = join(root, 'treasure')
  mkdirSync(treasure)
  mkdirSync(join(root, 'local'))
  chownSync(join(root, 'local'), user, user)
  symlinkSync(treasure, join(root, 'local/bin'))
  run('postinstall')
  expect(readdirSync(treasure)).toEqual([])
})

test.skipIf(!isRoot)('the relative link of an earlier package is replaced, and removed', () => {
  makeFolder()
  symlinkSync(`../../..${program}`, link)
  run('postinstall')
  expect(readlinkSync(link)).toBe(program)
  run('uninstall')
  expect(existsSync(link)).toBe(false)
})

describe('the application', () => {
  const at = () => join(root, 'Applications/Cardwire.app')
  const bundle = () => join(root, 'Library/Cardwire/Cardwire.app')
  const treasure = () => join(root, 'treasure')
  beforeEach(() => {
    for (const folder of [bundle(), treasure(), join(root, 'Applications')])
      mkdirSync(folder, { recursive: true })
    writeFileSync(join(bundle(), 'Info.plist'), 'new')
    writeFileSync(join(treasure(), 'gold'), 'gold')
    writeTool('ditto', 'exec cp -a "$1" "$2"')
  })
  const writeTool = (name: string, text: string) =>
    writeFileSync(join(root, 'tools', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  const plant = () => `rm -rf ${at()}; ln -s ${treasure()} ${at()}`
  const readTreasure = () => readdirSync(treasure())

  test.skipIf(!isRoot)('takes the place of an earlier one, and goes', () => {
    mkdirSync(at())
    writeFileSync(join(at(), 'Old.plist'), 'old')
    run('postinstall')
    expect(readdirSync(at())).toEqual(['Info.plist'])
    expect(readdirSync(join(root, 'Library/Cardwire'))).toEqual(['Cardwire.app'])
    run('uninstall')
    expect(readdirSync(join(root, 'Applications'))).toEqual([])
    expect(existsSync(join(root, 'Library/Cardwire'))).toBe(false)
  })

  test.skipIf(!isRoot)('stays as it was when the new one cannot be copied', () => {
    mkdirSync(at())
    writeFileSync(join(at(), 'Old.plist'), 'old')
    writeTool('ditto', 'exit 1')
    run('postinstall')
    expect(readdirSync(at())).toEqual(['Old.plist'])
  })

  test.skipIf(!isRoot).each([
    ['while it is copied', () => writeTool('ditto', `${plant()}; exec cp -a "$1" "$2"`)],
    ['before it is put there', () => writeTool('mv', `${plant()}; exec /bin/mv "$@"`)],
  ])('goes nowhere else when a link takes its place %s', (_, arrange) => {
    proves('pkg-takes-folder')
    arrange()
    run('postinstall')
    expect(readTreasure()).toEqual(['gold'])
  })

  test.skipIf(!isRoot)('that an administrator has made a link is removed as one', () => {
    proves('pkg-takes-folder')
    for (const script of ['postinstall', 'uninstall'] as const) {
      rmSync(at(), { recursive: true, force: true })
      symlinkSync(treasure(), at())
      run(script)
      expect(readTreasure()).toEqual(['gold'])
    }
    expect(existsSync(at())).toBe(false)
  })
})
