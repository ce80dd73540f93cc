/** The administrators' command for API clients, beside the running service. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administratorsCommand } from '../../test/bed/administrators-command.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { createEnvironment, runProgram } from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import { root } from '../../test/bed/repository.ts'
import { nextAddress } from './harness/arrange.ts'

let service: DistributionService
beforeAll(async () => {
  service = await startDistributionService()
})
afterAll(() => service?.stop())

async function client(args: readonly string[], database = service.database) {
  const { status, out, err } = await runProgram([...administratorsCommand, 'client', ...args], {
    cwd: root,
    input: '',
    env: createEnvironment(service.folder, {
      DS_DATABASE: database,
      DS_PACKAGES_DIR: join(service.folder, 'packages'),
    }),
  })
  return { code: status, out, err }
}
const ask = (client_id: string, client_secret: string) =>
  service.request('POST', '/v3/oauth/token', {
    form: { grant_type: 'client_credentials', client_id, client_secret },
    from: nextAddress(),
  })

test('a client is added with a role, gets a secret and another one, is listed, and removed', async () => {
  proves('client-command')
  const added = await client(['add', 'pipeline', '--role', 'publisher', '--description', 'CI'])
  expect(added).toEqual({ code: 0, out: 'Added "pipeline"\n', err: '' })
  expect((await client(['list'])).out).toBe('pipeline\tpublisher\t0 credentials\tnever used\n')

  const first = await client(['secret', 'pipeline', '--days', '90'])
  expect(first).toEqual({
    code: 0,
    out: expect.stringMatching(/^cwcs_[\w-]{43}\n$/),
    err: expect.stringMatching(/^Secret of "pipeline", shown once\. It expires at 2\S+Z\.\n$/),
  })
  const { status, json } = await ask('pipeline', first.out.trim())
  expect(status).toBe(200)
  const token = json.access_token
  const put = await service.request('PUT', '/v3/versions', { token, body: {} })
  expect(put.json.code).toBe('input-invalid')
  const [stored] = (await service.admin('GET', '/v3/api-clients/pipeline')).credentials
  expect(Date.parse(stored.expiresAt) - Date.parse(stored.createdAt)).toBe(90 * 86_400_000)
  expect(stored.createdBy).toBe('local')

  const second = await client(['secret', 'pipeline', '--retire-others', '0'])
  expect((await ask('pipeline', first.out.trim())).status).toBe(401)
  expect((await ask('pipeline', second.out.trim())).status).toBe(200)
  expect((await client(['list'])).out).toMatch(
    /^pipeline\tpublisher\t2 credentials\tlast used 2\S+Z\n$/,
  )

  expect(await client(['remove', 'pipeline'])).toEqual({
    ...{ code: 0, out: 'Removed "pipeline"\n', err: '' },
  })
  expect((await ask('pipeline', second.out.trim())).status).toBe(401)
  const { items } = await service.admin('GET', '/v3/audit?kind=api-client&id=pipeline')
  expect(
    items.map(({ operation, who }: { operation: string; who: { name: string } }) => [
      ...[operation, who.name],
    ]),
  ).toEqual([
    ['removeApiClient', 'local'],
    ['addClientCredential', 'local'],
    ['addClientCredential', 'local'],
    ['addApiClient', 'local'],
  ])
})

test('add --create makes the database before the first start', async () => {
  proves('client-command')
  const database = join(service.folder, 'new/ds.sqlite')
  expect((await client(['add', 'first', '--create'], database)).out).toBe('Added "first"\n')
  expect((await client(['list'], database)).out).toBe('first\tviewer\t0 credentials\tnever used\n')
})

test.each([
  [['add', 'Has spaces'], 'Cannot add "Has spaces": id: expected 1 to 64 lowercase letters'],
  [['add', 'x', '--description', 'a\nb'], 'Cannot add "x": description: expected no control'],
  [['add', 'x', '--role', 'owner'], 'Allowed choices are'],
  [['secret', 'nobody'], 'Cannot find "nobody": there is no such API client'],
  [['secret', 'x', '--days', '731'], 'Expected a whole number from 1 to 730.'],
  [['secret', 'x', '--retire-others', '721'], 'Expected a whole number from 0 to 720.'],
  [['remove', 'nobody'], 'Cannot find "nobody": there is no such API client'],
])('client %j says what is wrong', async (args, sentence) => {
  proves('client-command')
  const { code, out, err } = await client(args)
  expect([code, out, err]).toEqual([1, '', expect.stringContaining(sentence)])
  expect(err).not.toMatch(/\n\s+at /)
})
