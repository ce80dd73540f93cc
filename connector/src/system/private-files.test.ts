/** A private file that cannot be read is neither absent nor replaced. */
import { access, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { openDeviceEncryptionKey } from '../api/device-encryption-key.ts'
import { openIdentity } from '../distribution/client/identity.ts'
import { createStateStore } from '../distribution/sync/persisted-state.ts'
import { privateFiles } from './private-files.ts'

let runtime: string
const log = { warn: () => undefined, error: () => undefined }
beforeEach(async () => {
  runtime = await mkdtemp(join(tmpdir(), 'cardwire-private-'))
})
afterEach(() => rm(runtime, { recursive: true, force: true }))

/** Also the administrator cannot read these: a folder, and a link to itself. */
const obstacles = {
  EISDIR: (path: string) => mkdir(path),
  ELOOP: (path: string) => symlink(path, path),
} as const

const uses = {
  'identity-key.pem': () => openIdentity(runtime, log),
  'service.json': () =>
    createStateStore({ runtime, dsUrl: 'https://ds.example', identity: 'i', log }).load(),
  'page-key.pem': () =>
    openDeviceEncryptionKey({ runtime, log, certify: async () => 'a certificate' }),
} as const

const cases = Object.keys(uses).flatMap((name) =>
  Object.keys(obstacles).map((code) => [name, code] as const),
) as readonly (readonly [keyof typeof uses, keyof typeof obstacles])[]

test.each(cases)('%s that cannot be read (%s) is an error, and stays', async (name, code) => {
  proves('data-file-damaged')
  await obstacles[code](join(runtime, name))
  await expect(uses[name]()).rejects.toMatchObject({ code })
  expect(await readdir(runtime)).toEqual([name])
})

test('a file that is not there is absent', async () => {
  const path = join(runtime, 'none')
  expect(await privateFiles.read(path)).toBeUndefined()
  await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' })
})
