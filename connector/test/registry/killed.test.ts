/** A registry that is killed again and again while pages initialize: no page waits forever, no consent is lost. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAmount } from '../../../test/bed/amounts.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { silentLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { RegistryConnection } from '../../src/api/registry-connection/registry-connection.ts'
import { spawnRegistry } from '../../src/api/registry-connection/spawn-registry.ts'
import { openCertificates } from '../../src/certificates/open-certificates.ts'
import type { CertificateKeyPair } from '../../src/pki/certificate.ts'
import { type ConsentSetup, createConsentSetup, origin } from '../consent/consent-setup.ts'
import { connectAgent, requestAsPage } from './network.ts'

const binary = fileURLToPath(new URL('../../dist/cardwire', import.meta.url))
const kills = getAmount('registries killed while pages ask')
/** In which a page is to know where it stands, in milliseconds. */
const pageMs = 5000

let home: string
let port: number
let certificate: CertificateKeyPair
let setup: ConsentSetup
let link: RegistryConnection

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'cardwire-home-'))
  const certificates = join(home, '.local/share/cardwire/certificates')
  await openCertificates({ hosts: [] }, { certificates }, silentLog).ensure()
  certificate = {
    cert: await readFile(join(certificates, 'localhost.pem'), 'utf8'),
    key: await readFile(join(certificates, 'localhost-key.pem'), 'utf8'),
  }
  port = await findFreePort()
  setup = createConsentSetup({ at: Date.now() })
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    CARDWIRE_REGISTRY_PORT: String(port),
    CARDWIRE_CORS: origin,
    CARDWIRE_CONSENT_REQUESTS: '5',
    CARDWIRE_SHARED_CONSENT_REQUESTS: '300',
    CARDWIRE_MAX_AGENTS: '200',
  }
  link = connectAgent(setup, port, certificate, {
    spawn: () => spawnRegistry([binary, 'registry', '--attached'], environment),
    // A hundred times up to two seconds are too many for a test.
    random: () => Math.random() / 20,
  })
})
afterAll(async () => {
  await link?.stop()
  setup?.close()
  await rm(home, { recursive: true, force: true })
})

const ask = (path: string, body?: unknown) => requestAsPage(port, certificate, path, { body })
/** An error that a page can read, or a connection that ends, which it hears of. */
const connectionEnds = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ERR_SOCKET_CLOSED']

/** As clients do: /info once, then the stored consents, three times with a second between. */
async function initialise(consents: readonly string[]): Promise<string> {
  const info = await ask('/info').catch(ended)
  if (typeof info === 'string') return info
  if (info.status !== 200) return `/info ${info.status} ${info.json.code}`
  let failure = ''
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const answer = await ask('/v3/validate', { consents }).catch(ended)
    if (typeof answer !== 'string') return answer.json.data.consentState
    failure = answer
    await Bun.sleep(1000)
  }
  return failure
}

function ended(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  if (connectionEnds.includes(code) || /socket|connection/i.test(code)) return 'not reached'
  throw error
}

test('killed again and again, it leaves every page with success or a clear error within five seconds', async () => {
  proves('registry-replaced', 'registry-killed')
  await expect.poll(() => link.state().kind).toBe('linked')
  const codeWord = `::t1c::miksa::${crypto.randomUUID()}`
  setup.copy(codeWord)
  const { json } = await ask('/v3/consent', { codeWord })
  const consents: readonly string[] = json.data.consents

  const isThere = () => link.state().kind === 'linked'
  let killing = true
  const outcomes = new Map<string, number>()
  let longest = 0
  const page = async () => {
    while (killing) {
      // Whom nobody listens to at all is refused at once: the others are in the middle of it.
      while (killing && !isThere()) await Bun.sleep(2)
      await Bun.sleep(Math.random() * 30)
      const from = performance.now()
      const outcome = await initialise(consents)
      longest = Math.max(longest, performance.now() - from)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  const pages = Array.from({ length: 6 }, page)
  const killed = new Set<number>()
  // A slow machine needs more kills until as many pages were between two of them.
  const isEnough = () => killed.size >= kills && (outcomes.get('APPROVED') ?? 0) > kills / 10
  while (!isEnough()) {
    // At every moment: while it starts, and in the middle of an answer.
    await Bun.sleep(Math.random() * 200)
    const pid = link.pid()
    if (pid === 0 || killed.has(pid) || (killed.size % 10 > 0 && !isThere())) continue
    process.kill(pid, 'SIGKILL')
    killed.add(pid)
  }
  killing = false
  await Promise.all(pages)

  expect([...outcomes.keys()].filter((one) => !['APPROVED', 'not reached'].includes(one))).toEqual(
    [],
  )
  expect(longest).toBeLessThan(pageMs)
  const approved = () => initialise(consents)
  await expect.poll(approved).toBe('APPROVED')
})
