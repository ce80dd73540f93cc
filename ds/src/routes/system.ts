/** Status, health and metrics of the service. */
import { health, metrics, Problem, systemStatus } from '@cardwire/protocol'
import { createHealthCheck } from '../db/health-check.ts'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'
import { createInventoryReader } from '../sync/inventory.ts'
import { version } from '../version.ts'

export function bindSystemRoutes(bind: Bind, services: Services): void {
  bind(systemStatus, async () => ({ data: { isAlive: true } }))

  const readInventory = createInventoryReader(services)
  const checkHealth = createHealthCheck(services)

  bind(health, async () => {
    if (services.stopping?.aborted) {
      throw new Problem(
        'service-stopping',
        'Cannot accept more requests: this node is stopping, send the request again',
      )
    }
    await checkHealth()
    // With 200: a proxy would take all nodes out at once, and policies and tokens need no files.
    return { status: 'ok' as const, version, files: await services.checkFiles() }
  })

  bind(metrics, async () => {
    if (!services.metrics) {
      throw new Problem(
        'route-unknown',
        'Cannot show metrics: this runtime has none, its platform measures',
      )
    }
    const { contentType, text } = await services.metrics.render(await readInventory())
    return new Response(text, {
      headers: { 'content-type': contentType, 'cache-control': 'no-store' },
    })
  })
}
