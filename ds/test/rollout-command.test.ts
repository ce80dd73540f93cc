/** The administrators' command for rollouts, against a running service. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administrator } from '../../test/bed/administrator.ts'
import { administratorsCommand } from '../../test/bed/administrators-command.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { createEnvironment, runProgram } from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'

let service: DistributionService
beforeAll(async () => {
  service = await startDistributionService()
})
afterAll(() => service?.stop())

const rollout = async (args: readonly string[], input = `${administrator.password}\n`) => {
  const { status, out, err } = await runProgram(
    [...administratorsCommand, 'rollout', ...args, '--ds', service.url],
    { env: createEnvironment('/nonexistent'), input },
  )
  return { code: status, out, err }
}
const admin = async (method: string, path: string, body?: Json) =>
  getData(await service.request(method, path, { token: await service.login(), body }))

test('rollouts are listed, started after their number, paused, resumed, halted, finished, and all stopped', async () => {
  proves('rollout-command')
  const [before, after] = ['1.0.0', '2.0.0']
  const version = await createVersion(service, await service.login(), { id: before })
  await createVersion(service, await service.login(), { id: after })
  for (let n = 0; n < 3; n += 1) await createDevice(service, version)
  const id = crypto.randomUUID()
  const stages = [
    { share: 50, holdS: 3600 },
    { share: 100, holdS: 3600 },
  ]
  const body = { version: after, flag: 'recommended', stages }
  await admin('PUT', `/v3/rollouts/${id}?maxReach=9`, body)
  const state = async () => (await admin('GET', `/v3/rollouts/${id}`)).state
  expect(await rollout(['list'])).toMatchObject({ code: 0, out: `2.0.0\tdraft\t0%\t${id}\n` })

  const asked = await rollout(['start', after])
  expect(asked.code).toBe(1)
  expect(asked.out).toContain('3 devices will be offered 2.0.0.')
  expect(asked.err).toBe(
    'Nothing was changed. To start the rollout of 2.0.0, run the command again with --max-reach 3\n',
  )
  const small = await rollout(['start', after, '--max-reach', '2'])
  expect([small.code, small.err]).toEqual([1, expect.stringContaining('affect 3 devices')])
  expect(await state()).toBe('draft')
  expect(await rollout(['start', after, '--max-reach', '3'])).toMatchObject({ code: 0, err: '' })
  expect(await state()).toBe('running')
  expect((await rollout(['list'])).out).toContain('2.0.0\trunning\t50%')
  for (const [act, to] of [
    ['pause', 'paused'],
    ['resume', 'running'],
    ['halt', 'halted'],
  ] as const) {
    const reach = act === 'resume' ? ['--max-reach', '3'] : []
    expect((await rollout([act, after, ...reach])).code, act).toBe(0)
    expect(await state()).toBe(to)
  }
  const late = await rollout(['pause', after])
  expect([late.code, late.err]).toEqual([1, expect.stringContaining('Cannot pause the rollout')])
  expect((await rollout(['resume', after, '--max-reach', '3'])).code).toBe(0)
  const stopped = await rollout(['stop', '--block', after])
  expect(stopped).toMatchObject({ code: 0, err: '' })
  expect(stopped.out).toContain('Halted 1 rollout.\nBlocked 2.0.0.')
  expect(await state()).toBe('halted')
  expect((await admin('GET', `/v3/versions/${after}`)).allowed).toBe(false)
  await admin('PATCH', `/v3/versions/${after}?maxReach=9`, { allowed: true })
  expect((await rollout(['resume', after, '--max-reach', '3'])).code).toBe(0)
  expect(await rollout(['finish', after, '--max-reach', '3'])).toMatchObject({ code: 0, err: '' })
  expect((await admin('GET', `/v3/versions/${after}`)).recommended).toBe(true)
  const none = await rollout(['start', after])
  expect(none.err).toContain('it has no unfinished rollout')
})

test('an API client starts a rollout with its secret, and not with a wrong one', async () => {
  proves('rollout-command', 'api-clients')
  const [version, id] = ['3.0.0', 'release-pipeline']
  await createVersion(service, await service.login(), { id: version })
  const rolloutId = crypto.randomUUID()
  const stages = [{ share: 100, holdS: 3600 }]
  const body = { version, flag: 'recommended', stages }
  await admin('PUT', `/v3/rollouts/${rolloutId}?maxReach=9`, body)
  await admin('POST', '/v3/api-clients', { id, role: 'publisher' })
  const added = await admin('POST', `/v3/api-clients/${id}/credentials`, { kind: 'secret' })
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-rollout-'))
  try {
    const file = join(folder, 'secret')
    const start = ['start', version, '--max-reach', '9', '--client', id]
    await writeFile(file, 'wrong\n')
    const refused = await rollout([...start, '--client-secret-file', file], '')
    expect([refused.code, refused.err]).toEqual([
      1,
      `Cannot get access as the API client "${id}": check the ID and the credential\n`,
    ])
    await writeFile(file, `${added.secret}\n`)
    const started = await rollout([...start, '--client-secret-file', file], '')
    expect([started.code, started.err]).toEqual([0, ''])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  expect((await admin('GET', `/v3/rollouts/${rolloutId}`)).state).toBe('running')
  const { items } = await admin('GET', `/v3/audit?kind=rollout&id=${rolloutId}`)
  expect(items[0].who.name).toBe(id)
})

test.each([
  [['list', '--user', 'nobody'], 'Cannot sign in as "nobody": check the name and the password.'],
  [['list', '--password-file', '/nonexistent'], 'Cannot read "/nonexistent"'],
  [['list', '--token-file', '/dev/null'], 'Cannot list the rollouts.'],
])('rollout %j says what is wrong', async (args, says) => {
  proves('rollout-command')
  const { code, err } = await rollout(args)
  expect([code, err]).toEqual([1, expect.stringContaining(says)])
})

test('a password is sent to no server without HTTPS, and to none that redirects', async () => {
  proves('rollout-command')
  const env = createEnvironment('/nonexistent')
  const { status, err } = await runProgram(
    [...administratorsCommand, 'rollout', 'list', '--ds', 'http://ds.example'],
    { env, input: 'secret\n' },
  )
  expect([status, err]).toEqual([
    1,
    expect.stringContaining('a password can only be sent over HTTPS'),
  ])
})
