/** Measures consent against one read of the clipboard, and validation against its round trips. */
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatMs, getMedian, printRow } from '../../test/bed/bench-table.ts'
import { findFreePort } from '../../test/bed/free-port.ts'
import { readLines } from '../src/system/ipc/read-lines.ts'
import { listen } from '../src/system/server.ts'
import { type Session, startX11 } from '../test/desktop/session.ts'
import { startBinary } from './binary.ts'
import { listProcesses, readResidentMb } from './processes.ts'

const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const rounds = 31
const validations = 3000
const agents = 50
const settlingMs = 10_000

export async function measureConsent(): Promise<void> {
  const session = await startX11()
  const home = await mkdtemp(join(tmpdir(), 'cardwire-bench-'))
  const registryPort = await findFreePort()
  const connector = await startBinary(home, {
    ...session.environment,
    HOME: home,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
    CARDWIRE_REGISTRY_PORT: String(registryPort),
    CARDWIRE_MACHINE_DIR: join(home, 'machine'),
  })
  const pages = startPages(connector.ca)
  try {
    await connector.waitForRegistry()
    const consent = await measureApprovals(session, pages, registryPort)
    await measureValidations(consent, pages, registryPort, home)
    await measureMemory(connector.pid, registryPort, connector.ca)
  } finally {
    pages.stop()
    await connector.stop()
    await session.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Each page has an origin of its own, because requests of one origin are limited. Resolves with the last consent. */
async function measureApprovals(
  session: Session,
  pages: Pages,
  port: number,
): Promise<StoredConsents> {
  const took = { bare: [] as number[], approved: [] as number[] }
  let held: StoredConsents = { origin: '', consents: [] }
  for (let round = 0; round < rounds; round += 1) {
    const codeWord = `::t1c::miksa::${crypto.randomUUID().replaceAll('-', '')}`
    await copyToClipboard(session, codeWord)
    took.bare.push((await readClipboard(session)).took)
    const origin = `https://page-${round}.pages.example`
    const body = { codeWord, durationInDays: 365 }
    const { p50, json } = await pages.send({ port, path: '/v3/consent', origin, body })
    if (json.data.consentState !== 'APPROVED')
      throw new Error('Cannot measure: the consent was not approved')
    took.approved.push(p50)
    held = { origin, consents: json.data.consents }
  }
  const [bare, approved] = [getMedian(took.bare), getMedian(took.approved)]
  printRow('one bare read of the clipboard, median', formatMs(bare))
  const more = `≤ bare + 20 ms; ${(approved - bare).toFixed(1)} ms more, ${(approved / bare).toFixed(1)} × bare`
  printRow('code word on the clipboard to APPROVED, median', formatMs(approved), more)
  return held
}

interface StoredConsents {
  readonly origin: string
  readonly consents: readonly string[]
}

async function measureValidations(
  { origin, consents }: StoredConsents,
  pages: Pages,
  port: number,
  home: string,
): Promise<void> {
  const folder = join(home, '.local/share/cardwire/certificates')
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const material = { cert: read('localhost.pem'), key: read('localhost-key.pem') }
  const server = listen({ first: 28_000, last: 28_999 }, [material], async (request) => {
    await request.text()
    return Response.json({ success: true })
  })
  const body = { consents }
  const many = { origin, body, warm: 300, times: validations }
  const bare = await pages.send({ ...many, port: server.port, path: '/' })
  const validated = await pages.send({ ...many, port, path: '/v3/validate' })
  await server.stop()
  if (validated.json.data.consentState !== 'APPROVED')
    throw new Error('Cannot measure: the consent is not valid')
  printRow('two bare https round trips, p50', formatMs(2 * bare.p50))
  const ratio = `≤ 2 ms; ${(validated.p50 / (2 * bare.p50)).toFixed(1)} × bare`
  printRow('validate with a stored consent, p50', formatMs(validated.p50), ratio)
  printRow('validate with a stored consent, p99', formatMs(validated.p99))
}

async function measureMemory(pid: number, port: number, ca: string): Promise<void> {
  const args = [String(port), ca, String(agents - 1), 'https://*.pages.example']
  const others = Bun.spawn([node, program('./agents.mjs'), ...args], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  await readLines(others.stdout).next()
  // Every one of them has polled again by then.
  await Bun.sleep(settlingMs)
  const registry = (await listProcesses(pid)).find(({ role }) => role === 'registry')
  if (!registry) throw new Error('Cannot find the process of the registry')
  printRow(
    `resident memory of the registry with ${agents} agents`,
    `${readResidentMb(registry.pid).toFixed(0)} MB`,
    '≤ 60 MB',
  )
  others.kill()
  await others.exited
}

/** Puts a text on the clipboard, and waits until it is there. */
async function copyToClipboard(session: Session, text: string): Promise<void> {
  session.start(['xclip', '-selection', 'clipboard', '-in', '-quiet'], text)
  while ((await readClipboard(session)).text !== text);
}

async function readClipboard({ environment }: Session) {
  const started = performance.now()
  const child = Bun.spawn(['xclip', '-selection', 'clipboard', '-out'], {
    env: { ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const text = await new Response(child.stdout).text()
  await child.exited
  return { text, took: performance.now() - started }
}

interface MeasuredRequest {
  readonly port: number
  readonly path: string
  readonly origin: string
  readonly body: unknown
  readonly warm?: number
  readonly times?: number
}

type Pages = ReturnType<typeof startPages>

/** Starts the client on Node, whose TLS verifies our chain. */
function startPages(ca: string) {
  const child = Bun.spawn([node, program('./request-client.mjs'), ca], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = readLines(child.stdout)
  return {
    async send({ warm = 0, times = 1, ...order }: MeasuredRequest) {
      child.stdin.write(`${JSON.stringify({ ...order, warm, times })}\n`)
      await child.stdin.flush()
      const { value } = await lines.next()
      return JSON.parse(String(value)) as Measurement
    },
    stop: () => child.kill(),
  }
}

interface Measurement {
  readonly p50: number
  readonly p99: number
  readonly json: {
    readonly data: { readonly consentState: string; readonly consents: readonly string[] }
  }
}
