/** Looks at what a connector follows, and tells the model what has changed. */
import type { Connector, Policy } from './connector-code.ts'
import type { EventQueue } from './event-queue.ts'
import type { MachineFacts, Model } from './model.ts'

interface WatchParts {
  readonly facts: MachineFacts
  readonly queue: EventQueue
  readonly model: Model
  /** That is installed. */
  readonly version: () => string
}

export interface MachineWatch {
  /** A process begins. */
  begin(): void
  /** It has read its disk. */
  resume(connector: Connector): void
  inspect(connector: Connector, own: { readonly isDead: boolean }): void
  /** Whether the installed version must not run. */
  isForbidding(policy: Policy | undefined): boolean
}

/** From the verdict to the end, in milliseconds, as the specification has it. */
const forbiddenMs = 10_000

export function createMachineWatch({ facts, queue, model, version }: WatchParts): MachineWatch {
  const { index } = facts
  let followed: Policy | undefined
  let goodAt: number | undefined
  let forbiddenSince: number | undefined

  const isForbidding = (policy: Policy | undefined) =>
    policy?.verdict.version === version() && /^(require|stop)$/.test(policy.verdict.action)

  /** A version that must not run ends in time, unless that is taken back before. */
  function watchForbidden(own: { readonly isDead: boolean }, policy: Policy | undefined): void {
    if (!isForbidding(policy)) {
      forbiddenSince = undefined
      return
    }
    if (forbiddenSince !== undefined) return
    const since = queue.now()
    forbiddenSince = since
    queue.after(forbiddenMs + 1000, () =>
      model.check(
        'forbidden-ends',
        own.isDead || forbiddenSince !== since,
        () => `machine ${index} runs on although its version must not`,
      ),
    )
  }

  return {
    begin() {
      followed = undefined
      goodAt = undefined
      forbiddenSince = undefined
    },
    resume(connector) {
      followed = connector.policy()
      model.resumes(facts, followed)
    },
    inspect(connector, own) {
      const policy = connector.policy()
      if (policy !== followed) {
        followed = policy
        if (policy) model.believes(facts, policy.verdict.version, policy)
      }
      const status = connector.status()
      if (status.kind === 'good' && status.at !== goodAt) {
        goodAt = status.at
        model.synchronised(facts, version(), policy)
      }
      if (status.kind === 'refused' && status.code === 'internal') {
        model.violate('no-defect', `machine ${index}: ${status.reason}`)
      }
      watchForbidden(own, policy)
    },
    isForbidding,
  }
}
