/** Archives that have the same bytes whenever and wherever they are made of the same files. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** Times of files, by their paths in a tree, in seconds since 1970. */
export type FileTimes = Readonly<Record<string, number>>

/** Packs the folder `name` of `parent`. */
export function createTarball(parent: string, name: string, file: string, writtenAt: number): void {
  normalize(join(parent, name), writtenAt)
  execFileSync('tar', [
    ...['--create', `--file=${file}`, '--use-compress-program=gzip -9n', '--format=gnu'],
    ...['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${writtenAt}`],
    ...[`--directory=${parent}`, name],
  ])
}

/** How a Debian package is compressed: `level` as its program takes it. */
export interface Compression {
  readonly method: 'xz' | 'zstd'
  readonly level: number
}

export function createDeb(
  tree: string,
  file: string,
  writtenAt: number,
  { method, level, times }: Compression & { readonly times?: FileTimes },
): void {
  normalize(tree, writtenAt, times)
  // One thread: with several, the bytes would follow from their number.
  const compression = [`-Z${method}`, `-z${level}`, '--threads-max=1']
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(writtenAt) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** SHA256SUMS, as `sha256sum --check` reads it. */
export function writeChecksums(folder: string, files: readonly string[]): void {
  const lines = [...files].sort().map((file) => `${hash('sha256', join(folder, file))}  ${file}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

export const hash = (algorithm: string, file: string): string =>
  createHash(algorithm).update(readFileSync(file)).digest('hex')

/** The files below a folder, by their paths in it. */
export const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => lstatSync(join(folder, path)).isFile())
    .sort()

/**
 * The same modes and times whoever made the files: nobody else may write, and what somebody may run everybody may. What is
 * older than `writtenAt` by its own account (`times`, by path, in seconds) keeps its time.
 */
export function normalize(folder: string, writtenAt: number, times: FileTimes = {}): void {
  for (const path of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const stats = lstatSync(join(folder, path))
    if (stats.isSymbolicLink()) continue
    chmodSync(join(folder, path), stats.isDirectory() || (stats.mode & 0o100) !== 0 ? 0o755 : 0o644)
    const time = times[path] ?? writtenAt
    utimesSync(join(folder, path), time, time)
  }
}
