/** What happens to a fleet beside the faults of single messages and writes, each at a time of its own. */
import type { SeededRandom } from '../bed/random.ts'
import type { Machine } from './machine.ts'
import { cyclesOfFaults, type World } from './world.ts'

export function planMishaps(world: World): void {
  const { queue, random, report, model, network, service } = world
  const { machines, administrators, rates, cycleMs } = world
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
  plan(rates.serviceKills * service.nodes, () => service.kill('was killed'))
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
    model.rollouts.clockSet()
    report.fault('clock of the service jumped', `to ${service.clockOffsetMs} ms`)
  })
  if (service.nodes > 1) plan(2 * rates.serviceClockJumps, service.setClockOfNode)
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
  plan(rates.rolloutChanges, administrators.rollOut)
  if (rates.rolloutChanges > 0) {
    plan(machines.length, () => followOffer(random.pick(machines), world))
    plan(machines.length / 4, service.download)
  }
  plan(rates.restores, () => {
    administrators.backUp()
    queue.after(random.integer(0, endAt - queue.now()), administrators.restore)
  })
}

/** A user installs what the connector suggests, or goes back to a version that everybody has. */
function followOffer(machine: Machine, { random, administrators }: World): void {
  const { version } = machine.installed
  const offered = machine.connector()?.policy()?.verdict.offer?.version ?? ''
  const next =
    offered > version
      ? administrators.findInstallable(offered)
      : random.pick(administrators.installable())
  if (!next || next.version === version || (offered <= version && random.chance(0.7))) return
  machine.install(next)
  machine.kill('for another version')
}

/** The service counts no use of a day farther ahead than tomorrow: clocks stay within that of each other. */
const maxOffsetMs = 10 * 3_600_000

/** Sets a clock by seconds, minutes or hours, forward or back: from `offsetMs` to what is returned, in milliseconds. */
const jumpFrom = (offsetMs: number, random: SeededRandom) => {
  const ms = random.pick([-1, 1]) * random.integer(1, random.pick([1000, 400_000, maxOffsetMs]))
  return Math.min(Math.max(offsetMs + ms, -maxOffsetMs), maxOffsetMs)
}
