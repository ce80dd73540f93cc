/** How the keys of replies followed each other, for devices that were away. */
import { listSuccessions } from '@cardwire/client/protocol'
import { allSuccessions } from '../auth/succession.ts'
import type { Services } from '../services.ts'
import type { Bind } from './bind.ts'

export function successionRoutes(bind: Bind, { db }: Pick<Services, 'db'>): void {
  bind(listSuccessions, async () => ({ data: await allSuccessions(db) }))
}
