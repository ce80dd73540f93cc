/** The package for macOS, by its structure: read by other programs than the one that wrote it. No Mac is among our test machines. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { pkg } from '../../packages/macos/pkg.ts'
import { render, renderScript } from '../../packages/macos/render.ts'
import type { PackageFacts } from '../../packages/package-facts.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardwire-pkg-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } })

/** Builds with a program of some bytes, into a folder of its own. */
async function build(name: string): Promise<string> {
  const [work, out] = [join(folder, name, 'work'), join(folder, name, 'out')]
  for (const path of [work, out]) mkdirSync(path, { recursive: true })
  const program = join(work, 'program')
  writeFileSync(program, 'a program\n', { mode: 0o755 })
  const facts: PackageFacts = {
    version: '4.1.0',
    writtenAt: 1_700_000_000,
    isFast: true,
    architectures: ['arm64'],
    compileProgram: async () => program,
    work,
    out,
    report: () => undefined,
  }
  expect(await pkg.build(facts)).toEqual([
    { file: 'cardwire-4.1.0-arm64.pkg', system: 'MACOSARM', architecture: 'arm64' },
  ])
  return join(out, 'cardwire-4.1.0-arm64.pkg')
}

let file: string
let unpacked: string
beforeAll(async () => {
  file = await build('first')
  unpacked = join(folder, 'unpacked')
  run('7z', 'x', `-o${unpacked}`, file)
})

test('the same sources make the same bytes', async () => {
  expect(Buffer.compare(readFileSync(file), readFileSync(await build('second')))).toBe(0)
})

test('it is an archive of a package for everybody, and of one for the other driver', () => {
  const listed = run('bsdtar', '-tf', file).trim().split('\n')
  expect(listed.filter((path) => !path.endsWith('/'))).toEqual([
    'Distribution',
    'cardwire.pkg/PackageInfo',
    'cardwire.pkg/Bom',
    'cardwire.pkg/Payload',
    'cardwire.pkg/Scripts',
    'driver.pkg/PackageInfo',
    'driver.pkg/Scripts',
  ])
  expect(run('7z', 't', file)).toContain('Everything is Ok')
})

test('what it installs is root’s, and lies in folders that are root’s on every Mac', () => {
  proves('pkg-takes-folder')
  const lines = run('bsdtar', '-tvf', join(unpacked, 'cardwire.pkg/Payload')).trim().split('\n')
  const entries = lines.map((line) => {
    const [mode, , owner, group] = line.split(/\s+/)
    return `${mode} ${owner}:${group} ${line.slice(line.indexOf('./'))}`
  })
  expect(entries.filter((entry) => !entry.startsWith('d'))).toEqual([
    '-rw-r--r-- 0:0 ./Library/Cardwire/Cardwire.app/Contents/Info.plist',
    '-rwxr-xr-x 0:0 ./Library/Cardwire/Cardwire.app/Contents/MacOS/Cardwire',
    '-rw-r--r-- 0:0 ./Library/Cardwire/Cardwire.app/Contents/Resources/Cardwire.icns',
    '-rwxr-xr-x 0:0 ./Library/Cardwire/cardwire',
    '-rw-r--r-- 0:0 ./Library/Cardwire/smartcard_list.LICENSE.txt',
    '-rw-r--r-- 0:0 ./Library/Cardwire/smartcard_list.txt',
    '-rwxr-xr-x 0:0 ./Library/Cardwire/start',
    '-rwxr-xr-x 0:0 ./Library/Cardwire/uninstall',
    '-rw-r--r-- 0:0 ./Library/LaunchAgents/cardwire.connector.plist',
    '-rw-r--r-- 0:0 ./Library/LaunchDaemons/cardwire.registry.plist',
  ])
  const outside = entries.filter((entry) => !/ \.(\/Library(\/.*)?)?$/.test(entry))
  expect(outside).toEqual([])
})

test('its bill of materials has each path, with the size and the checksum that cksum computes', () => {
  const installed = join(folder, 'installed')
  mkdirSync(installed)
  run('bsdtar', '-C', installed, '-xf', join(unpacked, 'cardwire.pkg/Payload'))
  const found = readBillOfMaterials(readFileSync(join(unpacked, 'cardwire.pkg/Bom')))
  const listed = run('bsdtar', '-tf', join(unpacked, 'cardwire.pkg/Payload')).trim().split('\n')
  expect(found.map(({ path }) => path)).toEqual(listed.map((path) => path.replace(/\/$/, '')))
  for (const { path, kind, bytes, checksum } of found.filter((one) => one.kind === 1)) {
    expect(`${checksum} ${bytes} ${kind}`).toBe(
      `${run('cksum', join(installed, path)).split(' ', 2).join(' ')} 1`,
    )
  }
})

test('the installer’s texts are XML, for this kind of Mac, and the other driver is not chosen by itself', () => {
  const texts = ['Distribution', 'cardwire.pkg/PackageInfo', 'driver.pkg/PackageInfo']
  for (const text of texts) {
    run(
      'python3',
      '-c',
      'import sys,xml.dom.minidom as m; m.parse(sys.argv[1])',
      join(unpacked, text),
    )
  }
  const distribution = readFileSync(join(unpacked, 'Distribution'), 'utf8')
  expect(distribution).toContain('hostArchitectures="arm64"')
  expect(distribution).toMatch(/<choice id="driver"[^>]* start_selected="false">/)
})

test('launchd starts the connector in a desktop session, and again after a crash alone', () => {
  const plist = join(folder, 'agent.plist')
  writeFileSync(plist, render('cardwire.connector.plist'))
  const read = 'import json,plistlib,sys; print(json.dumps(plistlib.load(open(sys.argv[1],"rb"))))'
  expect(JSON.parse(run('python3', '-c', read, plist))).toMatchObject({
    Label: 'cardwire.connector',
    ProgramArguments: ['/Library/Cardwire/start', 'run'],
    LimitLoadToSessionType: 'Aqua',
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
  })
})

test('the application runs cardwire open, without a window of its own', () => {
  proves('open-from-menu')
  const contents = join(folder, 'installed/Library/Cardwire/Cardwire.app/Contents')
  const read = 'import json,plistlib,sys; print(json.dumps(plistlib.load(open(sys.argv[1],"rb"))))'
  expect(JSON.parse(run('python3', '-c', read, join(contents, 'Info.plist')))).toMatchObject({
    CFBundleExecutable: 'Cardwire',
    CFBundleShortVersionString: '4.1.0',
    LSUIElement: true,
  })
  expect(readFileSync(join(contents, 'MacOS/Cardwire'), 'utf8')).toContain(
    'exec /Library/Cardwire/cardwire open',
  )
  const { stdout } = spawnSync('shellcheck', [join(contents, 'MacOS/Cardwire')])
  expect(String(stdout)).toBe('')
  const icon = readFileSync(join(contents, 'Resources/Cardwire.icns'))
  expect([icon.toString('latin1', 0, 4), icon.readUInt32BE(4)]).toEqual(['icns', icon.length])
})

test.each(['preinstall', 'postinstall', 'driver-postinstall', 'uninstall'])(
  'shellcheck finds nothing in %s',
  (name) => {
    const script = join(folder, name)
    writeFileSync(script, renderScript(name))
    // What one script does not use another one does.
    const { stdout, status } = spawnSync('shellcheck', ['--exclude=SC2034', script])
    expect([String(stdout), status]).toEqual(['', 0])
  },
)

describe('what launchd starts', () => {
  const program = join(folder, 'fake')
  const start = join(folder, 'start')
  const install = (text: string) => {
    writeFileSync(program, `#!/bin/sh\n${text}\n`)
    writeFileSync(start, render('start', { PROGRAM: program }))
    for (const path of [program, start]) chmodSync(path, 0o755)
  }

  test.each([
    ['a stop by the user', 0, 0],
    ['an altered program', 3, 0],
    ['a forbidden version', 78, 0],
    ['a crash', 134, 134],
    ['a failed start', 1, 1],
  ])('ends after %s with a code that launchd understands', (_, code, expected) => {
    install(`[ "$1" = run ] && exit ${code}`)
    expect(spawnSync(start, ['run']).status).toBe(expected)
  })

  test('hands TERM on, and ends when the connector has ended', async () => {
    install(`trap 'echo ended; exit 0' TERM; echo started; while :; do sleep 0.1; done`)
    const child = Bun.spawn([start, 'run'], { stdout: 'pipe' })
    const output = child.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
    expect((await output.next()).value).toBe('started\n')
    child.kill('SIGTERM')
    expect((await output.next()).value).toBe('ended\n')
    expect(await child.exited).toBe(0)
  })
})

interface Listed {
  readonly path: string
  readonly kind: number
  readonly bytes: number
  readonly checksum: number
}

/** Follows the blocks of the store as a reader of Apple's would: header, index, names, tree of paths. */
function readBillOfMaterials(bom: Buffer): readonly Listed[] {
  expect(bom.toString('latin1', 0, 8)).toBe('BOMStore')
  const [indexAt, namesAt] = [bom.readUInt32BE(16), bom.readUInt32BE(24)]
  const block = (number: number) => {
    expect(number).toBeLessThan(bom.readUInt32BE(indexAt))
    const at = bom.readUInt32BE(indexAt + 4 + 8 * number)
    return bom.subarray(at, at + bom.readUInt32BE(indexAt + 8 + 8 * number))
  }
  const names = new Map<string, number>()
  for (let left = bom.readUInt32BE(namesAt), at = namesAt + 4; left > 0; left -= 1) {
    const length = bom.readUInt8(at + 4)
    names.set(bom.toString('latin1', at + 5, at + 5 + length), bom.readUInt32BE(at))
    at += 5 + length
  }
  expect([...names.keys()]).toEqual(['BomInfo', 'Paths', 'HLIndex', 'VIndex', 'Size64'])
  const tree = block(names.get('Paths') ?? 0)
  expect(tree.toString('latin1', 0, 4)).toBe('tree')
  const node = block(tree.readUInt32BE(8))
  expect([node.readUInt16BE(0), node.readUInt16BE(2)]).toEqual([1, tree.readUInt32BE(16)])
  const paths = new Map<number, string>()
  return Array.from({ length: node.readUInt16BE(2) }, (_, at) => {
    const key = block(node.readUInt32BE(12 + 8 * at))
    const value = block(node.readUInt32BE(16 + 8 * at))
    const parent = paths.get(value.readUInt32BE(0))
    const name = value.toString('utf8', 4, value.length - 1)
    const path = parent === undefined ? name : `${parent}/${name}`
    paths.set(key.readUInt32BE(0), path)
    const metadata = block(key.readUInt32BE(4))
    return {
      path,
      kind: metadata.readUInt8(0),
      bytes: metadata.readUInt32BE(18),
      checksum: metadata.readUInt32BE(23),
    }
  })
}
