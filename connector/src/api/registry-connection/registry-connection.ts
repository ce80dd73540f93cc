/** The connection of an API to the registry: finds it, starts one where there is none, and serves its requests. */
import type { Clock } from '../../system/clock.ts'
import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'
import { type AgentSessionOptions, createAgentSession } from './agent-session.ts'
import { type ConnectionState, createStateLog, type StepResult } from './connection-state.ts'
import { delays } from './delays.ts'
import { createOwnRegistry, describeConflict, type OwnRegistryOptions } from './own-registry.ts'
import { createPauses } from './pauses.ts'
import { type RegistryClient, RegistryRefusal, type Scope } from './registry-client.ts'

export interface RegistryConnection {
  state(): ConnectionState
  /** The process of the registry that this API runs; 0 when it runs none. */
  pid(): number
  /** Registers again, because the registration has changed. */
  refresh(): void
  /** Ends the connection, and the registry that this API runs. */
  stop(): Promise<void>
}

export interface ConnectionOptions extends AgentSessionOptions, OwnRegistryOptions {
  readonly client: RegistryClient
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly clock: Clock
}

export function connectToRegistry(options: ConnectionOptions): RegistryConnection {
  const { client, log } = options
  const session = createAgentSession(options)
  const states = createStateLog(log)
  const { pause, end: endPauses } = createPauses(options.clock)
  let stopped = false
  const own = createOwnRegistry({ ...options, pause, isStopped: () => stopped })

  function setState(next: ConnectionState): void {
    if (!stopped) states.set(next)
  }

  async function serve(scope: Scope): Promise<StepResult> {
    try {
      await session.serve(
        () => setState({ kind: 'linked', scope }),
        () => stopped || own.blocksService(),
      )
      return {}
    } catch (error) {
      return toServeFailure(error)
    }
  }

  async function handleConflict(conflict: 'foreign' | 'other-program'): Promise<StepResult> {
    // A registry of ours that does not answer hangs.
    if (own.pid() > 0 && conflict === 'other-program') {
      await own.stop()
      return {}
    }
    if (conflict === 'foreign' && states.current().kind !== 'foreign') {
      await pause(delays.renewedCertificateMs)
      if ((await client.probe()).kind !== 'foreign') return {}
    }
    const kind = conflict === 'foreign' ? 'foreign' : 'taken'
    const state = { kind, reason: await describeConflict(options, conflict) } as const
    return { state, pauseMs: delays.portTakenMs }
  }

  async function findRegistry(): Promise<StepResult> {
    if (own.blocksService()) await own.stop()
    const found = await client.probe()
    if (found.kind === 'known') return serve(found.scope)
    if (found.kind !== 'absent') return handleConflict(found.kind)
    return own.start(states.current().kind === 'starting')
  }

  async function run(): Promise<void> {
    while (!stopped) {
      try {
        const { state, pauseMs } = await findRegistry()
        if (state) setState(state)
        if (pauseMs !== undefined) await pause(pauseMs)
      } catch (error) {
        log.error('registry connection failed', { reason: errorText(error) })
        await pause(delays.retryMs)
      }
    }
  }
  const running = run()

  return {
    state: states.current,
    pid: own.pid,
    refresh: session.refresh,
    async stop() {
      stopped = true
      endPauses()
      client.close()
      await own.stop()
      await running
      await own.stop()
    },
  }
}

function toServeFailure(error: unknown): StepResult {
  if (error instanceof RegistryRefusal) {
    return { state: { kind: 'refused', reason: error.message }, pauseMs: delays.portTakenMs }
  }
  const state = { kind: 'absent', reason: 'it ended, looking for another' } as const
  return { state, pauseMs: delays.registryEndedMs }
}
