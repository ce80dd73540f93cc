/** The tarball of the release, in an empty folder of a machine that has only Node. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administrator, createAdministrator } from '../../test/bed/administrator.ts'
import {
  createEnvironment,
  type Program,
  runProgram,
  startProgram,
} from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import { root, toolPath } from '../../test/bed/repository.ts'
import { createServiceClient, type RequestService } from '../../test/bed/service-request.ts'
import { documentNames } from '../src/rules/documents.ts'
import { getData } from './harness/arrange.ts'
import { openPageSession } from './harness/page-session.ts'

let folder: string
let home: string
let program: Program
let origin: string
let request: RequestService
let env: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-release-'))
  const file = await release('first')
  execFileSync('tar', ['-xf', file, '-C', folder])
  home = join(folder, (await readdir(folder)).find((name) => name.startsWith('cardwire-ds-')) ?? '')
  await mkdir(join(folder, 'bin'))
  await symlink(process.execPath, join(folder, 'bin/node'))
  env = createEnvironment(folder, {
    PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
    DS_PORT: '0',
    DS_ADMIN_PASSWORD: administrator.password,
  })
  program = startProgram([join(home, 'bin/cardwire-ds')], { env, cwd: folder })
  const [, url = ''] = await program.waitForOutput(/API document +(http:\S+)\/docs/)
  origin = url
  request = createServiceClient(url, 'x-forwarded-for')
})
afterAll(async () => {
  await program?.stopGroup()
  await rm(folder, { recursive: true, force: true })
})

/** Makes the tarball as an administrator does; resolves with its path. */
async function release(name: string): Promise<string> {
  const out = join(folder, name)
  const command = [toolPath('node'), 'ds/release/main.ts', '--formats', 'tar', '--out', out]
  const { status, err } = await runProgram(command, { cwd: root, env: process.env })
  expect([status, err]).toEqual([0, ''])
  const tarball = (await readdir(out)).find((file) => file.endsWith('.tar.gz')) ?? ''
  return join(out, tarball)
}

test('the tarball runs with nothing but Node: it is healthy, and an administrator logs in', async () => {
  expect((await request('GET', '/health')).json).toMatchObject({ status: 'ok' })
  const admin = createAdministrator(request)
  const token = await admin.login()
  expect(getData(await request('GET', '/v3/organizations', { token }))).toMatchObject({ items: [] })
})

test('the page at /docs of the tarball has all its files', async () => {
  const page = await request('GET', '/docs')
  const files = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, path = '']) => path)
  expect(files.length).toBeGreaterThan(1)
  for (const path of files) {
    const { pathname } = new URL(path, 'http://ds.example/docs')
    expect([pathname, (await request('GET', pathname)).status]).toEqual([pathname, 200])
  }
})

test('the tarball has the documents that the admin console shows', async () => {
  proves('documents-in-administration')
  const { get } = await openPageSession({ url: origin, request })
  expect((await get('documents')).status).toBe(200)
  for (const name of documentNames) {
    const { status, text } = await get(`documents/${name}`)
    expect([name, status]).toEqual([name, 200])
    expect(text).toContain('<div class="document" lang="en">')
  }
})

test('the administrators’ command of the tarball adds one, and makes a backup', async () => {
  const admin = (args: readonly string[], input = '') =>
    runProgram([join(home, 'bin/cardwire-ds'), 'admin', ...args], { env, cwd: folder, input })
  expect(await admin(['add', 'alice'], 'a-password-for-alice')).toMatchObject({
    status: 0,
    err: '',
  })
  const form = { client_id: 'cardwire', grant_type: 'password' }
  const { status } = await request('POST', '/auth/realms/cardwire/protocol/openid-connect/token', {
    form: { ...form, username: 'alice', password: 'a-password-for-alice' },
  })
  expect(status).toBe(200)
  expect(await admin(['backup', 'backups'])).toMatchObject({ status: 0, err: '' })
  expect(await readdir(join(folder, 'backups'))).toHaveLength(1)
})

test('a Node that is too old is named, with the version that is needed', async () => {
  const old = join(folder, 'old')
  await mkdir(old)
  execFileSync('sh', [
    '-c',
    `printf '#!/bin/sh\\necho 20\\n' > ${old}/node && chmod +x ${old}/node`,
  ])
  const { status, err } = await runProgram([join(home, 'bin/cardwire-ds')], {
    env: { ...env, PATH: `${old}:/usr/bin:/bin` },
    cwd: folder,
  })
  const { engines } = JSON.parse(await readFile(join(root, 'ds/package.json'), 'utf8'))
  expect(status).toBe(1)
  expect(err).toBe(
    `Cannot run on Node 20 (${old}/node): install version ${engines.node.slice(2)} or newer\n`,
  )
})

test('the same sources make the same bytes, and SHA256SUMS names them', async () => {
  const now = new Date()
  await utimes(join(root, 'ds/package.json'), now, now)
  const [first, second] = [join(folder, 'first'), await release('second')]
  const name = second.slice(second.lastIndexOf('/') + 1)
  expect((await readFile(second)).equals(await readFile(join(first, name)))).toBe(true)
  expect(
    execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: first, encoding: 'utf8' }),
  ).toBe(`${name}: OK\n`)
  // 2.8 MB when it was written: nothing that only a build needs comes in by accident.
  expect((await stat(second)).size).toBeLessThan(6e6)
})

test('the licence of every package in the bundle is in the tarball', async () => {
  const text = await readFile(join(home, 'doc/third-party-licences'), 'utf8')
  for (const name of ['better-sqlite3', 'hono', 'zod', 'drizzle-orm', 'jose']) {
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, licence (MIT|Apache-2.0)$`, 'm'))
  }
  // The tools of this repository have another version.
  const { dependencies } = JSON.parse(await readFile(join(root, 'ds/package.json'), 'utf8'))
  expect(text.match(/^marked \S+, licence \S+$/gm)).toEqual([
    `marked ${dependencies.marked}, licence MIT`,
  ])
})
