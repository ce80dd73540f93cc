/** What lies in a repository that is no file: publishing ends with its name, and waits for nothing. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { apt } from '../publish/repository/apt.ts'
import { readMetadata } from '../publish/repository/dnf-metadata.ts'
import type { Signer } from '../publish/repository/signer.ts'
import { readStoredFile, readWithDigest } from '../publish/repository/stored-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-stored-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Signs nothing: what is read first decides here. */
const signer: Signer = {
  fingerprint: '0'.repeat(40),
  publicKey: '',
  sign: (text) => text,
  signDetached: (text) => text,
  readSigned: (path) => readStoredFile(path).toString(),
  checkDetached: (_, path) => void readStoredFile(`${path}.asc`),
}
const digest = 'a'.repeat(64)

/** What puts something in the place of a file. */
const makers: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a link': (path) => symlinkSync('/etc/hostname', path),
  'a device': (path) => symlinkSync('/dev/zero', path),
  'a folder': (path) => mkdirSync(path),
  'a file of 65 MiB': (path) => {
    writeFileSync(path, '')
    truncateSync(path, 65 * 2 ** 20)
  },
}

/** The files of a repository that are read, and what reads them. */
const readers: Readonly<Record<string, () => unknown>> = {
  'a file': () => readStoredFile(join(folder, 'a file')),
  'by-hash': () => readWithDigest(join(folder, 'by-hash'), digest),
  'repomd.xml': () => readMetadata(folder, signer),
  'repomd.xml.asc': () => readMetadata(folder, signer),
  'dists/stable/InRelease': () => apt.readList(folder, signer),
}

const cases = Object.keys(makers).flatMap((what) =>
  Object.keys(readers).map((name) => [what, name] as const),
)

test.each(cases)('%s in the place of %s is refused with its name', (what, name) => {
  proves('repository-file-posed')
  for (const other of ['repomd.xml', 'repomd.xml.asc']) {
    if (other !== name) writeFileSync(join(folder, other), '')
  }
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  makers[what]?.(path)
  expect(readers[name]).toThrow(`Cannot use "${path}`)
})

test('a regular file is read', () => {
  writeFileSync(join(folder, 'a file'), 'text')
  expect(readStoredFile(join(folder, 'a file')).toString()).toBe('text')
})
