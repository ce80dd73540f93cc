/** The administrators' command that makes a running service what a folder of files says. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { administrator } from '../../test/bed/administrator.ts'
import { administratorsCommand } from '../../test/bed/administrators-command.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { createEnvironment, runProgram } from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import { createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'

let service: DistributionService
let folder: string
beforeAll(async () => {
  service = await startDistributionService()
})
afterAll(() => service?.stop())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-fleet-'))
  return () => rmSync(folder, { recursive: true })
})

const run = async (args: readonly string[]) => {
  const { status, out, err } = await runProgram(
    [...administratorsCommand, ...args, '--ds', service.url],
    { env: createEnvironment('/nonexistent'), input: `${administrator.password}\n` },
  )
  return { code: status, out, err }
}
const apply = (...args: readonly string[]) => run(['apply', folder, ...args])
const read = async (path: string) =>
  getData(await service.request('GET', path, { token: await service.login() }))
const write = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

const groupFile = `# Who gets new versions first
kind: group
name: Front desks
rules:
  - hostnames: ["front-desk-*"]
`
const versionFile = (origins: string, state: string) => `kind: version
id: 2.0.0
uris:
  - os: UNIX
    uri: https://downloads.example/cardwire_2.0.0_amd64.deb
---
kind: configuration
version: 2.0.0
type: CONTEXT_CONFIG
config:
  cors: ${origins}
---
kind: rollout
version: 2.0.0
flag: recommended
stages:
  - { group: Front desks, share: 100, holdS: 3600 }
  - { share: 10, holdS: 3600 }
  - { share: 100, holdS: 3600 }
state: ${state}
`

test('a folder becomes a fleet: planned, counted, applied, and nothing is left to change', async () => {
  proves('fleet-files')
  const version = await createVersion(service, await service.login(), { id: '1.0.0' })
  for (let n = 0; n < 3; n += 1) await createDevice(service, version)
  write('groups.yaml', groupFile)
  write('versions/2.0.0.yaml', versionFile('[https://shop.example]', 'running'))

  const planned = await apply('--dry-run')
  expect(planned).toEqual({
    code: 2,
    err: '',
    out: `+ group "Front desks"
    rules: [{"hostnames":["front-desk-*"]}]
    priority: 0
+ version 2.0.0
    UNIX: https://downloads.example/cardwire_2.0.0_amd64.deb
+ allowlist of 2.0.0
    cors: ["https://shop.example"]
+ rollout of 2.0.0
    flag: recommended
    stages: [{"group":"Front desks","holdS":3600,"share":100},{"holdS":3600,"share":10},{"holdS":3600,"share":100}]
    goodRate: 1
    badRate: 4
~ rollout of 2.0.0 (affects 3 devices)
    state: draft → running
Not in the folder, and left as it is:
    version 1.0.0
`,
  })
  expect((await read('/v3/versions')).total).toBe(1)

  const small = await apply('--max-reach', '2')
  expect([small.code, small.err]).toEqual([
    1,
    'Nothing was changed: one change affects 3 devices. To confirm this number, use --max-reach 3\n',
  ])
  const unasked = await apply()
  expect([unasked.code, unasked.err]).toEqual([
    1,
    'Nothing was changed. To make these changes, run the command again with --max-reach 3\n',
  ])
  expect((await read('/v3/versions')).total).toBe(1)

  const applied = await apply('--max-reach', '3')
  expect([applied.code, applied.err]).toEqual([0, ''])
  const [rollout] = (await read('/v3/rollouts')).items
  const [group] = (await read('/v3/groups')).items
  expect(rollout).toMatchObject({ version: '2.0.0', state: 'running', flag: 'recommended' })
  expect(rollout.stages[0]).toEqual({ group: group.id, share: 100, holdS: 3600 })
  expect((await read('/v3/configurations?versionId=2.0.0')).items).toMatchObject([
    { type: 'CONTEXT_CONFIG', config: { cors: ['https://shop.example'] } },
  ])

  expect(await apply('--dry-run')).toEqual({
    ...{ code: 0, err: '' },
    out: 'Not in the folder, and left as it is:\n    version 1.0.0\nNothing to change.\n',
  })
})

test('what was changed by hand is shown as a difference, and put back', async () => {
  proves('fleet-files')
  write('groups.yaml', groupFile)
  write('versions/2.0.0.yaml', versionFile('[https://shop.example]', 'running'))
  await apply('--max-reach', '9')
  const [configuration] = (await read('/v3/configurations?versionId=2.0.0')).items
  const token = await service.login()
  const body = { config: { cors: ['https://other.example'] } }
  getData(
    await service.request('PATCH', `/v3/configurations/${configuration.id}?maxReach=9`, {
      ...{ token, body },
    }),
  )
  const { code, out } = await apply('--dry-run')
  expect(code).toBe(2)
  expect(out).toContain('cors: + https://shop.example, - https://other.example\n')
  const json = JSON.parse((await apply('--dry-run', '--json')).out)
  expect(json.changes).toEqual([
    {
      ...{ kind: 'configuration', what: 'allowlist of 2.0.0', act: 'change', reach: 3 },
      fields: ['cors: + https://shop.example, - https://other.example'],
    },
  ])
  expect((await apply('--max-reach', '9')).code).toBe(0)
  expect((await apply('--dry-run')).code).toBe(0)
})

test('a rollout that was halted is not started again by a folder', async () => {
  proves('fleet-files')
  write('groups.yaml', groupFile)
  write('versions/2.0.0.yaml', versionFile('[https://shop.example]', 'running'))
  const [{ id }] = (await read('/v3/rollouts')).items
  const token = await service.login()
  const halt = { token, body: { state: 'halted' } }
  getData(await service.request('PUT', `/v3/rollouts/${id}/state`, halt))
  const { code, out } = await apply('--max-reach', '9')
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('The rollout of 2.0.0 is halted, and the folder says running.'),
  ])
  expect((await read(`/v3/rollouts/${id}`)).state).toBe('halted')
})

test.each([
  ['a.yaml', 'kind: group\nname: [', 'Cannot read a.yaml: '],
  ['a.yaml', 'kind: fleet\n', 'Cannot read a.yaml:\n  kind: '],
  ['a.yaml', 'kind: version\nid: 2\n', 'Cannot read a.yaml:\n  id: '],
  [
    'a.yaml',
    'kind: version\nid: 2.0.0\n---\nkind: version\nid: 2.0.0\n',
    'a.yaml and a.yaml both have the version 2.0.0',
  ],
  ['a.yaml', 'kind: version\nid: 2.0.0\nrecommend: true\n', 'recommend'],
  [
    'a.yaml',
    'kind: configuration\nversion: 7.0.0\ntype: CONTEXT_CONFIG\nconfig: { cors: [] }\n',
    'Cannot apply a.yaml: there is no version 7.0.0',
  ],
  [
    'a.yaml',
    'kind: configuration\nversion: 1.0.0\ngroup: None\ntype: CONTEXT_CONFIG\nconfig: { cors: [] }\n',
    'Cannot apply a.yaml: there is no group "None"',
  ],
  ['a.txt', 'nothing', 'it has no .yaml, .yml or .json file with a resource'],
  [
    'a.json',
    '{"kind":"configuration","version":"1.0.0","type":"SSL_KEYSTORE","config":{"uri":"https://x.example/a.p12","password":"secret"}}',
    'password',
  ],
  [
    'a.yaml',
    'kind: configuration\nversion: 1.0.0\ntype: SSL_KEYSTORE\nconfig: { uri: "https://x.example/a.p12", passwordFile: ../../etc/passwd }\n',
    'Cannot use "../../etc/passwd", which a.yaml names: expected a file in the folder',
  ],
  [
    'a.yaml',
    `a: &a [x, x]\nb: &b [${'*a, '.repeat(50)}]\nc: [${'*b, '.repeat(60)}]\n`,
    'Cannot read a.yaml',
  ],
])('%s with %j says what is wrong, and changes nothing', async (name, text, says) => {
  proves('fleet-files')
  write(name, text)
  const { code, err } = await apply('--max-reach', '9')
  expect([code, err]).toEqual([1, expect.stringContaining(says)])
  expect(err.length).toBeLessThan(3000)
})

test('what a service names cannot command the terminal', async () => {
  proves('fleet-files', 'api-command', 'service-controls-terminal')
  const token = await service.login()
  const name = 'Red \u001b[31m, \\u0009 \u009b31m and \u202e reversed'
  const path = `/v3/groups/${crypto.randomUUID()}`
  const body = { name, rules: [{ hostnames: ['none'] }] }
  getData(await service.request('PUT', path, { token, body }))
  write('groups.yaml', groupFile)
  for (const args of [
    ['apply', folder, '--dry-run'],
    ['apply', folder, '--dry-run', '--json'],
    ['api', 'listGroups'],
  ]) {
    const { out } = await run(args)
    for (const character of ['\u001b', '\u009b', '\u202e']) expect(out).not.toContain(character)
    expect(out).toContain('\\u009b31m and \\u202e reversed')
    if (args.includes('--json') || args[0] === 'api') expect(() => JSON.parse(out)).not.toThrow()
  }
  getData(await service.request('DELETE', path, { token: await service.login() }))
})

test('api calls any operation, and says what it needs', async () => {
  proves('api-command')
  const list = await run(['api', 'listVersions', 'size=1'])
  expect([list.code, JSON.parse(list.out)]).toMatchObject([0, { items: [{ id: '2.0.0' }] }])
  const body = join(folder, 'body.json')
  writeFileSync(body, '{"name":"Made by a command"}')
  const made = await run(['api', 'putOrganization', '--body', body])
  expect([made.code, JSON.parse(made.out).id]).toEqual([0, 'madebyacommand'])
  const fails: [readonly string[], string][] = [
    [['api', 'none'], 'Cannot find the operation "none"'],
    [['api', 'getVersion'], 'Cannot call getVersion: give id=…'],
    [['api', 'getVersion', 'x=1'], 'Cannot use "x=1" with getVersion: expected id'],
    [['api', 'putOrganization'], 'Cannot call putOrganization: give its body with --body'],
    [['api', 'getVersion', 'id=7.0.0'], 'Cannot call getVersion. Cannot find version "7.0.0"'],
  ]
  for (const [args, says] of fails) {
    const { code, err } = await run(args)
    expect([code, err]).toEqual([1, expect.stringContaining(says)])
  }
  const help = await run(['api', '--help'])
  expect(help.out).toContain('listDevices')
})
