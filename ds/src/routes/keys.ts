/** API keys of versions and labels: made, replaced, and told to the gateway. */
import { Problem } from '@cardwire/client/protocol'
import type { Entry } from '../db/audit.ts'
import { violation } from '../db/violation.ts'
import {
  type Consumer,
  type Gateway,
  GatewayError,
  type GatewayRefusal,
} from '../gateway/gateway.ts'
import type { Random } from '../services.ts'

/** A row that was just made, as far as nobody else has changed it. */
interface StoredRow {
  untouched(): Promise<boolean>
  /** Takes the row back if it is untouched. */
  undo(): PromiseLike<unknown>
}

export function keysOf(gateway: Gateway, random: Random) {
  return {
    /** Refuses a key that is held before anything is stored for it; one taken meanwhile is refused by `create`. */
    async mustBeFree(consumer: Consumer, given: string | undefined): Promise<void> {
      const holder = given && (await gateway.lookup(given))
      if (holder && (holder.kind !== consumer.kind || holder.id !== consumer.id))
        throw problemOf(new GatewayError('key-taken'), consumer)
    },

    /**
     * Registers a consumer whose row was just stored. A consumer that is there already was left by an interrupted
     * removal, unless somebody changed the row since; a key that is taken undoes the row.
     */
    async create(
      consumer: Consumer,
      given: string | undefined,
      row: StoredRow,
      entry: Entry,
    ): Promise<string> {
      const key = given ?? random.uuid()
      try {
        await gateway.register(consumer, key, entry).catch(async (error) => {
          if (!isRefusal(error, 'consumer-taken') || !(await row.untouched())) throw error
          await gateway.rotate(consumer, key, 0, entry)
        })
      } catch (error) {
        if (isRefusal(error, 'key-taken')) await undo(row)
        throw problemOf(error, consumer)
      }
      return key
    },

    /** Gives a consumer a new key, and makes the consumer where an interrupted creation left none. */
    async replace(
      consumer: Consumer,
      given: string | undefined,
      overlapS: number,
      entry: Entry,
    ): Promise<string> {
      const key = given ?? random.uuid()
      try {
        await gateway.rotate(consumer, key, overlapS, entry).catch((error) => {
          if (!isRefusal(error, 'consumer-unknown')) throw error
          return gateway.register(consumer, key, entry)
        })
      } catch (error) {
        throw problemOf(error, consumer)
      }
      return key
    },
  }
}

const isRefusal = (error: unknown, reason: GatewayRefusal) =>
  error instanceof GatewayError && error.reason === reason

async function undo(row: StoredRow): Promise<void> {
  try {
    await row.undo()
  } catch (error) {
    // Something depends on the row by now: it stays, and the refusal stands.
    if (violation(error)?.kind !== 'reference') throw error
  }
}

function problemOf(error: unknown, { kind, id }: Consumer): unknown {
  if (!(error instanceof GatewayError)) return error
  const subject = kind === 'application' ? `label "${id}"` : `version "${id}"`
  return error.reason === 'key-taken'
    ? new Problem('api-key-taken', `Cannot give ${subject} this API key: another one holds it`)
    : new Problem(
        'changed-meanwhile',
        `Cannot give ${subject} a key: somebody else just did, read it again`,
      )
}
