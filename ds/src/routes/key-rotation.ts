/** Lists the endorsements of the keys of replies, for devices that were away while keys changed. */
import { listSuccessions } from '@cardwire/protocol'
import { listRotationStatements } from '../auth/keys/key-chain.ts'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'

export function bindKeyRotationRoutes(bind: Bind, { db }: Pick<Services, 'db'>): void {
  bind(listSuccessions, async () => ({ data: await listRotationStatements(db) }))
}
