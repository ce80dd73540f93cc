/** Nodes of the service on one database, as processes of this machine. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { findFreePort } from '../../test/bed/free-port.ts'
import type { MeasuredProgram } from './compare-sync.ts'
import type { Engine } from './engine.ts'
import { registerBenchData, type Service, startProcess, startService } from './service.ts'

interface Nodes {
  /** The first one: the address of the service that all of them name. */
  readonly service: Service
  readonly nodes: readonly MeasuredProgram[]
}

/** `folder`: for their folders and output. */
export async function startNodes(
  folder: string,
  packages: string,
  engine: Engine,
  count: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Nodes> {
  if (!engine.isShared) {
    if (count > 1) throw new Error('Cannot measure several nodes on a file: name a PostgreSQL')
    const service = await startService(join(folder, 'service'), packages, engine.database, settings)
    return { service, nodes: [service] }
  }
  const ports: number[] = []
  while (ports.length < count) ports.push(await findFreePort())
  const url = `http://127.0.0.1:${ports[0]}`
  const shared = { DS_URL: url, DS_SECRET: randomBytes(32).toString('base64') }
  const nodes = await Promise.all(
    ports.map(async (port) => {
      const own = { ...shared, ...settings, DS_PORT: String(port) }
      const place = join(folder, `service-${port}`)
      const { pid, end } = await startProcess(place, packages, engine.database, own)
      return { url: `http://127.0.0.1:${port}`, pid, end }
    }),
  )
  const [first] = nodes
  if (!first) throw new Error(`Cannot start ${count} nodes: one is the least`)
  return { service: { ...first, ...(await registerBenchData(url)) }, nodes }
}
