/** A library that fails where a test says, compiled from C. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readLibrary } from './soft-token.ts'

const run = promisify(execFile)
const source = fileURLToPath(new URL('./faulty-library.c', import.meta.url))

export interface FaultyLibrary {
  /** DER. */
  readonly certificate: Buffer
  readonly library: Awaited<ReturnType<typeof readLibrary>>
  /** `C_Sign crash`; undefined: it works, but for its signatures, which are none. */
  fail(fault: string | undefined): Promise<void>
  remove(): Promise<void>
}

const compilers = { linux: 'cc', win32: 'x86_64-w64-mingw32-gcc' } as const

/** `platform`: where it is loaded; files of this machine are `Z:` under Wine. */
export async function buildFaultyLibrary(
  platform: keyof typeof compilers = 'linux',
): Promise<FaultyLibrary> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-faulty-'))
  const file = (name: string) => join(folder, name)
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', file('key')]
  const subject = ['-subj', '/CN=Faulty/O=Example', '-addext', 'keyUsage=nonRepudiation']
  const form = ['-outform', 'DER', '-out', file('certificate')]
  await run('openssl', ['req', '-x509', ...key, ...subject, ...form])
  const path = file('library.so')
  const drive = platform === 'win32' ? 'Z:' : ''
  const define = (name: string, value: string) => `-D${name}="${drive}${value}"`
  const files = [
    define('FAULT_FILE', file('fault')),
    define('CERTIFICATE_FILE', file('certificate')),
  ]
  const options = ['-shared', '-fPIC', '-I/usr/include/p11-kit-1', ...files, '-o', path, source]
  await run(compilers[platform], options)
  return {
    certificate: await readFile(file('certificate')),
    library: await readLibrary(path),
    async fail(fault) {
      // At once: a file that is being written is empty for a moment.
      await writeFile(file('next'), fault ?? '')
      await rename(file('next'), file('fault'))
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
