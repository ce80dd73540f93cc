/** Packages for tests, made by the command that makes those of a release. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root, toolPath } from '../../../../.ci/test-bed/repository.ts'

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
  return join(folder, readdirSync(folder).find((name) => /\.(deb|rpm)$/.test(name)) ?? '')
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
