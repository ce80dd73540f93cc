/** What an API and the registry say to each other: nothing secret, and nothing that lets an origin in. */
import { Agent, data, operation } from '@cardwire/client/protocol'
import * as z from 'zod/mini'

/** Raised when a registry and an API of different versions would not understand each other. */
export const protocolNumber = 1

/** Milliseconds: an idle poll is answered after this; whoever asks waits `requestMs` at most. */
export const times = { connectMs: 5000, requestMs: 10_000, idlePollMs: 8000 } as const

const text = z.string()
/** An allowlist holds entries of so many characters, as that of the distribution service, and so many of them. */
export const longest = { entry: 512, allowlist: 10_000 } as const
const origin = z.string().check(z.maxLength(longest.entry))
const consent = z.string().check(z.maxLength(8192))

export const Registration = z.object({
  protocol: z.literal(protocolNumber),
  agentId: z.uuid(),
  username: z.string().check(z.maxLength(256)),
  hostname: z.string().check(z.maxLength(256)),
  port: z.int().check(z.minimum(1), z.maximum(65_535)),
  pid: z.int(),
  /** SPKI, PEM: what `/device-key` of the registry answers while this is the only agent. */
  pageKey: z.string().check(z.maxLength(2048)),
  /** The origins whose pages this API answers. */
  allowlist: z.array(origin).check(z.maxLength(longest.allowlist)),
})
export type Registration = z.output<typeof Registration>

const questionId = z.uuid()

export const Question = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('request'),
    id: questionId,
    origin,
    nonce: text,
    /** HMAC of the code word, see `consent/proof.ts`. */
    ask: text,
    days: z.int(),
    /** Milliseconds, from its arrival, in which an answer still counts; absent: the registry does not say. */
    leftMs: z.optional(z.int()),
  }),
  z.object({ kind: z.literal('validate'), id: questionId, origin, consents: z.array(consent) }),
  z.object({ kind: z.literal('holder'), id: questionId, origin }),
])
export type Question = z.output<typeof Question>

const granted = z.object({ consent, agent: Agent })

export const Answer = z.discriminatedUnion('kind', [
  /** Not equal, no text, none that holds, no consent: the registry is not told which. */
  z.object({ kind: z.literal('no'), id: questionId }),
  z.object({ kind: z.literal('granted'), id: questionId, granted, proof: text }),
  z.object({ kind: z.literal('valid'), id: questionId, granted: z.array(granted) }),
  z.object({ kind: z.literal('holds'), id: questionId, agent: Agent }),
])
export type Answer = z.output<typeof Answer>

const session = z.string().check(z.maxLength(64))
const common = { tag: 'Agents', access: 'anyone', method: 'POST' } as const

export const registerAgent = operation({
  ...common,
  name: 'registerAgent',
  path: '/agent/register',
  summary: 'An API makes itself known; the session is the key to its questions',
  body: { type: 'json', schema: Registration },
  reply: data(z.object({ session })),
  problems: ['caller-refused'],
})

export const pollAgent = operation({
  ...common,
  name: 'pollAgent',
  path: '/agent/poll',
  summary: 'Waits for questions; an empty list when there were none in time',
  body: { type: 'json', schema: z.object({ session }) },
  reply: data(z.object({ questions: z.array(Question) })),
  problems: ['agent-unknown'],
})

export const answerAgent = operation({
  ...common,
  name: 'answerAgent',
  path: '/agent/answers',
  summary: 'Answers to questions of a poll',
  body: { type: 'json', schema: z.object({ session, answers: z.array(Answer) }) },
  reply: data(z.object({ taken: z.int() })),
  problems: ['agent-unknown'],
})
