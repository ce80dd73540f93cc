/** Installers that are not there: what a user sees, what a program gets, and what an administrator may still do. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../test/bed/log.ts'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createFilePackages } from '../src/self-hosted/file-packages.ts'
import { createVersion, createVersionBody } from './harness/arrange.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

const windows = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0' }
const linux = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }
const uris = [{ os: 'UNIX', uri: 'file:///connector.deb' }]

let folder: string
let lines: string[]
let isUnreachable: boolean
let service: InProcess
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-packages-'))
  await writeFile(join(folder, 'connector.deb'), 'bytes')
  lines = []
  isUnreachable = false
  const packages = createFilePackages(folder, 64)
  service = await startInProcess({}, undefined, {
    log: createLog(lines),
    packages: {
      ...packages,
      find: async (key) => {
        if (isUnreachable) throw new Error('the bucket does not answer')
        return packages.find(key)
      },
    },
  })
})
afterEach(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

const get = (path: string, headers: Record<string, string>) =>
  service.request('GET', `/v3/downloads/${path}`, { headers })
const put = async (body: Json) =>
  service.request('PUT', '/v3/versions', { token: await service.login(), body })

test('a user whose system has no installer reads that, and finds the others under their own heading', async () => {
  proves('missing-installer-explained')
  await createVersion(service, await service.login(), { id: '4.0.0', uris })
  const { status, text } = await get('installer', windows)
  expect(status).toBe(404)
  expect(text).toContain('There is no installer for Windows yet.')
  expect(text).not.toContain('could not tell')
  expect(text).toMatch(/<h2>For another computer<\/h2>[\s\S]*Linux/)
})

test('a user whose installer is gone reads that, a program gets a problem, and the log names the file', async () => {
  proves('missing-installer-explained')
  await createVersion(service, await service.login(), { id: '4.0.0', uris })
  await rm(join(folder, 'connector.deb'))
  for (const path of ['installer', 'installers/unix', 'installers/unix/versions/4.0.0']) {
    const page = await get(path, linux)
    expect([page.status, page.headers.get('content-type')]).toEqual([
      404,
      expect.stringMatching(/^text\/html/),
    ])
    expect(page.text).toContain('The installer for Linux can’t be downloaded right now.')
    expect(page.text).not.toContain('<a ')
  }
  const program = await get('installers/unix', { 'user-agent': 'curl/8.5.0' })
  expect([program.status, program.json.code]).toEqual([404, 'installer-unknown'])
  expect(lines.join('\n')).toContain(
    'error installer missing {"version":"4.0.0","os":"UNIX","uri":"file:///connector.deb"}',
  )
})

test('a version whose file is gone can be changed as long as its address stays', async () => {
  const { id } = await createVersion(service, await service.login(), { uris })
  await rm(join(folder, 'connector.deb'))
  expect((await put(createVersionBody({ id, uris, allowed: false }))).status).toBe(200)
  const other = [{ os: 'UNIX', uri: 'file:///other.deb' }]
  expect((await put(createVersionBody({ id, uris: other }))).status).toBe(422)
})

test('GET /health says whether registered files can be read, and a proxy keeps using the node', async () => {
  proves('missing-installer-explained')
  const readHealth = async () => {
    service.now += 60_000
    const { status, json } = await service.request('GET', '/health')
    return [status, json.files]
  }
  await createVersion(service, await service.login(), { id: '4.0.0', uris })
  expect(await readHealth()).toEqual([200, 'readable'])
  isUnreachable = true
  expect(await readHealth()).toEqual([200, 'unreachable'])
  expect(lines.join('\n')).toContain('error registered files unreachable')
  isUnreachable = false
  await rm(join(folder, 'connector.deb'))
  expect(await readHealth()).toEqual([200, 'missing'])
  expect(lines.join('\n')).toContain(
    'error registered files missing {"files":["file:///connector.deb"]}',
  )
})

test('an address that cannot be looked up is accepted, and the log says so', async () => {
  isUnreachable = true
  expect((await put(createVersionBody({ uris }))).status).toBe(201)
  expect(lines).toContainEqual(expect.stringMatching(/^warn installer not looked up .*bucket/))
})
