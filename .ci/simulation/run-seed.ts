/** One seed: a fleet and its service from the first start to the end of all faults, and what came of it. */

import { Database } from 'bun:sqlite'
import { createECDH, createPrivateKey } from 'node:crypto'
import { type Administrators, createAdministrators } from './administrators.ts'
import { type Bug, createTampering } from './bugs.ts'
import { stateMigrations } from './connector-code.ts'
import { createEventQueue, type EventQueue } from './event-queue.ts'
import { drawFaultRates, type FaultRates, noFaults } from './faults.ts'
import { createMachine, type Machine } from './machine.ts'
import { createModel, type Model, revisionOf } from './model.ts'
import { createNetwork, type Network } from './network.ts'
import { createRandom, type SeededRandom } from './random.ts'
import { createReport, type Report, type Violation } from './report.ts'
import { applyMigrations } from './service-code.ts'
import { createServiceProcess, type ServiceProcess } from './service-process.ts'
import { replaceWebCrypto } from './web-crypto.ts'

export interface Outcome {
  readonly seed: number
  readonly steps: number
  /** Of the virtual time, in milliseconds. */
  readonly lastedMs: number
  readonly report: Report
  /** Of the trace: the same seed gives the same. */
  readonly digest: string
  readonly violation: Violation | undefined
}

export interface RunOptions {
  readonly machines?: number
  /** Put in on purpose. */
  readonly bug?: Bug
}

/** How long things go wrong, and within which part of a cycle the machines are first started. */
const cycleOfStarts = 0.4
const cyclesOfFaults = 1.2

/** A Monday, in milliseconds since 1970. */
const startAt = Date.UTC(2026, 10, 23, 6)

/** Everything of one seed. */
interface World {
  readonly queue: EventQueue
  readonly random: SeededRandom
  readonly report: Report
  readonly model: Model
  readonly network: Network
  readonly service: ServiceProcess
  readonly machines: readonly Machine[]
  readonly administrators: Administrators
  /** All that goes wrong from now on. */
  rates: FaultRates
  readonly cycleMs: number
  /** When the faults ended. */
  endedAt: number
}

export async function runSeed(seed: number, options: RunOptions = {}): Promise<Outcome> {
  const { machines: count = 100, bug } = options
  const random = createRandom(seed)
  const putBack = replaceWebCrypto(() => random)
  const queue = createEventQueue(startAt)
  const report = createReport(queue.now)
  const model = createModel(report)
  let steps = 0
  try {
    const images = await makeImages()
    const faults = drawFaultRates(random)
    const cycleS = random.pick([300, 900, 1800])
    const tampering = createTampering(bug, random)
    const kind = random.pick(['file', 'remote'] as const)
    report.event('seed', `${seed} ${kind} cycle ${cycleS} s`)
    let rates = noFaults
    const service = createServiceProcess({
      ...{ queue, random, report, model, kind, cycleS, keyOverlapS: 2 * cycleS },
      rates: () => rates,
      image: images.service,
      between: tampering.driver,
    })
    const network = createNetwork({
      ...{ queue, random, report, rates: () => rates, receive: service.receive },
    })
    const administrators = createAdministrators({ queue, random, report, model, service })
    const machines: Machine[] = []
    const touched = new Set<Machine>()

    /** Does what is due until `until` says that it is enough, or time is over. */
    async function run(endAt: number, until: () => boolean = () => false): Promise<void> {
      while (model.violation() === undefined && !until()) {
        const nextAt = queue.nextAt()
        if (nextAt === undefined || nextAt > endAt) break
        if (!queue.step()) continue
        steps += 1
        model.nextStep()
        await drain()
        model.countersChanged(service.storage().takeChangedCounters())
        for (const machine of touched) machine.inspect()
        touched.clear()
      }
    }

    let isReady = false
    void untilUp(service, queue)
      .then(administrators.begin)
      .then(() => {
        isReady = true
      })
    await run(startAt + 600_000, () => isReady)

    for (let index = 0; index < count; index += 1) {
      const machine = createMachine({
        ...{
          index,
          queue,
          random,
          report,
          model,
          rates: () => rates,
          transport: network.transportOf(index),
        },
        installed: random.pick(administrators.installable()),
        image: images.state,
        identityKey: identityKeyOf(index),
        between: tampering,
        touch: (machine) => touched.add(machine),
        onEnd: (ended) => {
          // The person starts it again, as it is or as the newest there is.
          const newest = administrators.installable().at(-1)
          if (newest && random.chance(0.5)) ended.install(newest)
          queue.after(random.integer(10_000, 600_000), ended.start)
        },
      })
      machines.push(machine)
      queue.after(random.integer(0, cycleOfStarts * cycleS * 1000), machine.start)
    }
    rates = faults
    const world: World = {
      ...{ queue, random, report, model, network, service, machines, administrators },
      ...{ rates: faults, cycleMs: cycleS * 1000, endedAt: Number.POSITIVE_INFINITY },
    }
    planMishaps(world)
    await run(queue.now() + cyclesOfFaults * world.cycleMs)

    // From here nothing goes wrong any more: everybody who may comes back.
    report.event('faults end')
    rates = noFaults
    network.setCutOff(() => false)
    service.setFull(false)
    await endWell(world, run)
    return {
      ...{ seed, steps, report, violation: model.violation(), digest: report.digest() },
      lastedMs: queue.now() - startAt,
    }
  } finally {
    putBack()
  }
}

/** Everything that waits for nothing but the processor. */
const drain = () => new Promise<void>((resolve) => void setImmediate(resolve))

function untilUp(service: ServiceProcess, queue: EventQueue): Promise<void> {
  return new Promise((resolve) => {
    const look = () => (service.isUp() ? resolve() : void queue.after(100, look))
    look()
  })
}

/** Everything that happens to a fleet beside the faults of single messages and writes. */
function planMishaps(world: World): void {
  const { queue, random, report, network, service, machines, administrators, rates, cycleMs } =
    world
  const lastingMs = cyclesOfFaults * cycleMs
  const endAt = queue.now() + lastingMs
  const plan = (times: number, act: () => unknown) => {
    for (let time = 0; time < Math.round(times); time += 1) {
      queue.after(random.integer(0, lastingMs), () => void act())
    }
  }
  plan(machines.length * 2, () => random.pick(machines).use())
  plan(machines.length / 4, () => random.pick(machines).askForSynchronisation())
  plan(rates.connectorKills, () => random.pick(machines).kill('was killed'))
  plan(rates.serviceKills, () => service.kill('was killed'))
  plan(rates.fullDisks, () => {
    report.fault('disk of the service full')
    service.setFull(true)
    queue.after(random.integer(1000, cycleMs), () => service.setFull(false))
  })
  plan(rates.partitions, () => {
    const of = random.integer(2, 5)
    const rest = random.integer(0, of - 1)
    report.fault('network cut', `every ${of}th machine`)
    network.setCutOff((machine) => machine % of === rest)
    queue.after(random.integer(1000, cycleMs), () => network.setCutOff(() => false))
  })
  plan(rates.deviceClockJumps, () => {
    const machine = random.pick(machines)
    machine.clockOffsetMs = jumpFrom(machine.clockOffsetMs, random)
    const detail = `machine ${machine.facts.index} to ${machine.clockOffsetMs} ms`
    report.fault('clock of a machine jumped', detail)
  })
  plan(rates.serviceClockJumps, () => {
    service.clockOffsetMs = jumpFrom(service.clockOffsetMs, random)
    report.fault('clock of the service jumped', `to ${service.clockOffsetMs} ms`)
  })
  plan(rates.replyKeyRotations, () => administrators.rotateKey('reply'))
  plan(rates.replyKeyWithdrawals, () => {
    void administrators.withdrawKey('reply')
    // Two administrators who hear of the same theft.
    if (random.chance(0.3)) void administrators.withdrawKey('reply')
  })
  plan(rates.tokenKeyRotations, () => administrators.rotateKey('application'))
  plan(rates.tokenKeyWithdrawals, () => administrators.withdrawKey('application'))
  plan(rates.installationKeyRotations, administrators.rotateInstallationKey)
  plan(rates.blocks, administrators.block)
  plan(rates.deletions, administrators.delete)
  plan(rates.policyChanges, administrators.changePolicy)
  plan(rates.versionChanges, administrators.changeVersion)
  plan(rates.restores, () => {
    administrators.backUp()
    queue.after(random.integer(0, endAt - queue.now()), administrators.restore)
  })
}

/** The service counts no use of a day farther ahead than tomorrow: clocks stay within that of each other. */
const maxOffsetMs = 10 * 3_600_000

/** Sets a clock by seconds, minutes or hours, forward or back: from `offsetMs` to what is returned, in milliseconds. */
const jumpFrom = (offsetMs: number, random: SeededRandom) => {
  const ms = random.pick([-1, 1]) * random.integer(1, random.pick([1000, 400_000, maxOffsetMs]))
  return Math.min(Math.max(offsetMs + ms, -maxOffsetMs), maxOffsetMs)
}

/** The time within which whoever may come back has to be back: the longest back-off, and some cycles. */
const comebackMs = (cycleMs: number) => 2 * 3_600_000 + 3 * cycleMs

async function endWell(
  world: World,
  run: (endAt: number, until?: () => boolean) => Promise<void>,
): Promise<void> {
  const { queue, model, service, machines, administrators, cycleMs } = world
  const endedAt = queue.now()
  world.endedAt = endedAt
  let isRepeated = false
  // A restore that was begun comes to its end before.
  await run(
    endedAt + cyclesOfFaults * cycleMs,
    () => queue.now() > endedAt + 60_000 && service.isUp() && administrators.areDone(),
  )
  void untilUp(service, queue)
    .then(administrators.repeat)
    .then(() => {
      isRepeated = true
    })
  await run(queue.now() + 600_000, () => isRepeated)
  if (model.violation()) return
  for (const machine of machines) machine.start()

  let lookAt = 0
  const notBack = new Set(machines)
  const isOver = () => {
    if (queue.now() < lookAt) return false
    lookAt = queue.now() + 300_000
    const devices = readDevices(service)
    const places = [...notBack].map((machine) => {
      const { kind } = placeOf(world, machine, devices)
      if (kind === 'back') {
        // Nothing happens any more that it would have to come again for.
        machine.connector()?.stop()
        notBack.delete(machine)
      }
      return kind
    })
    return !places.includes('astray')
  }
  await run(queue.now() + comebackMs(cycleMs), isOver)
  if (model.violation()) return
  const lost = machines.filter((machine) => isLostByRestore(world, machine))
  for (const machine of lost) nameFingerprints(world, machine)
  if (lost.length > 0) await run(queue.now() + comebackMs(cycleMs), isOver)
  if (model.violation()) return
  const devices = readDevices(service)
  for (const machine of machines) {
    const place = placeOf(world, machine, devices)
    const { index } = machine.facts
    const invariant = isLockedOut(machine) ? 'never-locked-out' : 'back-again'
    model.check(
      invariant,
      place.kind !== 'astray',
      () => `machine ${index}: ${'reason' in place ? place.reason : ''}`,
    )
    if (place.kind === 'back') model.checkAllCounted(index)
  }
  model.checkStored(service.storage())

  await drain()
  for (const machine of machines) await checkToken(world, machine, run)
}

/**
 * A restore may bring back keys of replies that a machine has learnt to believe no more, and take away those that it has
 * learnt since: nobody but its administrator can tell such a service from a false one.
 */
function isLostByRestore({ model, service }: World, machine: Machine): boolean {
  const known =
    machine
      .connector()
      ?.state()
      ?.replyKeys.map(({ kid }) => kid) ?? []
  return model.epoch() > 0 && isLockedOut(machine) && !canFollow(service, known)
}

/** As the log of the connector says that it is to be done. */
function nameFingerprints({ report, administrators, service }: World, machine: Machine): void {
  const { version } = machine.installed
  const current = administrators.installable().find((one) => one.version === version)
  if (current === undefined) return
  report.event('fingerprints named after a restore', `machine ${machine.facts.index}`)
  machine.install({ ...current, fingerprints: readKeyIds(service) })
  machine.kill('to be started with fingerprints')
}

const readKeyIds = (service: ServiceProcess): readonly string[] =>
  service
    .storage()
    .connection.query<{ id: string }, []>(`SELECT id FROM signing_keys WHERE use = 'reply'`)
    .all()
    .map(({ id }) => id)

const readSigningKey = (service: ServiceProcess): string => {
  const keys = service
    .storage()
    .connection.query<{ id: string; signs_from: number }, []>(
      `SELECT id, signs_from FROM signing_keys WHERE use = 'reply' ORDER BY signs_from`,
    )
    .all()
  const signing = keys.findLast(({ signs_from }) => signs_from <= service.now()) ?? keys[0]
  return signing?.id ?? ''
}

/** Whether one of these keys leads to the one that the service signs replies with. */
function canFollow(service: ServiceProcess, known: readonly string[]): boolean {
  const statements = service
    .storage()
    .connection.query<{ statement: string }, []>('SELECT statement FROM successions')
    .all()
  const steps = statements.map(({ statement }) => {
    const [head = '', payload = ''] = statement.split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    return { from: read(head).kid, to: read(payload).key.kid }
  })
  const reached = new Set(known)
  for (const kid of reached) {
    for (const { from, to } of steps) if (from === kid) reached.add(to)
  }
  return reached.has(readSigningKey(service))
}

/** A page comes to a machine with a token that its application has just fetched. */
async function checkToken(
  { queue, model, administrators }: World,
  machine: Machine,
  run: (endAt: number, until: () => boolean) => Promise<void>,
): Promise<void> {
  const connector = machine.connector()
  if (connector?.status().kind !== 'good' || model.violation()) return
  let refusal: string | undefined
  let isDecided = false
  void administrators
    .token()
    .then((token) => connector.verifyToken(token ?? ''))
    .catch((error) => {
      refusal = String(error)
    })
    .finally(() => {
      isDecided = true
    })
  await drain()
  await run(queue.now() + 60_000, () => isDecided)
  model.check(
    'never-locked-out',
    isDecided && refusal === undefined,
    () => `machine ${machine.facts.index} refuses a token of its service: ${refusal}`,
  )
}

interface DeviceRow {
  readonly id: string
  readonly blocked: number
}

const readDevices = (service: ServiceProcess): ReadonlyMap<string, DeviceRow> =>
  new Map(
    service
      .storage()
      .connection.query<DeviceRow, []>('SELECT id, blocked FROM devices')
      .all()
      .map((row) => [row.id, row]),
  )

/** `back`: it follows its service again; `out`: the rules keep it out, and it stands where they want it. */
type Place =
  | { readonly kind: 'back' | 'out' }
  | { readonly kind: 'astray'; readonly reason: string }

function placeOf(
  { administrators, model, endedAt }: World,
  machine: Machine,
  devices: ReadonlyMap<string, DeviceRow>,
): Place {
  const { installed } = machine
  const astray = (reason: string): Place => ({ kind: 'astray', reason })
  // Its person starts it again and again, and it ends each time.
  if (administrators.verdictOf(installed.version) !== 'none') return { kind: 'out' }
  const connector = machine.connector()
  const row = devices.get(machine.device() ?? '')
  const isKeptOut = row ? row.blocked === 1 : !administrators.isValid(installed)
  // What it was told last may be that it must not run, and nobody tells it otherwise.
  if (connector === undefined) {
    return isKeptOut ? { kind: 'out' } : astray('its connector does not run')
  }
  const status = connector.status()
  const code = 'code' in status ? status.code : status.kind
  if (code === 'device-blocked') return { kind: 'out' }
  if (row?.blocked === 1) return astray(`it is blocked, and stands at ${code}`)
  if (isKeptOut) {
    if (code === 'api-key-refused') return { kind: 'out' }
    return astray(`its installation key is none any more, and it stands at ${code}`)
  }
  if (status.kind !== 'good') {
    return astray(`it stands at ${code}: ${'reason' in status ? status.reason : ''}`)
  }
  if (machine.facts.synchronisedAt < endedAt) return astray('it has not synchronised since')
  const policy = connector.policy()
  const revision = policy ? revisionOf(policy) : 0
  const wanted = model.inForce.get(installed.version) ?? 0
  if (revision < wanted) return astray(`it follows ${revision}, and ${wanted} is in force`)
  if (policy?.verdict.action !== 'none') return astray(`its verdict is ${policy?.verdict.action}`)
  const waiting = connector.counters.list().length
  if (waiting > 0) return astray(`${waiting} of its counts have not come through`)
  return { kind: 'back' }
}

const isLockedOut = (machine: Machine) => {
  const status = machine.connector()?.status()
  return status?.kind === 'refused' && status.code === 'reply-refused'
}

interface Images {
  readonly service: Uint8Array
  readonly state: Uint8Array
}
let images: Images | undefined

/** Empty databases of both programs, made once. */
async function makeImages(): Promise<Images> {
  if (images) return images
  const service = new Database(':memory:')
  const run = ({ sql, params }: { readonly sql: string; readonly params: readonly unknown[] }) =>
    service.query(sql).values(...(params as string[])) as unknown as readonly (readonly unknown[])[]
  await applyMigrations({
    run: async (statement) => run(statement),
    batch: async (statements) => statements.map(run),
  })
  const state = new Database(':memory:')
  for (const statements of stateMigrations) state.run(statements)
  images = { service: service.serialize(), state: state.serialize() }
  return images
}

const identityKeys = new Map<number, string>()

/** The identity key of a machine, the same in every seed: PKCS#8 as PEM. */
function identityKeyOf(index: number): string {
  const known = identityKeys.get(index)
  if (known) return known
  const d = createRandom(index + 1).bytes(32)
  d[0] = 1
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d)
  const point = pair.getPublicKey()
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: text(point.subarray(1, 33)),
    y: text(point.subarray(33)),
  }
  const key = createPrivateKey({ key: { ...jwk, d: text(d) }, format: 'jwk' })
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  identityKeys.set(index, pem)
  return pem
}
