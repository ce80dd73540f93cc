/** Consent: which connector belongs to the person in front of a page, and that the person lets the page in. */
import * as z from 'zod/mini'
import { data, operation } from './operation.ts'

const text = z.string()

/** The connector of a person, as a consent names it; deployed clients read `apiPort` alone. */
export const Agent = z.object({
  /** Which API made the consent; it knows its own again. */
  agentId: z.uuid(),
  consentId: z.uuid(),
  username: text,
  hostname: text,
  apiIp: text,
  apiPort: text,
  apiPid: text,
  sandboxIp: text,
  sandboxPort: text,
  sandboxPid: text,
  /** `YYYY-MM-DD HH:MM:SS.ffffff UTC`. */
  apiLastUsed: text,
  clientLastUsed: text,
  validityInDays: text,
  connectionState: text,
})
export type Agent = z.output<typeof Agent>

/** What a page keeps, standard base64 of this JSON; only the API that made it can tell whether it is genuine. */
export const Consent = z.object({ agent: Agent, signedHash: text })
export type Consent = z.output<typeof Consent>

export const ConsentAnswer = z.object({
  consentState: z.enum(['APPROVED', 'REQUIRED']),
  consents: z
    .optional(z.array(text))
    .check(z.describe('What the page keeps from now on, in place of what it had')),
  consent: z.optional(text).check(z.describe('The one to use: standard base64 of its JSON')),
})
export type ConsentAnswer = z.output<typeof ConsentAnswer>

/** Clients 3.5.0 to 3.5.2 know one consent, as a bare string. */
const answer = data(z.union([ConsentAnswer, text]))

const common = { tag: 'Consent', access: 'anyone' } as const

export const validateConsents = operation({
  ...common,
  name: 'validateConsents',
  method: 'POST',
  path: '/v3/validate',
  summary: 'Say which of the consents that a page holds are good',
  description:
    'At most 32 consents of 4 KiB are looked at. With `data` in the body, one consent as clients 3.5.0 to 3.5.2 send it, the answer is one, too.',
  body: {
    type: 'json',
    schema: z.union([z.object({ consents: z.array(text) }), z.object({ data: text })]),
  },
  reply: answer,
  problems: ['consent-required'],
})

export const requestConsent = operation({
  ...common,
  name: 'requestConsent',
  method: 'POST',
  path: '/v3/consent',
  summary: 'Find the person who has the code word on the clipboard, and ask for consent',
  description:
    'A code word has at least 16 characters and works once per origin. `durationInDays` is 1 to 365; none and 0 mean 365.',
  body: {
    type: 'json',
    schema: z.object({
      codeWord: text,
      durationInDays: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(365)))),
      consents: z.optional(z.nullable(z.array(text))),
    }),
  },
  reply: answer,
  problems: ['consent-required'],
})

/** Where clients up to 3.4 find the person's connector. */
const port = data(z.object({ apiPort: text }))

export const getConsent = operation({
  ...common,
  name: 'getConsent',
  method: 'GET',
  path: '/consent',
  summary: 'The port of the one connector that holds a consent for this origin',
  description: 'For clients up to 3.4, which keep no consents.',
  reply: port,
  problems: ['consent-required'],
})

export const grantConsent = operation({
  ...common,
  name: 'grantConsent',
  method: 'GET',
  path: '/agents/consent/{codeWord}',
  summary: 'The same as POST /v3/consent, for clients up to 3.4',
  params: z.object({ codeWord: text }),
  query: z.object({
    ttl: z
      .optional(z.string().check(z.regex(/^\d{1,9}$/, 'expected seconds')))
      .check(z.describe('Seconds the consent is to hold, rounded up to days')),
  }),
  reply: port,
  problems: ['consent-required'],
})

export const listAgents = operation({
  name: 'listAgents',
  tag: 'Consent',
  access: 'consented',
  method: 'GET',
  path: '/v3/agents',
  summary: 'The connectors that hold a consent for this origin',
  description:
    'The registry answers everyone, and names only connectors that hold a consent for the origin that asks. A connector answers those it knows with itself, and synchronises.',
  reply: data(z.array(Agent)),
  problems: [],
})
