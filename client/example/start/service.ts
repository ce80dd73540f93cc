/** The service of the demonstration. */
import process from 'node:process'
import { findServiceHere, startOnPort } from './ports.ts'
import type { ProcessGroup, RunningProcess } from './processes.ts'
import type { Settings } from './settings.ts'
import { StartError } from './terminal.ts'

/** How long it may take until it listens, in milliseconds: it may have many migrations to do. */
const readyWithinMs = 60_000

export interface RunningService {
  readonly process: RunningProcess
  readonly dsUrl: string
  /** What it shows in a terminal. */
  readonly banner: string
}

/** Resolves when it serves. `firstPassword`: of the account that a new service creates. */
export async function startService(
  processes: ProcessGroup,
  { ports }: Settings,
  firstPassword: string | undefined,
): Promise<RunningService> {
  if (!process.env['DS_DATABASE']) refuseSharedDatabase(ports.service.usual)
  return startOnPort(ports.service, async (port) => {
    const service = processes.start({
      name: 'the service',
      program: process.execPath,
      args: ['--max-semi-space-size=4', '--optimize-for-size', 'ds/dist/node.js'],
      environment: {
        DS_PORT: String(port),
        ...(firstPassword !== undefined && { DS_ADMIN_PASSWORD: firstPassword }),
      },
    })
    const [banner, dsUrl = ''] = await service.waitForOutput({
      pattern: /^.*API document +(\S+)\/docs\n.*Ctrl-C.*\n/s,
      withinMs: readyWithinMs,
    })
    return { process: service, dsUrl, banner }
  })
}

/** Only one service can use a database file. */
function refuseSharedDatabase(port: number): void {
  const pid = findServiceHere(port)
  if (pid === undefined) return
  throw new StartError(
    `Cannot start: npm run ds is running with the same data, on port ${port} (process ${pid}); end that, or give this start a separate data folder: npm start -- --data data/another`,
  )
}
