/** One seed: a fleet and its service from the first start to the end of all faults, and what came of it. */

import { createRandom, type SeededRandom } from '../bed/random.ts'
import { createAdministrators } from './administrators.ts'
import { type Bug, createTampering, type Tampering } from './bugs.ts'
import { endWell } from './comeback.ts'
import { createEventQueue } from './event-queue.ts'
import { drawFaultRates, type FaultRates, noFaults } from './faults.ts'
import { identityKeyOf } from './identity-keys.ts'
import { type Images, makeImages } from './images.ts'
import { createMachine, type Machine } from './machine.ts'
import { planMishaps } from './mishaps.ts'
import { createModel } from './model.ts'
import { createNetwork } from './network.ts'
import { createReport, type Report, type Violation } from './report.ts'
import { createServiceProcess } from './service-process.ts'
import { replaceTimers } from './virtual-timers.ts'
import { replaceWebCrypto } from './web-crypto.ts'
import { cyclesOfFaults, drain, type Run, untilUp, type World } from './world.ts'

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
  /** That share a database; else the seed decides. */
  readonly nodes?: number | undefined
}

/** Within which part of a cycle the machines are first started. */
const cycleOfStarts = 0.4

/** A Monday, in milliseconds since 1970. */
const startAt = Date.UTC(2026, 10, 23, 6)

export async function runSeed(seed: number, options: RunOptions = {}): Promise<Outcome> {
  const random = createRandom(seed)
  const putBack = replaceWebCrypto(() => random)
  const closing: (() => void)[] = []
  try {
    return await runWith(random, await makeImages(), seed, options, closing)
  } finally {
    putBack()
    for (const close of closing) close()
  }
}

async function runWith(
  random: SeededRandom,
  images: Images,
  seed: number,
  { machines: count = 100, bug, nodes: wantedNodes }: RunOptions,
  closing: (() => void)[],
): Promise<Outcome> {
  const queue = createEventQueue(startAt)
  closing.push(replaceTimers(queue))
  const report = createReport(queue.now)
  const model = createModel(report)
  const drawnFaults = drawFaultRates(random)
  const cycleS = random.pick([300, 900, 1800])
  const tampering = createTampering(bug, random)
  const drawnKind = random.pick(['file', 'remote'] as const)
  const kind = wantedNodes === undefined ? drawnKind : 'remote'
  // Numbers of their own: a seed with one node does not change with what there is for several.
  const apart = createRandom(seed + 2 ** 32)
  const nodes = wantedNodes ?? (kind === 'remote' ? apart.pick([1, 2, 3]) : 1)
  // Several nodes are there for the sake of rollouts.
  const rolloutChanges = drawnFaults.rolloutChanges || (nodes > 1 ? apart.integer(10, 40) : 0)
  const faults = { ...drawnFaults, rolloutChanges }
  const shared = nodes > 1 ? ` ${nodes} nodes` : ''
  report.event('seed', `${seed} ${kind}${shared} cycle ${cycleS} s`)
  let rates = noFaults
  const service = createServiceProcess({
    ...{ queue, random, report, model, kind, cycleS, keyOverlapS: 2 * cycleS, nodes, apart },
    rates: () => rates,
    image: images.service,
    between: tampering.driver,
  })
  closing.push(service.close)
  const network = createNetwork({
    ...{ queue, random, report, rates: () => rates, receive: service.receive },
  })
  const administrators = createAdministrators({ queue, random, report, model, service })
  const machines: Machine[] = []
  const cycleMs = cycleS * 1000
  const world: World = {
    ...{ queue, random, report, model, network, service, machines, administrators },
    ...{ rates: faults, cycleMs },
  }
  const touched = new Set<Machine>()
  let steps = 0
  const run: Run = async (endAt, until = () => false) => {
    // What was begun just before plans its events first: hours may pass in which nothing but planning is due.
    await drain()
    while (model.violation() === undefined && !until()) {
      const nextAt = queue.nextAt()
      if (nextAt === undefined || nextAt > endAt) break
      if (!queue.step()) continue
      steps += 1
      model.nextStep()
      await drain()
      model.noteReleases(service.storage())
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

  const parts = { images, tampering, rates: () => rates, touch: (one: Machine) => touched.add(one) }
  for (let index = 0; index < count; index += 1) {
    const machine = addMachine(world, index, parts)
    machines.push(machine)
    closing.push(machine.close)
    queue.after(random.integer(0, cycleOfStarts * cycleMs), machine.start)
  }
  rates = faults
  planMishaps(world)
  await run(queue.now() + cyclesOfFaults * cycleMs)

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
}

interface MachineSurroundings {
  readonly images: Images
  readonly tampering: Tampering
  readonly rates: () => FaultRates
  readonly touch: (machine: Machine) => void
}

function addMachine(
  { queue, random, report, model, network, administrators }: World,
  index: number,
  { images, tampering, rates, touch }: MachineSurroundings,
): Machine {
  return createMachine({
    ...{ index, queue, random, report, model, rates, touch },
    transport: network.transportOf(index),
    installed: random.pick(administrators.installable()),
    image: images.state,
    identityKey: identityKeyOf(index),
    between: tampering,
    onEnd: (ended) => {
      // The user starts it again, as it is or as the newest there is.
      const newest = administrators.installable().at(-1)
      if (newest && random.chance(0.5)) ended.install(newest)
      queue.after(random.integer(10_000, 600_000), ended.start)
    },
  })
}
