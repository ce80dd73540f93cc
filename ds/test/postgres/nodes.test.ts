/** Three nodes of the service on one PostgreSQL database, behind one address. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administrator, passwordGrant, tokenPath } from '../../../test/bed/administrator.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createPostgresRuntime, runtimes } from '../../../test/bed/service-runtimes.ts'
import { addSecondFactor, createAccount, createCode, getToken, logIn } from '../harness/account.ts'
import {
  createLabel,
  createVersion,
  createVersionBody,
  getApplicationToken,
  getData,
  nextAddress,
} from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { withDatabase } from '../harness/stored-data.ts'

const url = 'https://ds.example'
const tokenLimit = 30
const settings = {
  DS_URL: url,
  DS_SECRET: randomBytes(32).toString('base64'),
  DS_TOKEN_LIMIT: String(tokenLimit),
  DS_LOG_AUDIT: 'on',
}

let server: PostgresServer
let address: string
let nodes: readonly DistributionService[]
/** A node of the three. */
const node = (at: number): DistributionService => {
  const found = nodes[at % nodes.length]
  if (!found) throw new Error('no node')
  return found
}
const startNode = (changes: Readonly<Record<string, string>> = {}, runtime = runtimes.Node) =>
  startDistributionService(
    createPostgresRuntime(async () => address, runtime),
    { ...settings, ...changes },
  )
const together = <T>(times: number, act: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, at) => act(at)))

beforeAll(async () => {
  server = await startPostgres()
  address = await server.createDatabase()
  nodes = await together(3, () => startNode())
})
afterAll(async () => {
  await Promise.all((nodes ?? []).map(({ stop }) => stop()))
  await server?.remove()
})

test('nodes that start together on an empty database create one administrator, and sign with the same keys', async () => {
  const entries = await withDatabase(node(0), ({ run }) =>
    run("select 1 from audit where operation = 'addAdministrator'"),
  )
  expect(entries).toHaveLength(1)
  const token = await node(0).login()
  const lists = await together(3, async (at) => {
    const keys = getData(await node(at).request('GET', '/v3/signing-keys', { token }))
    return keys.map(({ id }: Json) => id)
  })
  expect(lists[0].length).toBeGreaterThan(0)
  expect(lists[1]).toEqual(lists[0])
  expect(lists[2]).toEqual(lists[0])
})

test('an entry of the audit is a line of the node that made the change, and of no other', async () => {
  proves('log-audit')
  const token = await node(0).login()
  const made = await together(6, async (at) => {
    const version = await createVersion(node(at), token)
    return { id: version.id as string, at: at % 3 }
  })
  const findEntries = (id: string) =>
    [0, 1, 2].flatMap((at) =>
      node(at)
        .output()
        .split('\n')
        .filter((line) => line.includes('"message":"audit"') && line.includes(`"id":"${id}"`))
        .map((line) => ({ at, sequence: JSON.parse(line).sequence as number })),
    )
  for (const { id, at } of made) {
    const stored = getData(await node(0).request('GET', `/v3/audit?id=${id}&size=100`, { token }))
    const expected = stored.items.map(({ sequence }: Json) => ({ at, sequence }))
    expect(expected.length).toBeGreaterThan(0)
    const bySequence = (one: { sequence: number }, other: { sequence: number }) =>
      other.sequence - one.sequence
    await expect.poll(() => findEntries(id).toSorted(bySequence)).toEqual(expected)
  }
})

test('a node with another DS_SECRET does not start', async () => {
  proves('node-other-secret')
  const other = startNode({ DS_SECRET: randomBytes(32).toString('base64') })
  await expect(other).rejects.toThrow(/Cannot read the signing keys: .*DS_SECRET/)
})

test('an assertion that comes to every node at once is taken by one', async () => {
  proves('nodes-race')
  const version = await createVersion(node(0), await node(0).login())
  const device = await createDevice({ ...node(0), url }, version)
  const body = JSON.stringify({ version: version.id, platform: 'UNIX' })
  for (let round = 0; round < 5; round += 1) {
    const token = await device.createAssertion(body)
    const answers = await together(9, (at) =>
      node(at).request('POST', '/v3/devices/sync', {
        token,
        body,
        headers: { 'content-type': 'application/json' },
      }),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, ...Array.from({ length: 8 }, () => 409)])
  }
})

test('of many changes with the same If-Match on every node one wins', async () => {
  proves('one-editor-wins', 'edit-overwritten')
  const token = await node(0).login()
  const { id } = await createVersion(node(0), token)
  for (let revision = 1; revision <= 5; revision += 1) {
    const answers = await together(9, (at) =>
      node(at).request('PATCH', `/v3/versions/${id}`, {
        token,
        body: { recommended: at % 2 === 0 },
        headers: { 'if-match': `"${revision}"` },
      }),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, ...Array.from({ length: 8 }, () => 412)])
  }
})

test('the tokens of a key are limited over all nodes', async () => {
  proves('nodes-race')
  const { apiKey } = await createLabel(node(0), await node(0).login())
  const answers = await together(2 * tokenLimit, (at) =>
    node(at).request('GET', '/v3/tokens/application', { headers: { apikey: apiKey } }),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(tokenLimit)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(tokenLimit)
  for (const { headers } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  }
})

test('a failed login delays the next one on every node', async () => {
  proves('nodes-race')
  const from = nextAddress()
  const form = { ...passwordGrant, password: 'a-wrong-password' }
  const login = (at: number) => node(at).request('POST', tokenPath, { form, from })
  let status = 0
  // No further: a slow machine takes longer for the rest than the delay lasts.
  for (let at = 0; at < 12 && status !== 429; at += 1) ({ status } = await login(at))

  expect(status).toBe(429)
  const right = await node(1).request('POST', tokenPath, { form: passwordGrant, from })
  expect(right.status).toBe(429)
  expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a code of a second factor is accepted by one node', async () => {
  proves('code-guessing')
  const account = await createAccount(node(0))
  const token = await getToken(node(0), account)
  const totp = createCode(await addSecondFactor(node(0), account, token), 1)
  const tries = await together(6, (at) => logIn(node(at), account, { totp, from: nextAddress() }))

  expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400])
})

test('an address that has failed too often gets one login a second over all nodes', async () => {
  proves('nodes-race')
  const from = nextAddress()
  await withDatabase(node(0), ({ run }) =>
    run(
      "insert into rate_limits (name, key, used, ends_at) values ('login', ?, 1000, now() + interval '60 s')",
      from,
    ),
  )
  const begunAt = performance.now()
  const answers = await together(9, (at) => {
    const form = { ...passwordGrant, username: `nobody-${at}` }
    return node(at).request('POST', tokenPath, { form, from })
  })
  const seconds = (performance.now() - begunAt) / 1000
  const tried = answers.filter(({ status }) => status !== 429)
  expect(tried.length).toBeGreaterThan(0)
  expect(tried.length).toBeLessThanOrEqual(1 + Math.floor(seconds))
})

test.each([
  ['an address', 'login'],
  ['the next login of an address', 'admitted-login'],
])('after the clock of the database was set back, a limit of %s ends', async (_, name) => {
  proves('service-clock-jump')
  const from = nextAddress()
  const spent = { login: '50 s', 'admitted-login': '50 s', [name]: '1 year' }
  for (const [limit, left] of Object.entries(spent))
    await withDatabase(node(0), ({ run }) =>
      run(
        'insert into rate_limits (name, key, used, ends_at) values (?, ?, 1000, now() + ?::text::interval)',
        limit,
        from,
        left,
      ),
    )
  const form = { ...passwordGrant, username: 'nobody' }
  const answer = await node(0).request('POST', tokenPath, { form, from })
  expect(answer.status).toBe(400)
})

test('a version that one node changes is changed for the others', async () => {
  const token = await node(0).login()
  const body = createVersionBody()
  const version = getData(await node(0).request('PUT', '/v3/versions?force=true', { token, body }))
  const device = await createDevice({ ...node(1), url }, version)
  await node(0).request('PUT', '/v3/versions?force=true', {
    token,
    body: { ...body, allowed: false },
  })
  await expect.poll(async () => (await device.sync()).reply?.verdict?.action).not.toBe('none')
})

test('a signing key that one node retires is refused by the others', async () => {
  proves('nodes-race')
  const token = await node(0).login()
  const { apiKey } = await createLabel(node(0), token)
  const applicationToken = await getApplicationToken(node(1), apiKey)
  const keys = getData(await node(0).request('GET', '/v3/signing-keys', { token }))
  const signing = keys.find(({ use, state }: Json) => use === 'application' && state === 'signing')
  const get = (at: number) =>
    node(at).request('GET', '/v3/versions/latest', { token: applicationToken })
  const before = (await get(2)).status
  await node(0).request('DELETE', `/v3/signing-keys/${signing.id}?maxReach=999999999`, { token })

  await expect.poll(async () => [before, (await get(2)).status]).toEqual([before, 401])
  expect((await node(1).request('GET', '/v3/signing-keys', { token })).status).toBe(200)
})

test('one key rotated at once on every node leaves one key that works, and the audit has no gaps', async () => {
  proves('nodes-race')
  const token = await node(0).login()
  for (let round = 0; round < 20; round += 1) {
    const { id } = await createLabel(node(0), token)
    const answers = await together(10, (at) =>
      node(at).request('POST', `/v3/labels/${id}/key`, { token, body: {} }),
    )
    for (const { status } of answers) expect(status).toBe(200)
    const exchanged = await together(10, (at) =>
      node(at).request('GET', '/v3/tokens/application', {
        headers: { apikey: answers[at]?.json.data.apiKey },
        from: nextAddress(),
      }),
    )
    expect(exchanged.filter(({ status }) => status === 200)).toHaveLength(1)
  }
  const rows = await withDatabase(node(0), ({ run }) =>
    run('select sequence::int from audit order by sequence'),
  )
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, at) => at + 1))
})

test('a node on Deno works beside those on Node', async () => {
  const deno = await startNode({}, runtimes.Deno)
  try {
    const token = await deno.login()
    const { apiKey } = await createLabel(deno, token)
    const version = await createVersion(node(0), token)
    const device = await createDevice({ ...deno, url }, version)
    const [synchronized, exchanged] = [
      await device.sync(),
      await node(1).request('GET', '/v3/tokens/application', { headers: { apikey: apiKey } }),
    ]
    expect([synchronized.status, exchanged.status]).toEqual([200, 200])
    expect(await deno.pause()).toBe(0)
  } finally {
    await deno.stop()
  }
})

test('no node writes the password of the database', async () => {
  proves('database-password-logged')
  expect(nodes.map(({ output }) => output()).join('')).not.toMatch(
    new RegExp(`${server.password}|${administrator.password}`),
  )
})
