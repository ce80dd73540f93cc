/** A package repository for tests: keys of gpg, the command that publishes, and a web server. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join, normalize } from 'node:path'
import process from 'node:process'
import { runProgram } from '../../../test/bed/program.ts'
import { getPublishCommand } from '../../../test/bed/publish-command.ts'
import { root } from '../../../test/bed/repository.ts'

/** Makes a key of gpg in `home`; returns its fingerprint. */
export function makeKey(home: string, userId: string): string {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const env = { ...process.env, GNUPGHOME: home }
  const words = ['--batch', '--quiet', '--passphrase', '', '--quick-generate-key', userId]
  execFileSync('gpg', [...words, 'rsa2048', 'sign', 'never'], { env, stdio: 'ignore' })
  const listed = execFileSync('gpg', ['--quiet', '--with-colons', '--list-secret-keys', userId], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return /^fpr:+([0-9A-F]+):$/m.exec(listed)?.[1] ?? ''
}

/** `npm run publish`, with the keys in `home`. */
export const publish = async (home: string, args: readonly string[]) =>
  runProgram([...(await getPublishCommand()), ...args], {
    env: { ...process.env, GNUPGHOME: home },
    cwd: root,
  })

/** Serves the files of a folder to this machine, as any web server does. */
export async function serve(folder: string) {
  const server = createServer(({ url = '/' }, response) => {
    const path = join(folder, normalize(decodeURIComponent(new URL(url, 'http://here').pathname)))
    if (!statSync(path, { throwIfNoEntry: false })?.isFile())
      return void response.writeHead(404).end()
    response.end(readFileSync(path))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A Debian package with nothing in it; returns its path. `slot`: a member of that name. */
export function makeEmptyDeb(folder: string, version: string, slot?: string): string {
  const tree = join(folder, `deb-${version}`)
  const file = join(folder, `cardwire_${version}_amd64.deb`)
  mkdirSync(join(tree, 'DEBIAN'), { recursive: true })
  const control = `Package: cardwire\nVersion: ${version}\nArchitecture: amd64\nMaintainer: Tests <tests@here>\nDescription: nothing\n`
  writeFileSync(join(tree, 'DEBIAN/control'), control)
  if (slot !== undefined) writeFileSync(join(tree, 'DEBIAN/slot'), slot)
  execFileSync('dpkg-deb', ['--root-owner-group', '--build', tree, file], { stdio: 'ignore' })
  return file
}

/** An RPM package with no file in it; returns its path. */
export function makeEmptyRpm(
  folder: string,
  {
    name,
    version,
    provides = [],
  }: {
    readonly name: string
    readonly version: string
    readonly provides?: readonly string[]
  },
): string {
  const file = `${name}-${version}-1.noarch.rpm`
  const spec = join(folder, `${name}-${version}.spec`)
  const lines = [
    ...[`Name: ${name}`, `Version: ${version}`, 'Release: 1', 'Summary: nothing'],
    ...['License: none', 'BuildArch: noarch', ...provides.map((what) => `Provides: ${what}`)],
    ...['%description', 'Nothing.', '%files', ''],
  ]
  writeFileSync(spec, lines.join('\n'))
  const defines = [`_topdir ${folder}`, `_rpmdir ${folder}`, `_rpmfilename ${basename(file)}`]
  const options = defines.flatMap((define) => ['--define', define])
  execFileSync('rpmbuild', ['-bb', '--quiet', ...options, spec], { stdio: 'ignore' })
  return join(folder, file)
}
