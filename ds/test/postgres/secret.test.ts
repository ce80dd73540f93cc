/** `secret rotate` of the administrators' command, on PostgreSQL: the secret is in DS_SECRET, and several nodes may run. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administratorsCommand } from '../../../test/bed/administrators-command.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { createEnvironment, runProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { root } from '../../../test/bed/repository.ts'
import { createPostgresRuntime } from '../../../test/bed/service-runtimes.ts'
import {
  countOpened,
  createSealedRows,
  keepAsking,
  sealingSettings,
} from '../harness/sealed-rows.ts'
import { withDatabase } from '../harness/stored-data.ts'

// Each command is a separate process, and so is each start of the service.
const [first, second] = [0, 1].map(() => randomBytes(32).toString('base64')) as [string, string]

let folder: string
let server: PostgresServer
let address: string
let service: DistributionService
let use: () => Promise<unknown>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-secret-'))
  await writeFile(join(folder, 'first'), `${first}\n`)
  await writeFile(join(folder, 'second'), `${second}\n`)
  server = await startPostgres()
  address = await server.createDatabase()
  service = await startDistributionService(
    createPostgresRuntime(async () => address),
    { ...sealingSettings, DS_SECRET: first },
  )
  use = await createSealedRows(service, first)
})
afterAll(async () => {
  await service?.stop()
  await server?.remove()
  await rm(folder, { recursive: true, force: true })
})

const rotate = (secret: string, ...args: readonly string[]) =>
  runProgram([...administratorsCommand, 'secret', 'rotate', ...args], {
    cwd: root,
    env: createEnvironment(folder, {
      DS_DATABASE: address,
      DS_SECRET: secret,
      DS_PACKAGES_DIR: join(folder, 'packages'),
    }),
  })

const all = {
  signing_keys: [4, 4],
  configurations: [1, 1],
  revisions: [1, 1],
  versions: [1, 1],
  api_keys: [1, 1],
  administrators: [1, 1],
  browser_sessions: [1, 1],
  webhooks: [1, 1],
  use_keys: [1, 1],
}

test('a node that answers requests refuses the rotation', async () => {
  proves('secret-rotated')
  const stop = keepAsking(service, await service.login())
  const refused = await rotate(first, '--yes', '--to', join(folder, 'second'))
  expect(await stop()).toEqual(new Set([200]))
  expect([refused.status, refused.out]).toEqual([1, ''])
  expect(refused.err).toMatch(
    /^Cannot change "postgres:.*": other programs are connected: cardwire-ds \(\d+\).*\. Stop every node of the service first\n$/,
  )
  expect(await countOpened(service, first)).toEqual(all)
})

test('only the new secret opens what was sealed, a node with the old one does not start, and there is a way back', async () => {
  proves('secret-rotated', 'rotation-in-audit')
  await service.pause()
  const shown = await rotate(first, '--to', join(folder, 'second'))
  expect(shown.out).toContain('Nothing was changed.')
  expect(await countOpened(service, first)).toEqual(all)
  expect(await rotate(first, '--yes', '--to', join(folder, 'second'))).toMatchObject({
    status: 0,
    err: '',
    out: expect.stringContaining('keystore passwords\t1 with the old secret\t0 with the new one\n'),
  })
  expect(await countOpened(service, second)).toEqual(all)
  const again = await rotate(first, '--yes', '--to', join(folder, 'second'))
  expect(again.out).toContain('keystore passwords\t0 with the old secret\t1 with the new one\n')
  const entries = await withDatabase(service, ({ run }) =>
    run("select subject, kind, id from audit where operation = 'rotateSecret'"),
  )
  expect(entries).toEqual([{ subject: 'local', kind: 'secret', id: 'DS_SECRET' }])
  await expect(service.resume()).rejects.toThrow('it was stored under another DS_SECRET')
  await service.resume({ DS_SECRET: second })
  expect(await use()).toEqual(['a-password-of-a-keystore', 200, 200])
  await service.pause()
  expect((await rotate(second, '--yes', '--to', join(folder, 'first'))).status).toBe(0)
  expect(await countOpened(service, first)).toEqual(all)
})

test('a rotation without a new secret is refused', async () => {
  const [noFile, same, back] = [
    await rotate(first),
    await rotate(first, '--to', join(folder, 'first')),
    await rotate(first, '--back'),
  ]
  expect([noFile.err, same.err, back.err]).toEqual([
    'Cannot rotate the secret: DS_SECRET is set, so name a file with the new one with --to; `openssl rand -base64 32` creates one\n',
    `Cannot rotate the secret: "${join(folder, 'first')}" contains the same secret as DS_SECRET\n`,
    'Cannot use --back: DS_SECRET is set. Set it to the new secret, and name a file with the old one with --to\n',
  ])
})
