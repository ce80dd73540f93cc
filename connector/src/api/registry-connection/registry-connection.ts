/** The connection of an API to the registry: finds it, starts one where there is none, and serves its requests. */
import type { Clock } from '../../system/clock.ts'
import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'
import { type AgentSessionOptions, createAgentSession } from './agent-session.ts'
import { type ConnectionState, createStateLog } from './connection-state.ts'
import { delays } from './delays.ts'
import { findRegistry } from './find-registry.ts'
import { createOwnRegistry, type OwnRegistryOptions } from './own-registry.ts'
import { createPauses } from './pauses.ts'
import type { RegistryClient, Scope } from './registry-client.ts'

export interface RegistryConnection {
  state(): ConnectionState
  /** The process of the registry that this API runs; 0 when it runs none. */
  pid(): number
  /** Registers again, because the registration has changed. */
  refresh(): void
  /** Ends the connection, and the registry that this API runs. */
  stop(): Promise<void>
}

export interface ConnectionOptions extends Omit<AgentSessionOptions, 'pause'>, OwnRegistryOptions {
  readonly client: RegistryClient
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly clock: Clock
}

export function connectToRegistry(options: ConnectionOptions): RegistryConnection {
  const { client, log } = options
  const states = createStateLog(log)
  const { pause, end: endPauses } = createPauses(options.clock)
  const session = createAgentSession({ ...options, pause })
  let stopped = false
  const own = createOwnRegistry({ ...options, pause, isStopped: () => stopped })

  function setState(next: ConnectionState): void {
    if (!stopped) states.set(next)
  }
  const parts = {
    ...{ client, explain: options.explain, session, own, pause },
    isStopped: () => stopped,
    state: states.current,
    onLinked: (scope: Scope) => setState({ kind: 'linked', scope }),
  }

  async function run(): Promise<void> {
    while (!stopped) {
      try {
        const { state, pauseMs } = await findRegistry(parts)
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
