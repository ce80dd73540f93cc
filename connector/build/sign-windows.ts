/** Signs programs and packages for Windows (Authenticode) with the command that whoever releases names. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync } from 'node:fs'

/** Signs a file in its place. Throws with what the command said. */
export type SignWindows = (file: string) => void

/**
 * undefined: no command is named, and nothing is signed. `command` is a line of sh, which gets two more arguments: the file to
 * sign, and the file to write.
 */
export function createWindowsSigner(
  command = process.env['CARDWIRE_SIGN_WINDOWS'],
): SignWindows | undefined {
  if (!command) return undefined
  return (file) => {
    const signed = `${file}.signed`
    try {
      execFileSync('sh', ['-c', `${command} "$@"`, 'sh', file, signed], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      if (!isSigned(readFileSync(signed))) throw new Error('the file has no signature after it')
      // Not a new file: it keeps that it may be started.
      copyFileSync(signed, file)
    } catch (error) {
      throw new Error(`Cannot sign "${file}" with CARDWIRE_SIGN_WINDOWS: ${explain(error)}`)
    } finally {
      rmSync(signed, { force: true })
    }
  }
}

/** Whether a program or a package has a signature; who made it is not asked. */
export const isSigned = (file: Buffer): boolean =>
  file.toString('latin1', 0, 2) === 'MZ'
    ? hasCertificateTable(file)
    : file.includes(toStreamName('DigitalSignature'))

/** The name of a stream of signatures, as the directory of a package has it (MS-CFB §2.6.1). */
export const toStreamName = (name: string): Buffer => Buffer.from(`\x05${name}`, 'utf16le')

/** The fifth data directory of a program of 64 bits (Microsoft's PE format, "Optional Header Data Directories"). */
function hasCertificateTable(program: Buffer): boolean {
  const optionalHeader = program.readUInt32LE(0x3c) + 24
  return program.readUInt32LE(optionalHeader + 112 + 4 * 8 + 4) > 0
}

const explain = (error: unknown): string =>
  error instanceof Error && 'stderr' in error && String(error.stderr) !== ''
    ? String(error.stderr).trim()
    : String(error)
