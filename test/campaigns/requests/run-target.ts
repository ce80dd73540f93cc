/** Sends the requests of a campaign to one program, and looks at every answer, at its memory, and at the program afterwards. */
import { isDeepStrictEqual } from 'node:util'
import { checkAnswer, type Fault } from './check-answer.ts'
import { type Connections, type Outcome, openConnections } from './connection.ts'
import { deadlinesMs, memoryBoundsMiB } from './documented.ts'
import { planRequest } from './generate.ts'
import { planBodies } from './plan-bodies.ts'
import type { PlannedRequest } from './planned-request.ts'
import { addOutcome, createTotals, type Totals } from './report.ts'
import type { Target } from './target.ts'
import { toCommand, writeRequest } from './write-request.ts'

export interface CampaignOptions {
  readonly seed: number
  /** The number of the first request, and how many there are. */
  readonly from: number
  readonly requests: number
  /** How many hostile bodies are sent at most, in addition. */
  readonly bodies?: number
  /** Told now and then, and of each fault. */
  readonly log: (line: string) => void
  /** In place of the deadline of a whole request. */
  readonly wholeDeadlineMs?: number
}

/** Requests that are under way at once; those that wait for the program to give up have lanes of their own. */
const lanes = { prompt: 16, waiting: 48 } as const

/** How often memory is read and tokens are renewed, in milliseconds. */
const refreshMs = 500

/** Faults that are shown whole; of the others there is a count. */
const maxShown = 12

const mebibyte = 1024 * 1024

export async function runTarget(target: Target, options: CampaignOptions): Promise<Totals> {
  const totals = createTotals(target.name, options)
  const report = createReporter(totals, options)
  const before = await target.readKept()
  const readMemory = () => {
    const bytes = target.readMemory()
    totals.memory.mostBytes = Math.max(totals.memory.mostBytes, bytes)
    totals.memory.endBytes = bytes
    return bytes
  }
  totals.memory.startBytes = readMemory()
  let isRefreshing = false
  const timer = setInterval(async () => {
    readMemory()
    if (isRefreshing) return
    isRefreshing = true
    await target
      .refresh()
      .catch((error) => report({ invariant: 'correct-after', reason: String(error) }))
    isRefreshing = false
  }, refreshMs)
  const connections = openConnections(target.address)
  try {
    const sending = { ...options, totals, report }
    await sendAll(target, connections, sending)
    await sendBodies(target, connections, sending)
  } finally {
    clearInterval(timer)
    connections.close()
  }
  readMemory()
  await checkAfterwards(target, before, report)
  if (totals.memory.mostBytes > memoryBoundsMiB[target.name] * mebibyte) {
    const most = Math.round(totals.memory.mostBytes / mebibyte)
    report({
      invariant: 'memory',
      reason: `${most} MiB, more than ${memoryBoundsMiB[target.name]}`,
    })
  }
  if (totals.limited.sent >= 200 && totals.limited.refused === 0 && target.name !== 'registry') {
    report({ invariant: 'limited', reason: `none of ${totals.limited.sent} was refused` })
  }
  return totals
}

type Report = (fault: Fault, request?: PlannedRequest, command?: string) => void

function createReporter(totals: Totals, { log, seed }: CampaignOptions): Report {
  const shown = new Map<string, number>()
  return (fault, request, command) => {
    const what = `${fault.invariant}, ${request?.kind ?? 'afterwards'}: ${fault.reason.slice(0, 100)}`
    totals.faultCounts.set(what, (totals.faultCounts.get(what) ?? 0) + 1)
    totals.faults += 1
    const about = request
      ? `${request.group}, ${request.kind}, ${request.operation?.name ?? request.path}`
      : ''
    const key = `${fault.invariant} ${request?.kind} ${request?.operation?.name}`
    shown.set(key, (shown.get(key) ?? 0) + 1)
    if (shown.size > maxShown || (shown.get(key) ?? 0) > 1) return
    log(`${fault.invariant}: ${fault.reason}`)
    if (!request) return
    const { number } = request
    log(`  request ${number} (${about})`)
    if (request.group !== 'bodies')
      log(
        `  again: requests --target ${totals.target} --seed ${seed} --from ${number} --requests 1`,
      )
    if (command !== undefined) log(`  its bytes: ${command}`)
  }
}

interface Sending extends CampaignOptions {
  readonly totals: Totals
  readonly report: Report
}

async function sendAll(target: Target, connections: Connections, sending: Sending) {
  const { from, requests, seed, log, totals } = sending
  const waiting: PlannedRequest[] = []
  const send = (request: PlannedRequest) => sendOne(target, connections, request, sending)
  let next = from
  const end = from + requests
  const takePrompt = () => {
    while (next < end) {
      const request = planRequest(target.surface, seed, next)
      next += 1
      if (next % 5000 === 0)
        log(`${target.name}: ${next - from} of ${requests}, ${totals.faults} faults`)
      if (!isWaiting(request)) return request
      waiting.push(request)
    }
    return undefined
  }
  let isPlanned = false
  const workPrompt = async () => {
    for (let request = takePrompt(); request; request = takePrompt()) await send(request)
  }
  const workWaiting = async () => {
    for (;;) {
      const request = waiting.shift()
      if (request) await send(request)
      else if (isPlanned) return
      else await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const work = (count: number, lane: () => Promise<void>) =>
    Promise.all(Array.from({ length: count }, lane))
  await Promise.all([
    work(lanes.prompt, workPrompt).then(() => {
      isPlanned = true
    }),
    work(lanes.waiting, workWaiting),
  ])
}

/** As many at once as a browser has connections to a host. */
const bodyLanes = 6

async function sendBodies(target: Target, connections: Connections, sending: Sending) {
  const requests = [...planBodies(target.surface, sending.bodies ?? 0)]
  const work = async () => {
    for (let request = requests.shift(); request; request = requests.shift())
      await sendOne(target, connections, request, sending)
  }
  await Promise.all(Array.from({ length: bodyLanes }, work))
}

const waitingHostile = ['Content-Length too long', 'connection without a byte']

const isWaiting = ({ frame, kind }: PlannedRequest): boolean =>
  frame.startsWith('unfinished') || waitingHostile.includes(kind)

const getDeadlineMs = (request: PlannedRequest, wholeMs: number): number => {
  if (!isWaiting(request)) return wholeMs
  const isHeader = request.frame === 'unfinished-header' || request.raw === ''
  return isHeader ? deadlinesMs.header : deadlinesMs.body
}

async function sendOne(
  target: Target,
  connections: Connections,
  request: PlannedRequest,
  { totals, report, wholeDeadlineMs = deadlinesMs.whole }: Sending,
): Promise<void> {
  const wire = writeRequest(request, target)
  const isStream = request.operation?.name === 'readerEvents'
  const outcome: Outcome = await connections.send(
    isStream ? { ...wire, sharesConnection: false } : wire,
    {
      deadlineMs: getDeadlineMs(request, wholeDeadlineMs),
      ...(isStream && { streamMs: request.group === 'limited' ? 300 : 0 }),
    },
  )
  addOutcome(totals, request, outcome, isWaiting(request))
  for (const response of outcome.responses) target.observe(request, response)
  const faults = checkAnswer(request, outcome, {
    target: target.name,
    secrets: target.secrets(),
    sent: Buffer.concat(wire.parts).toString('latin1'),
  })
  for (const fault of faults) report(fault, request, toCommand(wire, target.address))
}

async function checkAfterwards(target: Target, before: unknown, report: Report): Promise<void> {
  if (!target.isRunning()) {
    report({ invariant: 'correct-after', reason: 'it is no longer running' })
    return
  }
  try {
    const after = await target.readKept()
    if (!isDeepStrictEqual(before, after)) {
      const texts = [before, after].map((one) => JSON.stringify(one))
      report({ invariant: 'kept-unchanged', reason: texts.join('\n  now ') })
    }
    await target.runJourney()
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    report({ invariant: 'correct-after', reason })
  }
  for (const fault of await target.stopAndCheck()) report(fault)
}
