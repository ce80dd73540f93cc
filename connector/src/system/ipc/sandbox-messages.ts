/** The messages between the API and the sandbox: JSON, a line each, over the sandbox's standard input and output. */
import * as z from 'zod/mini'

/** A reader as the card service lists it. A card that does not answer has no ATR and counts as absent. */
export const ConnectedReader = z.object({ name: z.string(), atr: z.optional(z.string()) })
export type ConnectedReader = z.output<typeof ConnectedReader>

/** All readers and cards; sent whole at each change. */
export const ReaderState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('up'), readers: z.array(ConnectedReader) }),
  z.object({ kind: z.literal('down'), code: z.string(), reason: z.string() }),
])
export type ReaderState = z.output<typeof ReaderState>

/** A query for the features that a reader has (PC/SC part 10). */
export const FeatureQuery = z.object({ id: z.int(), reader: z.string() })
export type FeatureQuery = z.output<typeof FeatureQuery>

/** Either the features' tags, or the name of the code that the card service refused with. */
export const FeatureReply = z.union([
  z.object({ id: z.int(), features: z.array(z.int()) }),
  z.object({ id: z.int(), code: z.string() }),
])
export type FeatureReply = z.output<typeof FeatureReply>

export const ToSandbox = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping'), id: z.int() }),
  z.object({ type: z.literal('query'), query: FeatureQuery }),
])
export type ToSandbox = z.output<typeof ToSandbox>

export const FromSandbox = z.discriminatedUnion('type', [
  z.object({ type: z.literal('state'), state: ReaderState }),
  z.object({ type: z.literal('reply'), reply: FeatureReply }),
  z.object({ type: z.literal('pong'), id: z.int() }),
  /** A call of the card service that has to return at once has not: this process is of no further use. */
  z.object({ type: z.literal('stuck') }),
])
export type FromSandbox = z.output<typeof FromSandbox>

/** Parses one line. Throws when it is not such a message. */
export const readLine = <S extends z.ZodMiniType>(schema: S, line: string): z.output<S> =>
  z.parse(schema, JSON.parse(line))

export const writeLine = (message: ToSandbox | FromSandbox): string =>
  `${JSON.stringify(message)}\n`
