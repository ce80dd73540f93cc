/** Packages for tests, made by the command that makes those of a release. */
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import process from 'node:process'
import { isSlot, PackageManifest, writeSlot } from '@cardwire/protocol'
import { root, toolPath } from '../../../../test/bed/repository.ts'
import { openSsl } from '../../keystore/openssl.ts'

/** Makes a package in `folder`; returns its path. */
export function makePackage(
  folder: string,
  options: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  execFileSync(
    toolPath('bun'),
    ['connector/packages/main.ts', '--architectures', 'x64', '--out', folder, ...options],
    { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  return join(folder, readdirSync(folder).find((name) => /\.(deb|rpm|msi)$/.test(name)) ?? '')
}

/** A copy of a Debian package in which a maintainer script fails. */
export function breakPackage(deb: string, name: string, folder: string): string {
  const tree = join(folder, 'tree')
  const broken = join(folder, 'broken.deb')
  mkdirSync(folder, { recursive: true })
  execFileSync('dpkg-deb', ['--raw-extract', deb, tree])
  writeFileSync(join(tree, 'DEBIAN', name), '#!/bin/sh\nexit 1\n')
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z1', '--build', tree, broken], {
    stdio: 'ignore',
  })
  rmSync(tree, { recursive: true, force: true })
  return broken
}

/** A copy of a package in which bytes have changed near its end: some files are unpacked before that is seen. */
export function tearPackage(file: string, torn: string): string {
  const bytes = readFileSync(file)
  bytes.fill(0, bytes.length - 1_000_000, bytes.length - 900_000)
  writeFileSync(torn, bytes)
  return torn
}

/** The values that the service of the tests writes into packages. */
export const stampedValues = {
  url: 'https://ds.example',
  installationKey: '5f0f3a52-8a6e-4f6c-9a52-0b8f3a52e001',
  fingerprints: ['A'.repeat(43)],
} as const

/** A copy of a package with values in its slot, as a service sends it: that the manifest says where it is. */
export function stampPackage(file: string, folder: string): string {
  const manifest = PackageManifest.parse(
    JSON.parse(readFileSync(join(dirname(file), 'manifest.json'), 'utf8')),
  )
  const { slot } = manifest.files.find((one) => one.file === basename(file)) ?? {}
  const values = writeSlot(stampedValues)
  if (!slot || !values) throw new Error(`Cannot stamp "${file}": it has no slot`)
  const bytes = readFileSync(file)
  if (!isSlot(bytes.subarray(slot.offset, slot.offset + slot.length)))
    throw new Error(`Cannot stamp "${file}": its slot is not where the manifest says`)
  bytes.set(values, slot.offset)
  const stamped = join(folder, `stamped${extname(file)}`)
  writeFileSync(stamped, bytes)
  return stamped
}

/** What a service publishes of version 900.0.0, signed, and a keystore for local.example, as files by their names. */
export function makePublished(folder: string): Readonly<Record<string, string>> {
  mkdirSync(folder, { recursive: true })
  const key = join(folder, 'release-key.pem')
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  const out = join(folder, 'packages')
  const deb = makePackage(out, [
    ...['--formats', 'deb', '--fast', '--version', '900.0.0', '--signing-key', key],
  ])
  const ssl = openSsl()
  const pair = ssl.certificate({ names: ['local.example'] })
  writeFileSync(join(out, 'keystore.p12'), ssl.keystore(pair))
  writeFileSync(join(out, 'keystore.pem'), pair.cert)
  ssl.close()
  const names = [
    basename(deb),
    'manifest.json',
    'manifest.json.sig',
    'keystore.p12',
    'keystore.pem',
  ]
  return Object.fromEntries(names.map((name) => [name, join(out, name)]))
}
