/** One step to a registry: serves the one that listens, starts one, or says who has its port. */
import type { AgentSession } from './agent-session.ts'
import type { ConnectionState, StepResult } from './connection-state.ts'
import { delays } from './delays.ts'
import { describeConflict, type OwnRegistry, type OwnRegistryOptions } from './own-registry.ts'
import { type RegistryClient, RegistryRefusal, type Scope } from './registry-client.ts'

export interface FindOptions extends Pick<OwnRegistryOptions, 'explain'> {
  readonly client: RegistryClient
  readonly session: AgentSession
  readonly own: OwnRegistry
  readonly pause: (ms: number) => Promise<void>
  readonly isStopped: () => boolean
  readonly state: () => ConnectionState
  /** The registry that listens has this agent. */
  readonly onLinked: (scope: Scope) => void
}

/** Resolves when there is no registry to serve, or not any more. */
export async function findRegistry(options: FindOptions): Promise<StepResult> {
  const { client, own, state } = options
  if (own.blocksService()) await own.stop()
  const found = await client.probe()
  if (found.kind === 'known') return serve(found.scope, options)
  if (found.kind !== 'absent') return handleConflict(found.kind, options)
  return own.start(state().kind === 'starting')
}

async function serve(
  scope: Scope,
  { session, own, isStopped, onLinked }: FindOptions,
): Promise<StepResult> {
  try {
    await session.serve(
      () => onLinked(scope),
      () => isStopped() || own.blocksService(),
    )
    return {}
  } catch (error) {
    if (error instanceof RegistryRefusal) {
      return { state: { kind: 'refused', reason: error.message }, pauseMs: delays.portTakenMs }
    }
    const state = { kind: 'absent', reason: 'it ended, looking for another' } as const
    return { state, pauseMs: delays.registryEndedMs }
  }
}

async function handleConflict(
  conflict: 'foreign' | 'other-program',
  { client, own, pause, state, explain }: FindOptions,
): Promise<StepResult> {
  // A registry of ours that does not answer hangs.
  if (own.pid() > 0 && conflict === 'other-program') {
    await own.stop()
    return {}
  }
  if (conflict === 'foreign' && state().kind !== 'foreign') {
    await pause(delays.renewedCertificateMs)
    if ((await client.probe()).kind !== 'foreign') return {}
  }
  const kind = conflict === 'foreign' ? 'foreign' : 'taken'
  const reason = await describeConflict({ explain }, conflict)
  return { state: { kind, reason }, pauseMs: delays.portTakenMs }
}
