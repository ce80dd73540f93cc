/** Who signs a repository: the key of an administrator, which gpg has. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PublishError } from '../options.ts'
import { readStoredFile } from './stored-files.ts'

export interface Signer {
  /** Of the primary key, hex. */
  readonly fingerprint: string
  /** ASCII-armored (RFC 4880 §6.2). */
  readonly publicKey: string
  /** The text, in the clear, with its signature (RFC 4880 §7). */
  sign(text: string): string
  /** The signature of a text, without the text, ASCII-armored. */
  signDetached(text: string): string
  /** The text of a file that this key has signed in the clear. Throws a PublishError with the path. */
  readSigned(path: string): string
  /** Throws a PublishError with the path unless `path`.asc is the signature of this key for `content`. */
  checkDetached(content: Uint8Array, path: string): void
}

/** `key`: as gpg(1) names users. Throws a PublishError unless gpg has the secret half of exactly one such key. */
export function findSigner(key: string): Signer {
  const listed = listSecretKeys(key)
  const fingerprints = readFingerprints(listed, 'sec')
  const [fingerprint] = fingerprints
  if (fingerprint === undefined || fingerprints.length > 1)
    throw new PublishError(
      `Cannot sign with "${key}": gpg has ${fingerprints.length} keys of that name; give a fingerprint`,
    )
  const options = ['--local-user', fingerprint, '--digest-algo', 'SHA512', '--armor']
  return {
    fingerprint,
    publicKey: runGpg(['--armor', '--export', fingerprint]),
    sign: (text) => runGpg([...options, '--clear-sign'], text),
    signDetached: (text) => runGpg([...options, '--detach-sign'], text),
    readSigned: (path) => verify(['--decrypt'], readStoredFile(path), path, fingerprint),
    checkDetached(content, path) {
      // A copy: gpg would wait for a pipe.
      const folder = mkdtempSync(join(tmpdir(), 'cardwire-signature-'))
      try {
        const copy = join(folder, 'signature.asc')
        writeFileSync(copy, readStoredFile(`${path}.asc`))
        verify(['--verify', copy, '-'], content, path, fingerprint)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  }
}

function listSecretKeys(key: string): string {
  try {
    return runGpg(['--with-colons', '--list-secret-keys', key])
  } catch (error) {
    if (!(error instanceof ToolFailed)) throw error
    throw new PublishError(
      `Cannot sign with "${key}": ${error.reason}; gpg --list-secret-keys shows the keys of this account`,
    )
  }
}

/** What gpg writes. Throws unless it is signed once, and by the primary key `fingerprint` (doc/DETAILS of GnuPG, VALIDSIG). */
function verify(
  args: readonly string[],
  input: Uint8Array,
  path: string,
  fingerprint: string,
): string {
  const options = ['--batch', '--no-tty', '--status-fd', '3', ...args]
  const stdio = ['pipe', 'pipe', 'pipe', 'pipe'] as const
  const { status, stdout, output } = spawnSync('gpg', options, { input, stdio: [...stdio] })
  const signers = [...String(output?.[3]).matchAll(/^\[GNUPG:\] VALIDSIG .*?(\w+)$/gm)]
  if (status === 0 && signers.length === 1 && signers[0]?.[1] === fingerprint)
    return stdout.toString()
  throw new PublishError(
    `Cannot use "${path}": it has no valid signature of ${fingerprint}; restore it from a backup`,
  )
}

/** The fingerprints of the public keys in a text. */
export const findFingerprints = (publicKeys: string): readonly string[] =>
  readFingerprints(runGpg(['--with-colons', '--show-keys'], publicKeys), 'pub')

/** What a program of the system says. Throws a PublishError with its last line. */
export function runTool(
  [program, ...args]: readonly [string, ...string[]],
  input?: string,
): string {
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      ...(input !== undefined && { input }),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('code' in error && error.code === 'ENOENT')
      throw new PublishError(`Cannot find ${program}: install ${debianPackages[program]}`)
    const reason = 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : ''
    throw new ToolFailed(program, reason || error.message)
  }
}

/** A tool ended with an error; `reason` is the last line that it wrote about it. */
class ToolFailed extends PublishError {
  readonly reason: string
  constructor(program: string, reason: string) {
    super(`Cannot continue: ${program}: ${reason}`)
    this.reason = reason
  }
}

const debianPackages: Readonly<Record<string, string>> = {
  gpg: 'gnupg',
  'dpkg-deb': 'dpkg',
  rpm: 'rpm',
  rpmsign: 'rpm',
  createrepo_c: 'createrepo-c',
}

const runGpg = (args: readonly string[], input?: string) =>
  runTool(['gpg', '--batch', '--no-tty', ...args], input)

/** doc/DETAILS of GnuPG: a record `fpr` after the one of the key, the fingerprint in its tenth field. */
function readFingerprints(listed: string, kind: 'sec' | 'pub'): readonly string[] {
  const records = listed.split('\n').map((line) => line.split(':'))
  return records.flatMap(([type], at) => {
    const fingerprint = records.slice(at).find(([next]) => next === 'fpr')?.[9]
    return type === kind && fingerprint ? [fingerprint] : []
  })
}
