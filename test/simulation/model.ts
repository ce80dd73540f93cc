/** What truly happened, kept beside the programs under test: it decides whether the invariants hold. */
import type { Policy } from './connector-code.ts'
import { readReleases } from './releases.ts'
import { type Invariant, type Report, Violation } from './report.ts'
import { createRolloutModel } from './rollout-model.ts'
import type { Storage } from './service-database.ts'
import { readCounters, readStored, revisionOf } from './stored-rows.ts'
import { createUseModel } from './use-model.ts'

/** One machine, as the model knows it. */
export interface MachineFacts {
  readonly index: number
  /** Per version: the revision of the newest policy it believed, and of the newest that its disk has. */
  readonly believed: Map<string, number>
  readonly stored: Map<string, number>
  /** What was in force at the service when the synchronisation under way was begun, and before which restore that was. */
  /** When it did last, in milliseconds since 1970. */
  synchronisedAt: number
  lastRequest: { readonly floor: number; readonly epoch: number } | undefined
}

/** What the service said to a device. */
interface Reply {
  readonly aud: string
  readonly iat: number
}

/** Who told an administrator that a key is withdrawn, and when: in which step, and in milliseconds since 1970. */
interface Withdrawal {
  readonly step: number
  readonly at: number
  readonly node: number
}

interface AnsweringNode {
  readonly number: number
  /** In milliseconds since 1970. */
  readonly clockSetAt: number
}

/** So long a node keeps keys in memory, in milliseconds by its clock: others learn of a withdrawal that late (docs/deploy.md). */
const keysKeptMs = 1000

/**
 * Whether a node may still sign with a withdrawn key that it has read before: not the one that withdrew it, and others no longer than
 * they keep keys. A clock that is set back within that time makes this twice as long.
 */
const maySignStill = (
  { node, at }: Withdrawal,
  { number, clockSetAt }: AnsweringNode,
  now: number,
) => number !== node && (now - at <= keysKeptMs || now - clockSetAt <= 2 * keysKeptMs)

export type Model = ReturnType<typeof createModel>

export function createModel(report: Report) {
  let violation: Violation | undefined
  let step = 0
  /** How many backups were restored. */
  let epoch = 0
  const replies = new Map<string, Reply & { readonly epoch: number }>()
  /** What the newest backup that was restored had of each version. */
  let restoredRevisions: ReadonlyMap<string, number> = new Map()
  const machines: MachineFacts[] = []
  /** By version: the revision that an administrator was told is stored. */
  const inForce = new Map<string, number>()
  /** By device id: the step in which an administrator was told so. */
  const blockedSince = new Map<string, number>()
  /** By key id: when an administrator was told so. */
  const withdrawnSince = new Map<string, Withdrawal>()
  const registered = new Set<string>()
  /** By device id: the step in which an administrator last deleted it, or tried to. */
  const deletedSince = new Map<string, number>()

  function violate(invariant: Invariant, reason: string): void {
    violation ??= new Violation(invariant, reason)
  }

  function check(invariant: Invariant, holds: boolean, reason: () => string): void {
    report.checked(invariant)
    if (!holds) violate(invariant, reason())
  }

  const uses = createUseModel(check)
  const rollouts = createRolloutModel(check, report)

  return {
    violation: () => violation,
    violate,
    check,
    epoch: () => epoch,
    machines,
    nextStep() {
      step += 1
    },

    addMachine(index: number): MachineFacts {
      const facts = {
        index,
        believed: new Map(),
        stored: new Map(),
        lastRequest: undefined,
        synchronisedAt: 0,
      }
      machines.push(facts)
      return facts
    },

    // Uses.
    useDone: uses.done,
    useUncertain: uses.uncertain,
    /** The connector has forgotten these uses. */
    settle(
      { lastRequest }: MachineFacts,
      entries: readonly { readonly tag?: string | undefined; readonly count: number }[],
    ) {
      uses.settle(entries, lastRequest?.epoch === epoch)
    },
    /** What the service counts now. */
    countersChanged: uses.counted,
    checkAllCounted: uses.checkAllCounted,

    // The service.
    step: () => step,
    rollouts,
    /** Notes what has changed of versions and rollouts. */
    noteReleases(storage: Storage) {
      if (storage.takeReleaseChange()) rollouts.changed(readReleases(storage), step)
    },
    inForce,
    /** A reply of a node, to a request that came in step `arrived`. */
    replied(
      reply: Reply & { readonly re: string; readonly kid: string },
      arrived: number,
      node: AnsweringNode,
    ) {
      replies.set(reply.re, { ...reply, epoch })
      const blockedAt = blockedSince.get(reply.aud)
      check(
        'blocked-refused',
        blockedAt === undefined || blockedAt > arrived,
        () => `device ${reply.aud} was blocked, and the service answered it`,
      )
      const withdrawal = withdrawnSince.get(reply.kid)
      check(
        'withdrawn-key-silent',
        withdrawal === undefined ||
          withdrawal.step > arrived ||
          maySignStill(withdrawal, node, report.now()),
        () => `key ${reply.kid} was withdrawn, and the service signed with it`,
      )
    },
    blocked: (device: string) => void blockedSince.set(device, step),
    isBlocked: (device: string) => blockedSince.has(device),
    mayBeUnblocked: (device: string) => void blockedSince.delete(device),
    /** An administrator was told so by this node. */
    withdrawn: (key: string, node: number) =>
      void withdrawnSince.set(key, { step, node, at: report.now() }),
    mayBeDeleted(device: string) {
      registered.delete(device)
      deletedSince.set(device, step)
      blockedSince.delete(device)
    },
    /** Everything that was acknowledged is in the database. */
    checkStored(storage: Storage) {
      const stored = readStored(storage)
      for (const device of registered) {
        check(
          'acknowledged-kept',
          stored.blocked.has(device),
          () => `device ${device} was registered, and the service has lost it`,
        )
      }
      for (const device of blockedSince.keys()) {
        check(
          'acknowledged-kept',
          stored.blocked.get(device) === true,
          () => `device ${device} was blocked, and the service has forgotten it`,
        )
      }
      for (const [version, revision] of inForce) {
        const found = stored.revisions.get(version) ?? 0
        check(
          'acknowledged-kept',
          found >= revision,
          () => `the policy of ${version} is at ${found}, and ${revision} was stored`,
        )
      }
      for (const key of withdrawnSince.keys()) {
        check(
          'acknowledged-kept',
          !stored.keys.has(key),
          () => `key ${key} was withdrawn, and is back`,
        )
      }
    },
    /** A backup has taken the place of what the service knew. */
    restored(storage: Storage, backup: Backup) {
      epoch += 1
      restoredRevisions = readStored(storage).revisions
      const { revisions, blocked } = readStored(storage)
      inForce.clear()
      for (const [version, revision] of backup.inForce) inForce.set(version, revision)
      blockedSince.clear()
      for (const [device, isBlocked] of blocked) if (isBlocked) blockedSince.set(device, step)
      withdrawnSince.clear()
      registered.clear()
      for (const device of backup.registered) registered.add(device)
      for (const { believed, stored } of machines) {
        for (const known of [believed, stored]) {
          for (const [version, revision] of known) {
            known.set(version, Math.min(revision, revisions.get(version) ?? 0))
          }
        }
      }
      uses.restored(readCounters(storage), backup.settled)
      rollouts.restored()
      rollouts.changed(readReleases(storage), step)
    },
    backup: (): Backup => ({
      inForce: new Map(inForce),
      registered: new Set(registered),
      settled: uses.settled(),
    }),

    // Machines.
    recordRequest(facts: MachineFacts, version: string) {
      facts.lastRequest = { floor: inForce.get(version) ?? 0, epoch }
    },
    /** The service has said that this device is registered, to a request that came in step `arrived`. It may be deleted meanwhile. */
    wasRegistered(device: string, arrived: number) {
      if ((deletedSince.get(device) ?? -1) < arrived) registered.add(device)
    },
    /** A machine follows another policy than before. */
    believes(facts: MachineFacts, version: string, policy: Policy) {
      const revision = revisionOf(policy)
      const origin = replies.get(policy.re)
      check(
        'reply-own',
        origin?.aud === policy.aud && origin.iat === policy.iat,
        () => `machine ${facts.index} believes what the service did not say to ${policy.aud}`,
      )
      const before = facts.believed.get(version) ?? 0
      check(
        'policy-in-order',
        revision >= before,
        () => `machine ${facts.index} believed ${before} of ${version}, and now ${revision}`,
      )
      facts.believed.set(version, revision)
    },
    /** A machine has synchronised: what it follows was in force since it asked, or came later. */
    synchronised(facts: MachineFacts, version: string, policy: Policy | undefined) {
      const { lastRequest } = facts
      facts.synchronisedAt = report.now()
      if (lastRequest === undefined) return
      const revision = policy ? revisionOf(policy) : 0
      const isOfNow = lastRequest.epoch === epoch
      check(
        'policy-in-order',
        !isOfNow || revision >= lastRequest.floor,
        () =>
          `machine ${facts.index} was told ${revision} of ${version} when ${lastRequest.floor} was in force`,
      )
      // Replied before a restore: what comes next may be older.
      if (!isOfNow) facts.believed.set(version, Math.min(revision, inForce.get(version) ?? 0))
    },
    /** The disk of a machine has taken a policy. */
    stores(facts: MachineFacts, policy: Policy) {
      const { version } = policy.verdict
      const isOfNow = replies.get(policy.re)?.epoch === epoch
      // Replied before a restore: what comes next may be older.
      const most = isOfNow ? Number.POSITIVE_INFINITY : (restoredRevisions.get(version) ?? 0)
      facts.stored.set(version, Math.min(revisionOf(policy), most))
    },
    /** A machine that starts follows what it finds on its disk. */
    resumes(facts: MachineFacts, policy: Policy | undefined) {
      check(
        'policy-in-order',
        policy !== undefined || facts.stored.size === 0,
        () => `machine ${facts.index} had stored a policy, and starts without`,
      )
      if (policy === undefined) return
      const { version } = policy.verdict
      const [revision, before] = [revisionOf(policy), facts.stored.get(version) ?? 0]
      check(
        'policy-in-order',
        revision >= before,
        () =>
          `machine ${facts.index} had stored ${before} of ${version}, and starts with ${revision}`,
      )
      // A restore since may have made it newer than what the service has.
      facts.believed.set(version, Math.min(revision, before))
    },
  }
}

/** What the model knew when a backup was made. */
export interface Backup {
  readonly inForce: ReadonlyMap<string, number>
  readonly registered: ReadonlySet<string>
  readonly settled: ReadonlyMap<string, number>
}
