/** What consent costs: against one read of the clipboard, and against the round trips that it is made of. */
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { linesOf } from '../src/sandbox/lines.ts'
import { listen } from '../src/system/server.ts'
import { type Session, startX11 } from '../test/desktop/session.ts'
import { startBinary } from './binary.ts'
import { processesOf, residentMb } from './processes.ts'
import { median, ms, row } from './table.ts'

const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const rounds = 31
const validations = 3000
const agents = 50
const settlingMs = 10_000

export async function consentFigures(): Promise<void> {
  const session = await startX11()
  const home = await mkdtemp(join(tmpdir(), 'cardwire-bench-'))
  const registryPort = await freePort()
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
    await connector.linked()
    const consent = await approvals(session, pages, registryPort)
    await validationsOf(consent, pages, registryPort, home)
    await memory(connector.pid, registryPort, connector.ca)
  } finally {
    pages.stop()
    await connector.stop()
    await session.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Each page has an origin of its own: one that asks often is not heard. Answers with the last consent. */
async function approvals(session: Session, pages: Pages, port: number): Promise<Held> {
  const took = { bare: [] as number[], approved: [] as number[] }
  let held: Held = { origin: '', consents: [] }
  for (let round = 0; round < rounds; round += 1) {
    const codeWord = `::t1c::miksa::${crypto.randomUUID().replaceAll('-', '')}`
    await copy(session, codeWord)
    took.bare.push((await readClipboard(session)).took)
    const origin = `https://page-${round}.pages.example`
    const body = { codeWord, durationInDays: 365 }
    const { p50, json } = await pages.ask({ port, path: '/v3/consent', origin, body })
    if (json.data.consentState !== 'APPROVED') throw new Error('The page was not let in')
    took.approved.push(p50)
    held = { origin, consents: json.data.consents }
  }
  const [bare, approved] = [median(took.bare), median(took.approved)]
  row('one bare read of the clipboard, median', ms(bare))
  const more = `≤ bare + 20 ms; ${(approved - bare).toFixed(1)} ms more, ${(approved / bare).toFixed(1)} × bare`
  row('code word on the clipboard to APPROVED, median', ms(approved), more)
  return held
}

interface Held {
  readonly origin: string
  readonly consents: readonly string[]
}

async function validationsOf(
  { origin, consents }: Held,
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
  const bare = await pages.ask({ ...many, port: server.port, path: '/' })
  const validated = await pages.ask({ ...many, port, path: '/v3/validate' })
  await server.stop()
  if (validated.json.data.consentState !== 'APPROVED') throw new Error('The consent does not hold')
  row('two bare https round trips, p50', ms(2 * bare.p50))
  const ratio = `≤ 2 ms; ${(validated.p50 / (2 * bare.p50)).toFixed(1)} × bare`
  row('validate with a stored consent, p50', ms(validated.p50), ratio)
  row('validate with a stored consent, p99', ms(validated.p99))
}

async function memory(pid: number, port: number, ca: string): Promise<void> {
  const args = [String(port), ca, String(agents - 1), 'https://*.pages.example']
  const others = Bun.spawn([node, program('./agents.mjs'), ...args], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  await linesOf(others.stdout).next()
  // Every one of them has polled again by then.
  await Bun.sleep(settlingMs)
  const registry = (await processesOf(pid)).find(({ role }) => role === 'registry')
  if (!registry) throw new Error('There is no registry')
  row(
    `resident memory of the registry with ${agents} agents`,
    `${residentMb(registry.pid).toFixed(0)} MB`,
    '≤ 60 MB',
  )
  others.kill()
  await others.exited
}

/** Puts a text on the clipboard, and waits until it is there. */
async function copy(session: Session, text: string): Promise<void> {
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

interface Order {
  readonly port: number
  readonly path: string
  readonly origin: string
  readonly body: unknown
  readonly warm?: number
  readonly times?: number
}

type Pages = ReturnType<typeof startPages>

/** Pages ask from Node, whose TLS verifies our chain. */
function startPages(ca: string) {
  const child = Bun.spawn([node, program('./ask.mjs'), ca], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = linesOf(child.stdout)
  return {
    async ask({ warm = 0, times = 1, ...order }: Order) {
      child.stdin.write(`${JSON.stringify({ ...order, warm, times })}\n`)
      await child.stdin.flush()
      const { value } = await lines.next()
      return JSON.parse(String(value)) as Told
    },
    stop: () => child.kill(),
  }
}

interface Told {
  readonly p50: number
  readonly p99: number
  readonly json: {
    readonly data: { readonly consentState: string; readonly consents: readonly string[] }
  }
}

/** Below the ports that systems take by themselves. */
async function freePort(): Promise<number> {
  for (let port = 29_000; ; port += 1) {
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (free) return port
  }
}
