/** The service on a disk that is full, and over a database that is damaged. */
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { createEnvironment, runProgram } from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import { root, toolPath } from '../../test/bed/repository.ts'
import { runtimes } from '../../test/bed/service-runtimes.ts'
import { createVersion } from './harness/arrange.ts'

/** Runs the program to its end. */
async function run(settings: Record<string, string>) {
  const { status, err } = await runProgram([toolPath('node'), 'ds/dist/node.js'], {
    cwd: root,
    env: createEnvironment('/nonexistent', { DS_PORT: '0', ...settings }),
  })
  return { status, err }
}

let disk: string
/** Mounts a disk of its own. */
const mountDisk = (size: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk])
const fillDisk = () => {
  const file = openSync(join(disk, 'filler'), 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(4096))
  } catch {
    closeSync(file)
  }
}

beforeEach(async () => {
  disk = await mkdtemp(join(tmpdir(), 'cardwire-disk-'))
})
afterEach(async () => {
  spawnSync('umount', ['--lazy', disk])
  await rm(disk, { recursive: true, force: true })
})

describe('full disk', () => {
  test.each(['16k', '64k', '200k', '288k'])(
    'of %s is named by the first start, with exit status 1',
    async (size) => {
      proves('disk-full')
      mountDisk(size)
      const database = join(disk, 'ds.sqlite')
      const { status, err } = await run({
        DS_DATABASE: database,
        DS_PACKAGES_DIR: join(disk, 'packages'),
      })
      expect([status, err]).toEqual([
        1,
        expect.stringMatching(/^Cannot .*: the disk (is full|reports an error, or is full)\n$/),
      ])
    },
  )

  test('fails no download, and GET /health says so until it is free again', async () => {
    proves('disk-full')
    mountDisk('8m')
    const service: DistributionService = await startDistributionService(
      runtimes.Node,
      { DS_DATABASE: join(disk, 'ds.sqlite') },
      { 'connector.bin': new Uint8Array(1000) },
    )
    try {
      const token = await service.login()
      const uris = [
        { os: 'UNIX', uri: 'file:///connector.bin' },
        { os: 'WIN64', uri: 'https://downloads.example/connector.msi' },
      ]
      const { id } = await createVersion(service, token, { uris })
      const download = (os: string) =>
        service.request('GET', `/v3/downloads/installers/${os}/versions/${id}`)
      expect((await service.request('GET', '/health')).status).toBe(200)

      fillDisk()
      const [file, online] = [await download('unix'), await download('win64')]
      expect([file.status, file.text.length, online.status]).toEqual([200, 1000, 302])
      await expect.poll(service.output).toContain('download not counted')
      await expect.poll(async () => (await service.request('GET', '/health')).status).toBe(503)
      const { json } = await service.request('GET', '/health')
      expect([json.code, json.description]).toEqual([
        'database-unavailable',
        'Cannot respond: the disk is full',
      ])
      const version = { id: '9.9.9', recommended: false, mandatory: false, allowed: true, uris }
      const refused = await service.request('PUT', '/v3/versions', { token, body: version })
      expect([refused.status, refused.json.code]).toEqual([503, 'database-unavailable'])

      rmSync(join(disk, 'filler'))
      expect((await service.request('GET', '/health')).status).toBe(200)
      await download('unix')
      const counted = await service.admin('GET', `/v3/downloads?versionId=${id}`)
      expect(counted.items).toMatchObject([{ os: 'UNIX', count: 1 }])
    } finally {
      await service.stop()
    }
  })
})

test('a folder on a read-only disk is named by the start, with exit status 1', async () => {
  proves('disk-full')
  mountDisk('1m')
  execFileSync('mount', ['-o', 'remount,ro', disk])
  const settings = { DS_DATABASE: join(disk, 'ds.sqlite'), DS_PACKAGES_DIR: tmpdir() }
  expect(await run(settings)).toEqual({
    status: 1,
    err: `Cannot write to the folder "${disk}" (DS_DATABASE): the file system is read-only\n`,
  })
})

test('a database with an overwritten page is refused at the start, with exit status 1', async () => {
  proves('database-damaged')
  const service = await startDistributionService()
  try {
    await service.pause()
    const database = new Sqlite(service.database)
    const page = database
      .prepare("select rootpage from sqlite_schema where name = 'counters'")
      .pluck()
      .get() as number
    const size = database.pragma('page_size', { simple: true }) as number
    database.close()
    const file = openSync(service.database, 'r+')
    writeSync(file, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size)
    closeSync(file)
    const { status, err } = await run({
      DS_DATABASE: service.database,
      DS_PACKAGES_DIR: join(service.folder, 'packages'),
    })
    expect(status).toBe(1)
    expect(err).toMatch(
      /^Cannot use the database "\S+" \(DS_DATABASE\): its file is damaged \(.+\), restore it from a backup\n$/,
    )
  } finally {
    await service.stop()
  }
})
