/** The packages as files: their bytes, what lintian finds, and what the command says. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root, toolPath } from '../../../test/bed/repository.ts'
import { makePackage } from '../../test/binary/packages/make-packages.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-archives-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sums = (name: string) => readFileSync(join(folder, name, 'SHA256SUMS'), 'utf8')

test('the same commit makes the same packages, in another time zone and folder', () => {
  for (const [name, zone] of [
    ['here', 'UTC'],
    ['there', 'Asia/Tokyo'],
  ] as const) {
    const options = ['--formats', 'deb,rpm,pkg', '--fast']
    const env = { TZ: zone, TMPDIR: folder, CARDWIRE_RELEASE_KEYS: 'A'.repeat(43) }
    makePackage(join(folder, name), options, env)
  }
  expect(sums('there')).toBe(sums('here'))
  expect(sums('here').trim().split('\n')).toHaveLength(3)
})

test('sha256sum and the manifest name the same files', () => {
  const out = join(folder, 'here')
  const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], {
    cwd: out,
    encoding: 'utf8',
  })
  const { files } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))
  for (const { file, sha256 } of files) {
    expect(checked).toContain(`${file}: OK`)
    expect(sums('here')).toContain(`${sha256}  ${file}`)
  }
})

test('lintian finds no error in the package of a release', () => {
  const deb = makePackage(join(folder, 'release'), ['--formats', 'deb'])
  const { stdout } = spawnSync('lintian', ['--allow-root', deb], { encoding: 'utf8' })
  expect(stdout.split('\n').filter((line) => line.startsWith('E:'))).toEqual([])
})

test('rpmlint finds no error in the RPM package', () => {
  const out = join(folder, 'here')
  const rpm = readdirSync(out).find((name) => name.endsWith('.rpm')) ?? ''
  const filters = join(root, 'connector/packages/linux/files/rpmlint.toml')
  const options = ['--config', filters, join(out, rpm)]
  const { stdout } = spawnSync('rpmlint', options, { encoding: 'utf8' })
  expect(stdout).toContain('1 packages')
  expect(stdout.split('\n').filter((line) => line.includes(': E: '))).toEqual([])
})

test('there is a package for arm64, with a program for it', () => {
  const out = join(folder, 'arm')
  const deb = makePackage(out, ['--formats', 'deb', '--fast', '--architectures', 'arm64'])
  expect(readdirSync(out)).toContain(deb.slice(out.length + 1))
  const field = execFileSync('dpkg-deb', ['--field', deb, 'Architecture'], { encoding: 'utf8' })
  execFileSync('dpkg-deb', ['--extract', deb, join(out, 'tree')])
  const head = readFileSync(join(out, 'tree/usr/lib/cardwire/cardwire')).subarray(0, 20)
  // elf.h: EM_AARCH64.
  expect([field, head.toString('latin1', 0, 4), head.readUInt16LE(18)]).toEqual([
    'arm64\n',
    '\x7fELF',
    183,
  ])
})

test.each([
  [['--formats', 'zip'], 'Cannot make the format "zip": expected deb'],
  [['--version', 'next'], 'Cannot make version "next": expected X.Y.Z'],
  [['--architectures', 'riscv'], 'Cannot make the architecture "riscv": expected x64, arm64'],
  [['--signing-key', '/nowhere'], 'Cannot read the key in "/nowhere"'],
])('%j ends with 1 and a sentence', (args, message) => {
  const command = ['connector/packages/main.ts', '--out', join(folder, 'none'), ...args]
  const { status, stderr } = spawnSync(toolPath('bun'), command, { cwd: root, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
  expect(stderr).not.toMatch(/\n +at /)
})

test('maintainer scripts are what shellcheck calls right', () => {
  const scripts = join(root, 'connector/packages/linux/scripts')
  for (const name of readdirSync(scripts).filter((file) => file !== 'functions.sh')) {
    const text = ['functions.sh', name].map((file) => readFileSync(join(scripts, file), 'utf8'))
    // SC3013: `-ef` is in dash, bash and busybox. SC2034: not every script reads every shared variable.
    const options = ['--shell=sh', '--exclude=SC3013,SC2034', '-']
    const { stdout } = spawnSync('shellcheck', options, { input: text.join(''), encoding: 'utf8' })
    expect([name, stdout]).toEqual([name, ''])
  }
})
