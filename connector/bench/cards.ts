/** Measures operations with a card against the same commands sent directly, and events while a card signs. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatMs, getMedian, printRow } from '../../test/bed/bench-table.ts'
import { cardPorts, readerNames } from '../../test/bed/pcscd.ts'
import { createPivCard, type PivSlot } from '../src/sandbox/virtual-card/piv-card.ts'
import { readLines } from '../src/system/ipc/read-lines.ts'
import { createPinentry } from '../test/binary/cards/scripted-pinentry.ts'
import { makeKeys } from '../test/cards/emulated-card.ts'
import { openPadReader } from '../test/pad-reader/pad-reader.ts'
import { type RunningConnector, startBinary } from './binary.ts'
import { measureInsertions } from './insertions.ts'
import type { Replay } from './pcsc-replay-thread.ts'

const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
const client = fileURLToPath(new URL('./card-client.mjs', import.meta.url))
const replayThread = fileURLToPath(new URL('./pcsc-replay-thread.ts', import.meta.url))
const pin = '123456'
const warm = 3
const rounds = 21
const types = { '9A': 'P-256', '9C': 'RSA-2048', '9D': 'P-384', '9E': 'P-256' } as const

interface Operation {
  readonly name: string
  readonly path: string
  readonly body?: object
}

const sign = (id: PivSlot, name: string): Operation => {
  const data = Buffer.alloc(32, 7).toString('base64')
  return { name: `signature, ${name}`, path: 'sign', body: { algorithm: 'sha256', data, id } }
}
const operations: readonly Operation[] = [
  { name: 'four certificates', path: 'cert-list' },
  sign('9E', 'P-256 without PIN'),
  sign('9A', 'P-256'),
  sign('9D', 'P-384'),
  sign('9C', 'RSA-2048'),
]

/** The user types at once, at the pad of the reader: no window is waited for. */
export async function measureCards(): Promise<void> {
  const pad = await openPadReader({ besides: '/etc/reader.conf.d/vpcd' })
  const pcscd = await pad.start()
  const pinentry = await createPinentry()
  await pinentry.type('wait')
  const home = await mkdtemp(join(tmpdir(), 'cardwire-bench-'))
  const connector = await startBinary(home, { PATH: pinentry.path })
  const { keys } = await makeKeys(types)
  const card = createPivCard({ keys, pin, protocol: 'T=1' })
  const commands: string[] = []
  const respond = (command: Uint8Array) => {
    commands.push(Buffer.from(command).toString('hex'))
    return card.respond(command)
  }
  await pad.insert({ ...card, respond })
  pad.enter({ digits: pin })
  const page = startClient(connector)
  try {
    const reader = await findReader(page, pad.name)
    const send = async ({ path, body }: Operation) => {
      const at = `/v3/modules/piv/apps/token/readers/${reader}/${path}`
      const { took, status } = await page.send({ path: at, body })
      if (status !== 200) throw new Error(`Cannot measure "${path}": it ended with ${status}`)
      return took
    }
    for (const operation of operations) {
      await measureOperation(operation.name, pad.name, commands, () => send(operation))
    }
    await measureEvents(connector, () => send(sign('9E', '')))
  } finally {
    page.stop()
    await connector.stop()
    await pcscd.close()
    await pad.stop()
    await pinentry.remove()
    await rm(home, { recursive: true, force: true })
  }
}

async function measureOperation(
  name: string,
  reader: string,
  commands: string[],
  send: () => Promise<number>,
): Promise<void> {
  const times = { bare: [] as number[], through: [] as number[] }
  let count = 0
  for (let round = -warm; round < rounds; round += 1) {
    commands.length = 0
    const took = await send()
    const sent = [...commands]
    count = sent.length
    const bare = await replay({ reader, commands: sent })
    if (round < 0) continue
    times.through.push(took)
    times.bare.push(bare)
  }
  const [bare, through] = [getMedian(times.bare), getMedian(times.through)]
  printRow(`${name}: ${count} APDUs directly, p50`, formatMs(bare))
  printRow(
    `${name}: the same by https, p50`,
    formatMs(through),
    `≤ bare + 15 ms; ${(through - bare).toFixed(1)} ms more, ${(through / bare).toFixed(1)} × bare`,
  )
}

/** A card is inserted into another reader while signatures follow each other. */
async function measureEvents(connector: RunningConnector, send: () => Promise<number>) {
  let isSigning = true
  const signing = (async () => {
    while (isSigning) await send()
  })()
  const [, reader] = readerNames
  const [, port] = cardPorts
  await measureInsertions(connector, { reader, port, meanwhile: ', another card signs' })
  isSigning = false
  await signing
}

function replay(order: Replay): Promise<number> {
  const thread = new Worker(replayThread)
  return new Promise((resolve) => {
    thread.onmessage = ({ data }) => {
      resolve(data)
      thread.terminate()
    }
    thread.postMessage(order)
  })
}

type Client = ReturnType<typeof startClient>

/** On Node, whose TLS verifies our chain. */
function startClient({ port, ca, token }: RunningConnector) {
  const child = Bun.spawn([node, client, String(port), ca, token], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = readLines(child.stdout)
  return {
    async send(order: { readonly path: string; readonly body?: object | undefined }) {
      child.stdin.write(`${JSON.stringify(order)}\n`)
      await child.stdin.flush()
      const { value } = await lines.next()
      return JSON.parse(String(value)) as { took: number; status: number; json: unknown }
    },
    stop: () => child.kill(),
  }
}

/** The id of the reader, once it has its card. */
async function findReader(page: Client, name: string): Promise<string> {
  for (;;) {
    const { json } = await page.send({ path: '/v3/readers' })
    const { data } = json as { data?: { id: string; name: string; card?: object }[] }
    const found = data?.find((reader) => reader.name === name && reader.card)
    if (found) return found.id
    await Bun.sleep(20)
  }
}
