/** The end of a seed: nothing goes wrong any more, and whoever may come back has to. */
import type { Machine } from './machine.ts'
import { canFollow, readKeyIds } from './reply-keys.ts'
import { isLockedOut, placeOf, readDevices } from './whereabouts.ts'
import { cyclesOfFaults, type Run, untilUp, type World } from './world.ts'

/** The time within which whoever may come back has to be back: the longest back-off, and some cycles. */
const comebackMs = (cycleMs: number) => 2 * 3_600_000 + 3 * cycleMs

export async function endWell(world: World, run: Run): Promise<void> {
  const { queue, model, service, machines, cycleMs } = world
  const endedAt = queue.now()
  await repairService(world, run)
  if (model.violation()) return
  for (const machine of machines) machine.start()

  const isOver = createLook(world, endedAt)
  await run(queue.now() + comebackMs(cycleMs), isOver)
  if (model.violation()) return
  const lost = machines.filter((machine) => isLostByRestore(world, machine))
  for (const machine of lost) nameFingerprints(world, machine)
  if (lost.length > 0) await run(queue.now() + comebackMs(cycleMs), isOver)
  if (model.violation()) return
  const devices = readDevices(service)
  const back: Machine[] = []
  for (const machine of machines) {
    const place = placeOf(world, machine, devices, endedAt)
    const { index } = machine.facts
    const invariant = isLockedOut(machine) ? 'never-locked-out' : 'back-again'
    model.check(
      invariant,
      place.kind !== 'astray',
      () => `machine ${index}: ${'reason' in place ? place.reason : ''}`,
    )
    if (place.kind !== 'back') continue
    back.push(machine)
    model.checkAllCounted(index)
  }
  model.checkStored(service.storage())

  const token = await fetchToken(world, run)
  // One that the rules keep out may not have asked since its clock was set.
  for (const machine of back) await checkToken(world, machine, token, run)
}

/** A restore that was begun comes to its end, and the administrators put everything once more. */
async function repairService(
  { queue, service, administrators, cycleMs }: World,
  run: Run,
): Promise<void> {
  const endedAt = queue.now()
  let isRepeated = false
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
}

/** Whether nobody is astray any more, looked at every five minutes. */
function createLook(world: World, endedAt: number): () => boolean {
  const { queue, service } = world
  let lookAt = 0
  const notBack = new Set(world.machines)
  return () => {
    if (queue.now() < lookAt) return false
    lookAt = queue.now() + 300_000
    const devices = readDevices(service)
    const places = [...notBack].map((machine) => {
      const { kind } = placeOf(world, machine, devices, endedAt)
      if (kind === 'back') {
        // Nothing happens any more that it would have to come again for.
        machine.connector()?.stop()
        notBack.delete(machine)
      }
      return kind
    })
    return !places.includes('astray')
  }
}

/**
 * A restore may bring back keys of replies that a machine has learnt to believe no more, and take away those that it has
 * learnt since: only its administrator can tell such a service from a false one. Where the last policy forbids its
 * version, its connector ends each time, and does not learn otherwise.
 */
function isLostByRestore({ model, service }: World, machine: Machine): boolean {
  const connector = machine.connector()
  const state = connector ? connector.state() : machine.state()
  const known = state?.replyKeys.map(({ kid }) => kid) ?? []
  const isWaiting = connector ? isLockedOut(machine) : known.length > 0
  return model.epoch() > 0 && isWaiting && !canFollow(service, known)
}

/** As the log of the connector says that it is to be done. */
function nameFingerprints({ report, administrators, service }: World, machine: Machine): void {
  const { version } = machine.installed
  const current = administrators.findInstallable(version)
  if (current === undefined) return
  report.event('fingerprints named after a restore', `machine ${machine.facts.index}`)
  machine.install({ ...current, fingerprints: readKeyIds(service) })
  machine.kill('to be started with fingerprints')
}

/** As an application has it for its pages. */
async function fetchToken({ queue, administrators }: World, run: Run): Promise<string> {
  let token: string | undefined
  let isAnswered = false
  void administrators.token().then((answer) => {
    token = answer
    isAnswered = true
  })
  await run(queue.now() + 60_000, () => isAnswered)
  return token ?? ''
}

/** A page comes to a machine with a token. */
async function checkToken(
  { queue, model }: World,
  machine: Machine,
  token: string,
  run: Run,
): Promise<void> {
  const connector = machine.connector()
  if (connector?.status().kind !== 'good' || model.violation()) return
  let refusal: string | undefined
  let isDecided = false
  void connector
    .verifyToken(token)
    .catch((error) => {
      refusal = String(error)
    })
    .finally(() => {
      isDecided = true
    })
  await run(queue.now() + 60_000, () => isDecided)
  model.check(
    'never-locked-out',
    isDecided && refusal === undefined,
    () => `machine ${machine.facts.index} refuses a token of its service: ${refusal}`,
  )
}
