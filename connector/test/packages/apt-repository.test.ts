/** A package repository, read by an apt with folders of its own: it takes what the key of the administrator signed, and nothing else. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSlot } from '@cardwire/protocol'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { makeEmptyDeb, makeKey, publish, serve } from '../../packages/test/test-repository.ts'

const userId = 'Packages <packages@shop.example>'
let top: string
let deb: string
let repository: string
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  top = mkdtempSync(join(tmpdir(), 'cardwire-apt-'))
  deb = makeEmptyDeb(top, '1.0.0')
  repository = join(top, 'repository')
  const key = makeKey(join(top, 'keys'), userId)
  const options = ['--repository', repository, '--repository-key', key, '--version', '1.0.0']
  const { status, err } = await publish(join(top, 'keys'), [...options, deb])
  expect([status, err]).toEqual([0, ''])
  server = await serve(repository)
})
afterAll(() => {
  server?.close()
  rmSync(top, { recursive: true, force: true })
})

let machine: string
beforeEach(() => {
  machine = mkdtempSync(join(top, 'machine-'))
  for (const path of ['state/lists/partial', 'cache/archives/partial', 'etc/sources.list.d'])
    mkdirSync(join(machine, path), { recursive: true })
  writeFileSync(join(machine, 'status'), '')
  trust(readFileSync(join(repository, 'cardwire.asc'), 'utf8'))
})

/** The machine knows this key alone. */
function trust(publicKey: string): void {
  writeFileSync(join(machine, 'key.asc'), publicKey)
  const lines = ['Types: deb', `URIs: ${server.url}`, 'Suites: stable', 'Components: main']
  const text = [...lines, `Signed-By: ${join(machine, 'key.asc')}`, ''].join('\n')
  writeFileSync(join(machine, 'etc/sources.list.d/cardwire.sources'), text)
}

function apt(...args: readonly string[]) {
  const options = {
    'Dir::State': join(machine, 'state'),
    'Dir::State::status': join(machine, 'status'),
    'Dir::Cache': join(machine, 'cache'),
    'Dir::Etc': join(machine, 'etc'),
    'APT::Architecture': 'amd64',
    'APT::Sandbox::User': '',
    'Acquire::http::Proxy': 'false',
  }
  const flags = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  return runProgram(['apt-get', ...flags, ...args], { cwd: machine })
}

/** Replaces a part of a file of the repository while `act` runs. */
async function withChange(path: string, from: string, to: string, act: () => Promise<void>) {
  const file = join(repository, path)
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.toString('latin1').replace(from, to), 'latin1')
  await act().finally(() => writeFileSync(file, bytes))
}

test('what the key of the repository signed is downloaded as it was published', async () => {
  expect(await apt('update')).toMatchObject({ status: 0 })
  expect(await apt('download', 'cardwire')).toMatchObject({ status: 0 })
  const downloaded = readFileSync(join(machine, 'cardwire_1.0.0_amd64.deb'))
  expect(Buffer.compare(downloaded, readFileSync(deb))).toBe(0)
})

test('a list that was changed is refused', async () => {
  proves('repository-posed')
  await withChange('dists/stable/InRelease', 'Suite: stable', 'Suite: Stable', async () => {
    const { status, err } = await apt('update')
    expect([status, err]).toEqual([100, expect.stringContaining('BADSIG')])
  })
})

test('a list that another key signed is refused', async () => {
  proves('repository-posed')
  const foreign = join(top, 'foreign')
  const key = makeKey(foreign, userId)
  const options = ['--repository', join(top, 'other'), '--repository-key', key]
  await publish(foreign, [...options, '--version', '1.0.0', deb])
  trust(readFileSync(join(top, 'other/cardwire.asc'), 'utf8'))
  const { status, err } = await apt('update')
  expect([status, err]).toEqual([100, expect.stringContaining('NO_PUBKEY')])
})

test('a package into which a service has written its values gets into no repository', async () => {
  proves('stamped-package-published')
  const values = { url: 'https://ds.example', installationKey: 'key', fingerprints: [] }
  const stamped = makeEmptyDeb(top, '1.0.1', new TextDecoder().decode(writeSlot(values)))
  const options = ['--repository', repository, '--repository-key', userId, '--version', '1.0.1']
  const { status, err } = await publish(join(top, 'keys'), [...options, stamped])
  expect([status, err]).toEqual([1, expect.stringContaining('has written its values into it')])
  expect(readdirSync(join(repository, 'pool'))).toEqual(['cardwire_1.0.0_amd64.deb'])
})

test('a package that was changed is refused', async () => {
  proves('repository-posed')
  await apt('update')
  await withChange('pool/cardwire_1.0.0_amd64.deb', 'debian-binary', 'Debian-binary', async () => {
    const { status, err } = await apt('download', 'cardwire')
    expect([status, err]).toEqual([100, expect.stringContaining('Hash Sum mismatch')])
  })
})
