/** The connection of an API to the registry: finds it, starts one where there is none, and serves its requests. */
import type { Explanation, PortConflict } from '../../registry/port-conflict.ts'
import type { Clock } from '../../system/clock.ts'
import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'
import { type AgentSessionOptions, createAgentSession } from './agent-session.ts'
import { type RegistryClient, RegistryRefusal, type Scope } from './registry-client.ts'
import type { RegistryProcess } from './spawn-registry.ts'

export type ConnectionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'linked'; readonly scope: Scope }
  /** No registry, or none that can be used; the reason says what to do. */
  | { readonly kind: 'absent' | 'foreign' | 'taken' | 'refused'; readonly reason: string }

export interface RegistryConnection {
  state(): ConnectionState
  /** The process of the registry that this API runs; 0 when it runs none. */
  pid(): number
  /** Registers again, because the registration has changed. */
  refresh(): void
  /** Ends the connection, and the registry that this API runs. */
  stop(): Promise<void>
}

export interface ConnectionOptions extends AgentSessionOptions {
  readonly client: RegistryClient
  /** Whether the registry is a service of this machine: then none is started here. */
  readonly isService: () => boolean
  /** Starts a registry; undefined: none is started here. */
  readonly spawn: (() => RegistryProcess) | undefined
  /** Explains why the port cannot be used. */
  readonly explain: (conflict: PortConflict) => Promise<Explanation>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
}

/** Milliseconds. */
const delays = {
  /** The APIs of a user wait a random part of this before they start a registry in place of one that ended. */
  maxTakeOverMs: 2000,
  /** Between two probes of a port that another program has. */
  portTakenMs: 5000,
  /** Between two probes of a service that does not answer, and after a failure. */
  retryMs: 1000,
  /** Before the next probe once the registry has ended. */
  registryEndedMs: 100,
  /** A renewed certificate is in its file a moment before it is served. */
  renewedCertificateMs: 500,
}

export function connectToRegistry(options: ConnectionOptions): RegistryConnection {
  const { client, log, clock } = options
  const session = createAgentSession(options)
  let state: ConnectionState = { kind: 'starting' }
  let child: RegistryProcess | undefined
  let stopped = false
  let wake = () => {}

  async function pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = clock.after(ms, resolve)
    wake = resolve
    if (!stopped) await promise
    cancel()
  }

  /** Logs a state once for each change. */
  function setState(next: ConnectionState): void {
    if (Bun.deepEquals(state, next) || stopped) return
    state = next
    if (next.kind === 'linked') log.info('registry found', { scope: next.scope })
    else if (next.kind !== 'starting')
      log.warn('no registry', { state: next.kind, reason: next.reason })
  }

  async function describeConflict(conflict: PortConflict): Promise<string> {
    const { what, todo } = await options.explain(conflict)
    return `${what}: ${todo}`
  }

  /** Whether the registry of this API has the port for which a service that was installed meanwhile waits. */
  const blocksService = () => child?.isAlive() === true && options.isService()

  async function serve(scope: Scope): Promise<void> {
    try {
      await session.serve(
        () => setState({ kind: 'linked', scope }),
        () => stopped || blocksService(),
      )
    } catch (error) {
      if (error instanceof RegistryRefusal) {
        setState({ kind: 'refused', reason: error.message })
        return pause(delays.portTakenMs)
      }
      setState({ kind: 'absent', reason: 'it ended, looking for another' })
      return pause(delays.registryEndedMs)
    }
  }

  /** Starts a registry where none listens and none is provided by others. */
  async function startRegistry(): Promise<void> {
    const { spawn } = options
    if (options.isService()) {
      setState({ kind: 'absent', reason: await describeConflict('absent') })
      return pause(delays.retryMs)
    }
    if (!spawn) {
      setState({ kind: 'absent', reason: 'there is none: start one, cardwire registry' })
      return pause(delays.retryMs)
    }
    // At the very start there is no other API to wait for.
    if (state.kind !== 'starting') await pause(options.random() * delays.maxTakeOverMs)
    if (stopped || (await client.probe()).kind !== 'absent') return
    await child?.stop()
    try {
      child = spawn()
    } catch (error) {
      log.error('registry not started', { reason: errorText(error) })
      setState({ kind: 'absent', reason: `it cannot be started: ${errorText(error)}` })
      return pause(delays.portTakenMs)
    }
    log.info('registry started', { pid: child.pid })
    if (!(await child.listening)) await pause(delays.retryMs)
  }

  async function handleConflict(conflict: 'foreign' | 'other-program'): Promise<void> {
    // A registry of ours that does not answer hangs.
    if (child?.isAlive() && conflict === 'other-program') return child.stop()
    if (conflict === 'foreign' && state.kind !== 'foreign') {
      await pause(delays.renewedCertificateMs)
      if ((await client.probe()).kind !== 'foreign') return
    }
    const kind = conflict === 'foreign' ? 'foreign' : 'taken'
    setState({ kind, reason: await describeConflict(conflict) })
    return pause(delays.portTakenMs)
  }

  async function findRegistry(): Promise<void> {
    if (blocksService()) await child?.stop()
    const found = await client.probe()
    if (found.kind === 'known') return serve(found.scope)
    return found.kind === 'absent' ? startRegistry() : handleConflict(found.kind)
  }

  const running = (async () => {
    while (!stopped) {
      try {
        await findRegistry()
      } catch (error) {
        log.error('registry connection failed', { reason: errorText(error) })
        await pause(delays.retryMs)
      }
    }
  })()

  return {
    state: () => state,
    pid: () => (child?.isAlive() ? child.pid : 0),
    refresh: session.refresh,
    async stop() {
      stopped = true
      wake()
      client.close()
      await child?.stop()
      await running
      await child?.stop()
    },
  }
}
