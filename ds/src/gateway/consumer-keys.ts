/** Creates and replaces the API keys of versions and labels. */
import { Problem } from '@cardwire/protocol'
import type { AuditEntry } from '../db/audit.ts'
import { findViolation } from '../db/constraint-error.ts'
import type { Random } from '../ports.ts'
import { type Consumer, type Gateway, GatewayError, type GatewayErrorReason } from './gateway.ts'

/** The row that was just inserted for a consumer. */
interface InsertedRow {
  isUnchanged(): Promise<boolean>
  /** Deletes the row if it is unchanged. */
  undo(): PromiseLike<unknown>
}

export function createConsumerKeys(gateway: Gateway, random: Random) {
  return {
    /** Refuses a key of another consumer before anything is stored; `create` refuses one that is taken meanwhile. */
    async requireFree(consumer: Consumer, given: string | undefined): Promise<void> {
      const holder = given && (await gateway.lookup(given))
      if (holder && (holder.kind !== consumer.kind || holder.id !== consumer.id))
        throw toProblem(new GatewayError('key-taken'), consumer)
    },

    /**
     * Registers a consumer whose row was just inserted. If the consumer exists and the row is unchanged, an interrupted
     * removal has left it, and it gets the key. When the key is taken, the row is deleted again.
     */
    async create(
      consumer: Consumer,
      given: string | undefined,
      row: InsertedRow,
      entry: AuditEntry,
    ): Promise<string> {
      const key = given ?? random.uuid()
      try {
        await gateway.register(consumer, key, entry).catch(async (error) => {
          if (!isGatewayError(error, 'consumer-taken') || !(await row.isUnchanged())) throw error
          await gateway.rotate(consumer, key, 0, entry)
        })
      } catch (error) {
        if (isGatewayError(error, 'key-taken')) await undo(row)
        throw toProblem(error, consumer)
      }
      return key
    },

    /** Gives a consumer a new key; registers the consumer where an interrupted creation has left none. */
    async replace(
      consumer: Consumer,
      given: string | undefined,
      overlapS: number,
      entry: AuditEntry,
    ): Promise<string> {
      const key = given ?? random.uuid()
      try {
        await gateway.rotate(consumer, key, overlapS, entry).catch((error) => {
          if (!isGatewayError(error, 'consumer-unknown')) throw error
          return gateway.register(consumer, key, entry)
        })
      } catch (error) {
        throw toProblem(error, consumer)
      }
      return key
    },
  }
}

const isGatewayError = (error: unknown, reason: GatewayErrorReason) =>
  error instanceof GatewayError && error.reason === reason

async function undo(row: InsertedRow): Promise<void> {
  try {
    await row.undo()
  } catch (error) {
    // Another row refers to this one by now: it stays, and the refusal is thrown all the same.
    if (findViolation(error)?.kind !== 'reference') throw error
  }
}

function toProblem(error: unknown, { kind, id }: Consumer): unknown {
  if (!(error instanceof GatewayError)) return error
  const subject = kind === 'application' ? `label "${id}"` : `version "${id}"`
  return error.reason === 'key-taken'
    ? new Problem('api-key-taken', `Cannot give ${subject} this API key: another one has it`)
    : new Problem(
        'changed-meanwhile',
        `Cannot give ${subject} a key: another administrator just did, read it again`,
      )
}
