/** A registry that one account floods with bodies: another account's requests are handled in their turn, and most of the flood is refused. */
import { beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createAgentDirectory } from '../../src/registry/agent-directory.ts'
import { createRegistryAllowlist } from '../../src/registry/allowlist.ts'
import { createRegistryApp } from '../../src/registry/app.ts'
import { createPendingRequests } from '../../src/registry/pending-requests.ts'
import { createManualClock } from './manual-clock.ts'
import { createRegistration } from './registrations.ts'

const now = Date.UTC(2026, 10, 24)
const ports = { mallory: 40_000, ada: 50_000 } as const
type Account = keyof typeof ports

let app: ReturnType<typeof createRegistryApp>
beforeEach(() => {
  const clock = createManualClock()
  const agents = createAgentDirectory(clock, 200)
  app = createRegistryApp({
    ...{ version: '4.0.0', log: silentLog, clock: () => now, agents },
    pendingRequests: createPendingRequests(agents, clock, silentLog),
    allowlist: createRegistryAllowlist({ origins: [], forEveryone: true }, 200),
    consentRequests: { perUser: 5, shared: 300 },
    names: () => new Set(['localhost']),
    ownerOf: async ({ port }) => ({ kind: 'other', user: port === ports.ada ? 'ada' : 'mallory' }),
    findUserName: async () => undefined,
  })
})

async function register(account: Account, allowlist: readonly string[] = []): Promise<number> {
  const body = JSON.stringify(createRegistration({ allowlist: [...allowlist] }))
  const headers = { host: 'localhost', 'x-csrf-token': 't1c-js' }
  const request = new Request('https://localhost/agent/register', {
    ...{ method: 'POST', body },
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    },
  })
  const peer = { address: '127.0.0.1', port: ports[account] }
  const answer = await app.fetch(request, { peer, port: 51_983, keepOpen: () => undefined })
  return answer.status
}

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://shop-${index}.example`)

test('a body is handled after one of another account, not after all that it has sent before', async () => {
  proves('processor-kept-busy')
  const answered: Account[] = []
  const send = async (account: Account) => {
    await register(account)
    answered.push(account)
  }
  await Promise.all([...Array.from({ length: 240 }, () => send('mallory')), send('ada')])
  expect(answered).toHaveLength(241)
  expect(answered.indexOf('ada')).toBeLessThan(3)
})

test('an account registers 4 MiB within a minute, and another account all the same', async () => {
  proves('processor-kept-busy')
  const count = async (account: Account, allowlist: readonly string[]) => {
    const statuses = []
    for (let n = 0; n < 20; n += 1) statuses.push(await register(account, allowlist))
    return statuses.filter((status) => status === 200).length
  }
  // 280 kB each.
  expect(await count('mallory', many(10_000))).toBe(15)
  expect(await count('ada', many(400))).toBe(20)
})
