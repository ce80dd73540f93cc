/** The messages between agents (the APIs of users) and the registry: no secrets, and nothing that grants an origin access. */
import { Agent } from '@cardwire/protocol/consent'
import { data, operation } from '@cardwire/protocol/operation'
import * as z from 'zod/mini'

/** Raised when a registry and an agent of different versions could not understand each other. */
export const protocolVersion = 1

/** Milliseconds: the registry answers an idle poll after `idlePollMs`; an agent waits for a response up to `requestMs`. */
export const timeouts = { connectMs: 5000, requestMs: 10_000, idlePollMs: 8000 } as const

const text = z.string()
/** Characters of an allowlist entry, as in the distribution service, and entries of an allowlist. */
export const registrationLimits = { entryLength: 512, allowlistEntries: 10_000 } as const
const origin = z.string().check(z.maxLength(registrationLimits.entryLength))
const consent = z.string().check(z.maxLength(8192))

/** What one message has at most. A poll delivers 200 requests, and a page has 32 consents. */
const maxEntries = { responses: 1000, consents: 32 } as const

export const Registration = z.object({
  protocol: z.literal(protocolVersion),
  agentId: z.uuid(),
  username: z.string().check(z.maxLength(256)),
  hostname: z.string().check(z.maxLength(256)),
  port: z.int().check(z.minimum(1), z.maximum(65_535)),
  pid: z.int(),
  /** SPKI, PEM: the registry returns it from `/device-key` while this is the only agent. */
  pageKey: z.string().check(z.maxLength(2048)),
  /** The origins whose pages this agent answers. */
  allowlist: z.array(origin).check(z.maxLength(registrationLimits.allowlistEntries)),
})
export type Registration = z.output<typeof Registration>

const requestId = z.uuid()

export const AgentRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('consent'),
    id: requestId,
    origin,
    nonce: text,
    /** HMAC of the code word, see `consent/challenge.ts`. */
    challenge: text,
    days: z.int(),
    /** Milliseconds from its arrival until the registry stops waiting; absent: not known. */
    expiresInMs: z.optional(z.int()),
  }),
  z.object({
    kind: z.literal('validate'),
    id: requestId,
    origin,
    consents: z.array(consent).check(z.maxLength(maxEntries.consents)),
  }),
  z.object({ kind: z.literal('list'), id: requestId, origin }),
])
export type AgentRequest = z.output<typeof AgentRequest>

const grantedConsent = z.object({ consent, agent: Agent })

export const AgentResponse = z.discriminatedUnion('kind', [
  /** Another text, no text, no consent: the registry does not learn which. */
  z.object({ kind: z.literal('denied'), id: requestId }),
  z.object({ kind: z.literal('granted'), id: requestId, granted: grantedConsent, proof: text }),
  z.object({
    kind: z.literal('valid'),
    id: requestId,
    granted: z.array(grantedConsent).check(z.maxLength(maxEntries.consents)),
  }),
  z.object({ kind: z.literal('active'), id: requestId, agent: Agent }),
])
export type AgentResponse = z.output<typeof AgentResponse>

const session = z.string().check(z.maxLength(64))
const agentCall = { tag: 'Agents', access: 'anyone', method: 'POST' } as const

export const registerAgent = operation({
  ...agentCall,
  name: 'registerAgent',
  path: '/agent/register',
  summary: 'Registers an agent; with the session it polls and responds',
  body: { type: 'json', schema: Registration },
  reply: data(z.object({ session })),
  problems: ['caller-refused'],
})

export const pollAgent = operation({
  ...agentCall,
  name: 'pollAgent',
  path: '/agent/poll',
  summary: 'Waits for requests; an empty list when none came in time',
  body: { type: 'json', schema: z.object({ session }) },
  reply: data(
    z.object({ requests: z.array(AgentRequest).check(z.maxLength(maxEntries.responses)) }),
  ),
  problems: ['agent-unknown'],
})

export const respondAgent = operation({
  ...agentCall,
  name: 'respondAgent',
  path: '/agent/responses',
  summary: 'Responds to requests of a poll',
  body: {
    type: 'json',
    schema: z.object({
      session,
      responses: z.array(AgentResponse).check(z.maxLength(maxEntries.responses)),
    }),
  },
  reply: data(z.object({ accepted: z.int() })),
  problems: ['agent-unknown'],
})
