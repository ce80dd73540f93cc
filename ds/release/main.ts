/** Makes the archives of the distribution service: `npm run release -w ds`. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { createDeb, createTarball, writeChecksums } from '../../.ci/packaging/archives.ts'
import { findWrittenAt, ReleaseError } from '../../.ci/packaging/written-at.ts'
import { root } from '../../test/bed/repository.ts'
import { bundle } from './bundle.ts'
import { layOutDeb } from './deb.ts'
import { findArchitecture, findVersion } from './facts.ts'
import { layOutTarball } from './program-files.ts'

const makers = { tar: makeTarball, deb: makeDeb } as const
type Format = keyof typeof makers

const { values } = parseArgs({
  options: {
    formats: { type: 'string', default: Object.keys(makers).join() },
    out: { type: 'string', default: join(root, 'ds/dist/release') },
  },
})

try {
  process.umask(0o022)
  release(readFormats(values.formats), values.out)
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function release(formats: readonly Format[], out: string): void {
  const writtenAt = findWrittenAt()
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-release-'))
  try {
    const bundled = bundle(join(folder, 'bundle'))
    const files = formats.map((format) => makers[format](bundled, folder, out, writtenAt))
    writeChecksums(out, files)
    for (const file of files) process.stdout.write(`${join(out, file)}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function makeTarball(bundled: string, folder: string, out: string, writtenAt: number): string {
  const name = `cardwire-ds-${findVersion()}`
  layOutTarball(bundled, join(folder, name))
  const file = `${name}-linux-${process.arch}.tar.gz`
  createTarball(folder, name, join(out, file), writtenAt)
  return file
}

function makeDeb(bundled: string, folder: string, out: string, writtenAt: number): string {
  const tree = join(folder, 'deb')
  layOutDeb(bundled, tree, writtenAt)
  const file = `cardwire-ds_${findVersion()}_${findArchitecture()}.deb`
  // The first level takes 20 s in place of 90 s, for a package that is a fifth larger.
  createDeb(tree, join(out, file), writtenAt, { method: 'xz', level: 1 })
  return file
}

function readFormats(list: string): readonly Format[] {
  return list.split(',').map((format) => {
    if (format === 'tar' || format === 'deb') return format
    throw new ReleaseError(`Cannot make the format "${format}": expected tar, deb or both`)
  })
}
