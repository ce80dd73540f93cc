/** The registry that this API runs: started where none listens and none is provided by others. */
import type { Explanation, PortConflict } from '../../registry/port-conflict.ts'
import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'
import type { StepResult } from './connection-state.ts'
import { delays } from './delays.ts'
import type { RegistryClient } from './registry-client.ts'
import type { RegistryProcess } from './spawn-registry.ts'

export interface OwnRegistryOptions {
  readonly client: Pick<RegistryClient, 'probe'>
  /** Whether the registry is a service of this machine: then none is started here. */
  readonly isService: () => boolean
  /** Starts a registry; undefined: none is started here. */
  readonly spawn: (() => RegistryProcess) | undefined
  /** Explains why the port cannot be used. */
  readonly explain: (conflict: PortConflict) => Promise<Explanation>
  readonly log: Pick<Log, 'info' | 'error'>
  /** From 0 to 1. */
  readonly random: () => number
}

export interface OwnRegistry {
  /** Its process; 0: none runs. */
  pid(): number
  /** Whether it has the port for which a service that was installed meanwhile waits. */
  blocksService(): boolean
  /** Starts one. `isFirst`: this API has just started, there is no other one to wait for. */
  start(isFirst: boolean): Promise<StepResult>
  stop(): Promise<void>
}

export function createOwnRegistry(
  options: OwnRegistryOptions & {
    readonly pause: (ms: number) => Promise<void>
    readonly isStopped: () => boolean
  },
): OwnRegistry {
  const { client, isService, spawn, log } = options
  let child: RegistryProcess | undefined
  const isAlive = () => child?.isAlive() === true

  return {
    pid: () => (child?.isAlive() ? child.pid : 0),
    blocksService: () => isAlive() && isService(),
    async start(isFirst) {
      if (isService()) {
        return toAbsent(await describeConflict(options, 'absent'), delays.retryMs)
      }
      if (!spawn) return toAbsent('there is none: start one, cardwire registry', delays.retryMs)
      if (!isFirst) await options.pause(options.random() * delays.maxTakeOverMs)
      if (options.isStopped() || (await client.probe()).kind !== 'absent') return {}
      await child?.stop()
      try {
        child = spawn()
      } catch (error) {
        log.error('registry not started', { reason: errorText(error) })
        return toAbsent(`it cannot be started: ${errorText(error)}`, delays.portTakenMs)
      }
      log.info('registry started', { pid: child.pid })
      if (await child.listening) return {}
      // The program that has the port does not answer on 127.0.0.1: it may have only that of ::1.
      if (child.isPortTaken() && (await client.probe()).kind === 'absent') {
        const reason = await describeConflict(options, 'other-program')
        return { state: { kind: 'taken', reason }, pauseMs: delays.portTakenMs }
      }
      return { pauseMs: delays.retryMs }
    },
    async stop() {
      await child?.stop()
    },
  }
}

export async function describeConflict(
  { explain }: Pick<OwnRegistryOptions, 'explain'>,
  conflict: PortConflict,
): Promise<string> {
  const { what, todo } = await explain(conflict)
  return `${what}: ${todo}`
}

const toAbsent = (reason: string, pauseMs: number): StepResult => ({
  state: { kind: 'absent', reason },
  pauseMs,
})
