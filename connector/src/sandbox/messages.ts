/** What the API and the sandbox say to each other: JSON, a line each, over the sandbox's standard input and output. */
import * as z from 'zod/mini'

/** A reader as the card service knows it. Cards that do not answer have no ATR and are not there. */
export const SeenReader = z.object({ name: z.string(), atr: z.optional(z.string()) })
export type SeenReader = z.output<typeof SeenReader>

/** Everything there is to see; sent whole at each change. */
export const Sight = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('up'), readers: z.array(SeenReader) }),
  z.object({ kind: z.literal('down'), code: z.string(), reason: z.string() }),
])
export type Sight = z.output<typeof Sight>

/** A question about one reader: the features of PC/SC part 10 it says it has. */
export const Question = z.object({ id: z.int(), reader: z.string() })
export type Question = z.output<typeof Question>

/** Either the features' tags, or the name of the code that the card service refused with. */
export const Answer = z.union([
  z.object({ id: z.int(), features: z.array(z.int()) }),
  z.object({ id: z.int(), code: z.string() }),
])
export type Answer = z.output<typeof Answer>

export const ToSandbox = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping'), id: z.int() }),
  z.object({ type: z.literal('ask'), question: Question }),
])
export type ToSandbox = z.output<typeof ToSandbox>

export const FromSandbox = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sight'), sight: Sight }),
  z.object({ type: z.literal('answer'), answer: Answer }),
  z.object({ type: z.literal('pong'), id: z.int() }),
  /** A call of the card service that has to return at once has not: this process is of no more use. */
  z.object({ type: z.literal('stuck') }),
])
export type FromSandbox = z.output<typeof FromSandbox>

/** One line, parsed. Throws when it is not one of ours. */
export const readLine = <S extends z.ZodMiniType>(schema: S, line: string): z.output<S> =>
  z.parse(schema, JSON.parse(line))

export const writeLine = (message: ToSandbox | FromSandbox): string =>
  `${JSON.stringify(message)}\n`
