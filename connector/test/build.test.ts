/** What `npm run build -w connector -- --all` makes: a program for each system, and what a version says of it. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { putVersion } from '@cardwire/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { isWholeRun } from '../../test/bed/amounts.ts'
import { proves } from '../../test/bed/proves.ts'
import { findBaseProgram } from '../build/base-program.ts'
import { runCompiler } from '../build/compile.ts'
import { createEntitlementParts } from '../build/mach-o-entitlements.ts'
import { findWrongPages } from '../build/mach-o-signature.ts'
import { targets } from '../build/targets.ts'
import { findIcon, iconSizes } from '../packages/icon/icon.ts'
import { version } from '../src/version.ts'

const program = fileURLToPath(new URL('../build/main.ts', import.meta.url))

const Line = z.strictObject({ os: z.string(), file: z.string(), sha256: z.string(), size: z.int() })

let folder: string
let lines: readonly z.output<typeof Line>[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-build-'))
  const child = Bun.spawn([process.execPath, program, '--all', `--out=${folder}`], {
    stderr: 'inherit',
  })
  const text = await new Response(child.stdout).text()
  expect(await child.exited).toBe(0)
  lines = text
    .trim()
    .split('\n')
    .map((line) => Line.parse(JSON.parse(line)))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('there is a program for each system, beside the list of cards and its licence', async () => {
  const files = lines.map(({ file }) => file)
  expect(files).toEqual([
    'cardwire-linux-x64',
    'cardwire-linux-arm64',
    'cardwire-windows-x64.exe',
    'cardwire-darwin-x64',
    'cardwire-darwin-arm64',
  ])
  expect((await readdir(folder)).toSorted()).toEqual(
    [...files, 'smartcard_list.LICENSE.txt', 'smartcard_list.txt'].toSorted(),
  )
})

/** What a program begins with: its format, and the machine it is for (elf.h, Microsoft's PE format, mach/machine.h). */
async function kindOf(file: string): Promise<string> {
  const handle = await open(join(folder, file))
  const head = (await handle.read(Buffer.alloc(4096))).buffer
  await handle.close()
  if (head.toString('latin1', 0, 4) === '\x7fELF') return `ELF ${head.readUInt16LE(18)}`
  if (head.toString('latin1', 0, 2) === 'MZ')
    return `PE ${head.readUInt16LE(head.readUInt32LE(60) + 4)}`
  if (head.readUInt32LE(0) === 0xfeedfacf) return `Mach-O ${head.readUInt32LE(4)}`
  return 'unknown'
}

test.each([
  ['linux-x64', 'ELF 62'],
  ['linux-arm64', 'ELF 183'],
  ['windows-x64.exe', `PE ${0x8664}`],
  ['darwin-x64', `Mach-O ${0x01000007}`],
  ['darwin-arm64', `Mach-O ${0x0100000c}`],
])('cardwire-%s is a program of that system', async (name, kind) => {
  const file = `cardwire-${name}`
  expect(await kindOf(file)).toBe(kind)
  // Whoever may read it may start it.
  if (!file.endsWith('.exe')) expect((await stat(join(folder, file))).mode & 0o111).toBe(0o111)
})

const readWindowsProgram = (...args: readonly string[]) =>
  execFileSync('wrestool', [...args, join(folder, 'cardwire-windows-x64.exe')])

test('the program for Windows has our icon in each size, and tells Windows its name, company, description and version', () => {
  // The last one is the manifest, which is Bun's.
  const listed = readWindowsProgram('--list').toString()
  const kinds = [...listed.matchAll(/--type=(\d+)/g)].map(([, type]) => Number(type))
  expect(kinds).toEqual([...iconSizes.map(() => 3), 14, 16, 24])
  for (const [index, size] of iconSizes.entries()) {
    const icon = readWindowsProgram('--extract', '--raw', '--type=3', `--name=${index + 1}`)
    expect(icon.equals(readFileSync(findIcon(size)))).toBe(true)
  }
  const about = readWindowsProgram('--extract', '--raw', '--type=16')
  const texts = about.toString('utf16le').split('\0').filter(Boolean)
  // Before a name stands its type, 1; behind it its value.
  const findText = (name: string) =>
    texts[texts.findIndex((text) => text.endsWith(`\x01${name}`)) + 1]
  const names = ['ProductName', 'CompanyName', 'FileDescription', 'FileVersion', 'ProductVersion']
  const description = 'Cardwire: smart-card readers for web pages'
  expect(names.map(findText)).toEqual(['Cardwire', 'Cardwire', description, version, version])
  // In VS_FIXEDFILEINFO, which is at 40: the numbers by which an installer tells the newer one.
  const [major, minor, patch] = version.split('.').map(Number)
  expect([50, 48, 54].map((at) => about.readUInt16LE(at))).toEqual([major, minor, patch])
})

test.each(['darwin-x64', 'darwin-arm64'])(
  'each page of cardwire-%s has the hash that its signature says, and another byte is found',
  async (name) => {
    const program = await readFile(join(folder, `cardwire-${name}`))
    expect(findWrongPages(program)).toEqual([])
    const changed = Buffer.from(program)
    changed.writeUInt8(changed.readUInt8(5_000_000) ^ 1, 5_000_000)
    expect(findWrongPages(changed)).toEqual([Math.floor(5_000_000 / 4096)])
  },
)

test.each(['linux-x64', 'linux-arm64', 'windows-x64.exe', 'darwin-x64', 'darwin-arm64'])(
  'cardwire-%s has no name of a variable by which Bun runs other code',
  async (name) => {
    proves('runtime-variables')
    const program = await readFile(join(folder, `cardwire-${name}`))
    const names = ['BE_BUN', 'OPTIONS', 'INSPECT', 'INSPECT_PRELOAD', 'INSPECT_CONNECT_TO']
    expect(names.filter((variable) => program.includes(`\0BUN_${variable}\0`))).toEqual([])
    // In the place of the first character of each.
    expect(names.filter((variable) => !program.includes(`\0UN_${variable}\0`))).toEqual([])
    // bun:ffi compiles a header with these.
    expect(program.includes('BUN_FFI_IMPORT')).toBe(true)
  },
)

/** The parts of the signature of a macOS program by their slots (`kern/cs_blobs.h` of xnu); the file ends with it. */
function readSignature(program: Buffer): ReadonlyMap<number, Buffer> {
  const at = program.lastIndexOf(Buffer.from('fade0cc0', 'hex'))
  const parts = Array.from({ length: program.readUInt32BE(at + 8) }, (_, index) => {
    const place = at + program.readUInt32BE(at + 16 + 8 * index)
    const blob = program.subarray(place, place + program.readUInt32BE(place + 4))
    return [program.readUInt32BE(at + 12 + 8 * index), blob] as const
  })
  return new Map(parts)
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test.each(['darwin-x64', 'darwin-arm64'])(
  'cardwire-%s has the hardened runtime, and takes no library from the environment',
  async (name) => {
    proves('library-injected')
    const parts = readSignature(await readFile(join(folder, `cardwire-${name}`)))
    const directory = parts.get(0) ?? Buffer.alloc(0)
    // CS_ADHOC and CS_RUNTIME.
    expect(directory.readUInt32BE(12)).toBe(0x10002)
    expect(
      [
        ...(parts
          .get(5)
          ?.toString()
          .matchAll(/<key>(.*)<\/key>/g) ?? []),
      ].map(([, key]) => key),
    ).toEqual([
      'com.apple.security.cs.allow-jit',
      'com.apple.security.cs.allow-unsigned-executable-memory',
      'com.apple.security.cs.disable-executable-page-protection',
      'com.apple.security.cs.disable-library-validation',
    ])
    const hashesAt = directory.readUInt32BE(16)
    for (const slot of [2, 5, 7]) {
      const from = hashesAt - 32 * slot
      const hash = directory.subarray(from, from + 32).toString('hex')
      expect(hash).toBe(sha256(parts.get(slot) ?? Buffer.alloc(0)))
    }
  },
)

test('entitlements are written as Apple’s codesign wrote those of Bun’s own program', async () => {
  const theirs = readSignature(await readFile(await findBaseProgram('bun-darwin-arm64')))
  const ours = createEntitlementParts([
    'com.apple.security.cs.allow-jit',
    'com.apple.security.cs.allow-unsigned-executable-memory',
    'com.apple.security.cs.disable-executable-page-protection',
    'com.apple.security.cs.allow-dyld-environment-variables',
    'com.apple.security.cs.disable-library-validation',
  ])
  for (const { slot, blob } of ours)
    expect(blob.toString('latin1')).toBe(theirs.get(slot)?.toString('latin1'))
})

// It changes with Bun only.
if (isWholeRun())
  test('a program as the compiler leaves it has the stale signature of Bun for Intel, and none with the hardened runtime for Apple silicon', async () => {
    const compiled = async (name: string) => {
      const target = targets.find((one) => one.name === name)
      const output = join(folder, `compiled-${name}`)
      await runCompiler(target, output)
      return readFile(output)
    }
    expect(findWrongPages(await compiled('darwin-x64'))).not.toEqual([])
    const arm = await compiled('darwin-arm64')
    expect(findWrongPages(arm)).toEqual([])
    // CS_ADHOC and CS_LINKER_SIGNED.
    expect(readSignature(arm).get(0)?.readUInt32BE(12)).toBe(0x20002)
  })

test('what is printed is the SHA-256 and the size of each, as PUT /v3/versions takes them', async () => {
  proves('build-outputs')
  for (const { file, sha256, size } of lines) {
    const bytes = await readFile(join(folder, file))
    expect([file, sha256, size]).toEqual([
      file,
      createHash('sha256').update(bytes).digest('hex'),
      bytes.length,
    ])
  }
  // A version has one program for UNIX.
  const installers = lines.filter(({ file }) => file !== 'cardwire-linux-arm64')
  const body = {
    id: version,
    recommended: false,
    mandatory: false,
    allowed: true,
    uris: installers.map(({ file, ...installer }) => ({ ...installer, uri: `file:///${file}` })),
  }
  expect(z.safeParse(putVersion.body.schema, body)).toMatchObject({ success: true })
})
