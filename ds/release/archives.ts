/** Archives that have the same bytes whenever and wherever they are made of the same files. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** Packs the folder `name` of `parent`. */
export function createTarball(parent: string, name: string, file: string, writtenAt: number): void {
  normalize(join(parent, name), writtenAt)
  execFileSync('tar', [
    ...['--create', `--file=${file}`, '--use-compress-program=gzip -9n', '--format=gnu'],
    ...['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${writtenAt}`],
    ...[`--directory=${parent}`, name],
  ])
}

export function createDeb(tree: string, file: string, writtenAt: number): void {
  normalize(tree, writtenAt)
  // One thread: with several, the bytes would follow from their number. The first level takes 20 s in place of 90 s, for
  // a package that is a fifth larger.
  const compression = ['-Zxz', '-z1', '--threads-max=1']
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

/** The same modes and times whoever made the files: nobody else may write, and what somebody may run everybody may. */
function normalize(folder: string, writtenAt: number): void {
  for (const path of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const stats = lstatSync(join(folder, path))
    if (stats.isSymbolicLink()) continue
    chmodSync(join(folder, path), stats.isDirectory() || (stats.mode & 0o100) !== 0 ? 0o755 : 0o644)
    utimesSync(join(folder, path), writtenAt, writtenAt)
  }
}
