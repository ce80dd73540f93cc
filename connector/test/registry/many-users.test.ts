/** A machine with many users whose registry is not told whose a connection is: each reaches their own connector all the same. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createAgentDirectory } from '../../src/registry/agent-directory.ts'
import { createRegistryAllowlist } from '../../src/registry/allowlist.ts'
import { createRegistryApp } from '../../src/registry/app.ts'
import { createPendingRequests } from '../../src/registry/pending-requests.ts'
import { createConsentSetup } from '../consent/consent-setup.ts'
import { createManualClock } from './manual-clock.ts'
import { createRegistration } from './registrations.ts'

const origin = 'https://shop.example'
const users = 150
const firstPort = 25_100

let closing: (() => void)[]
let startRegistry: ReturnType<typeof openRegistry>
beforeEach(() => {
  closing = []
  startRegistry = openRegistry()
})
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

function openRegistry() {
  // Stands still: no response is late on a busy machine.
  const clock = createManualClock()
  const agents = createAgentDirectory(clock, 200)
  const pendingRequests = createPendingRequests(agents, clock, silentLog)
  const allowlist = createRegistryAllowlist({ origins: [], forEveryone: true }, 200)
  const app = createRegistryApp({
    ...{ version: '4.0.0', log: silentLog, clock: () => now },
    ...{ agents, pendingRequests, allowlist, consentRequests: { perUser: 5, shared: 300 } },
    names: () => new Set(['localhost']),
    ownerOf: async () => ({ kind: 'unknown' }),
    findUserName: async () => undefined,
  })
  return { app, agents, pendingRequests, allowlist }
}
/** Within one minute. */
const now = Date.UTC(2026, 10, 24)

/** A user with a clipboard and a connector; `ask`: as a page in the user's browser, which keeps its cookies. */
function join(index: number) {
  const { app, agents, pendingRequests, allowlist } = startRegistry
  const port = firstPort + index
  const setup = createConsentSetup({ port, namesOwners: false })
  const registration = createRegistration({
    agentId: setup.consentService.agentId,
    ...{ port, pid: 1000 + index, allowlist: [origin] },
  })
  allowlist.add(registration, undefined)
  const session = agents.register(registration, undefined)
  const ended = new AbortController()
  const poll = async () => {
    while (!ended.signal.aborted) {
      const agent = agents.authenticate(session, undefined)
      const requests = await agent.queue.poll(ended.signal)
      const responses = await Promise.all(requests.map(setup.consentService.handleAgentRequest))
      if (responses.length > 0) pendingRequests.receive(agent, responses)
    }
  }
  const polling = poll()
  closing.push(() => {
    ended.abort()
    void polling.catch(() => undefined).then(setup.close)
  })
  let cookie = ''
  const ask = async (path: string, body?: object, peerPort = 50_000 + index) => {
    const headers = { host: 'localhost', 'x-csrf-token': 't1c-js', origin, cookie }
    const post = { method: 'POST', body: JSON.stringify(body) }
    const request = new Request(`https://localhost${path}`, {
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && post),
    })
    const connection = { peer: { address: '127.0.0.1', port: peerPort }, port: 51_983 }
    const response = await app.fetch(request, { ...connection, keepOpen: () => undefined })
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return { status: response.status, data: (JSON.parse(await response.text()) as Answer).data }
  }
  return { port: String(port), copy: setup.copy, ask }
}
interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly data: any
}
const newWord = () => `::t1c::miksa::${crypto.randomUUID()}`
const portOf = (consent: string) =>
  JSON.parse(Buffer.from(consent, 'base64').toString()).agent.apiPort

test('150 users consent within a minute, and each finds their own connector by either protocol', async () => {
  proves('users-unnamed')
  const all = Array.from({ length: users }, (_, index) => join(index))
  const consents = await Promise.all(
    all.map(async ({ copy, ask }) => {
      const codeWord = newWord()
      copy(codeWord)
      return (await ask('/v3/consent', { codeWord })).data
    }),
  )
  expect(consents.map(({ consent }) => consent && portOf(consent))).toEqual(
    all.map(({ port }) => port),
  )
  const [first, last] = [all[0], all.at(-1)]
  // The protocol of clients up to 3.4, which store nothing.
  expect((await first?.ask('/consent'))?.data).toEqual({ apiPort: '25100' })
  expect((await last?.ask('/consent'))?.data).toEqual({ apiPort: '25249' })
  expect((await last?.ask('/v3/agents'))?.data).toMatchObject([{ apiPort: '25249' }])
})

test('a browser that no connector has given a consent is not led to the only one that has given one', async () => {
  proves('users-unnamed')
  const [ada, bob] = [join(0), join(1)]
  const codeWord = newWord()
  ada.copy(codeWord)
  await ada.ask(`/agents/consent/${encodeURIComponent(codeWord)}?ttl=86400`)
  expect((await ada.ask('/consent')).data).toEqual({ apiPort: '25100' })
  expect((await bob.ask('/consent')).status).toBe(403)
  expect((await bob.ask('/v3/agents')).data).toEqual([])
})

test('a page that guesses is limited by its connection, a code word that is sent again by itself, and all by the origin', async () => {
  proves('users-unnamed', 'code-word-guessed')
  const { copy, ask } = join(0)
  copy('nothing that anybody asks about')
  const counts = async (codeWord: string, port: number) =>
    (await ask('/v3/consent', { codeWord }, port)).data.retryAfterS === undefined
  const onePort = []
  for (let n = 0; n < 6; n += 1) onePort.push(await counts(newWord(), 40_000))
  expect(onePort).toEqual([true, true, true, true, true, false])
  let counted = 5
  for (let n = 0; n < 300; n += 1) if (await counts(newWord(), 41_000 + n)) counted += 1
  expect(counted).toBe(300)
})
