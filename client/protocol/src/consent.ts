/** Consent: finds the connector of the user in front of a page, and lets the page use it. */
import * as z from 'zod/mini'
import { data, operation } from './operation.ts'

const text = z.string()
/**
 * What a page may send. Legacy clients send all that they have stored, which is what a connector answered: 32 at most.
 * Those of users with many connectors may be more; the connector looks at the first 32.
 */
const maxSentConsents = 1000
const sentConsents = z.array(text).check(z.maxLength(maxSentConsents))

/** The connector that a consent is for; legacy clients read only `apiPort`. */
export const Agent = z.object({
  /** The id of the API that made the consent. */
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

/** A page stores this JSON as standard base64; only the API that made it can verify it. */
export const Consent = z.object({ agent: Agent, signedHash: text })
export type Consent = z.output<typeof Consent>

export const ConsentAnswer = z.object({
  consentState: z.enum(['APPROVED', 'REQUIRED']),
  consents: z
    .optional(z.array(text))
    .check(z.describe('The consents for the page to store, in place of its list')),
  consent: z.optional(text).check(z.describe('The consent to use: its JSON in standard base64')),
  retryAfterS: z
    .optional(z.int())
    .check(
      z.describe(
        'Present after five code words in a minute, when the connector did not look for this one: the seconds until it looks for the next',
      ),
    ),
})
export type ConsentAnswer = z.output<typeof ConsentAnswer>

/** Clients 3.5.0 to 3.5.2 expect one consent, as a string. */
const answer = data(z.union([ConsentAnswer, text]))

const consentOperation = { tag: 'Consent', access: 'anyone' } as const

export const validateConsents = operation({
  ...consentOperation,
  name: 'validateConsents',
  method: 'POST',
  path: '/v3/validate',
  summary: 'Validate the consents that a page has stored',
  description:
    'Checks at most 32 consents of up to 4 KiB. Clients 3.5.0 to 3.5.2 send one consent as `data`, and get one as `data`.',
  body: {
    type: 'json',
    schema: z.union([z.object({ consents: sentConsents }), z.object({ data: text })]),
  },
  reply: answer,
  problems: ['consent-required'],
})

export const requestConsent = operation({
  ...consentOperation,
  name: 'requestConsent',
  method: 'POST',
  path: '/v3/consent',
  summary: 'Request the consent of the user who has the code word on the clipboard',
  description:
    'A code word has at least 16 characters and works once. `durationInDays` is 1 to 365. If it is absent or 0, it counts as 365.',
  body: {
    type: 'json',
    schema: z.object({
      codeWord: text,
      durationInDays: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(365)))),
      consents: z.optional(z.nullable(sentConsents)),
    }),
  },
  reply: answer,
  problems: ['consent-required'],
})

/** The port of the user's connector, for clients up to 3.4. */
const port = data(z.object({ apiPort: text }))

export const getConsent = operation({
  ...consentOperation,
  name: 'getConsent',
  method: 'GET',
  path: '/consent',
  summary: 'Get the port of the only connector with a consent for this origin',
  description: 'For clients up to 3.4, which do not store consents.',
  reply: port,
  problems: ['consent-required'],
})

export const grantConsent = operation({
  ...consentOperation,
  name: 'grantConsent',
  method: 'GET',
  path: '/agents/consent/{codeWord}',
  summary: 'Request consent, for clients up to 3.4 (see POST /v3/consent)',
  params: z.object({ codeWord: text }),
  query: z.object({
    ttl: z
      .optional(z.string().check(z.regex(/^\d{1,9}$/, 'expected seconds')))
      .check(z.describe('Lifetime of the consent in seconds, rounded up to days')),
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
  summary: 'List the connectors with a consent for this origin',
  description:
    'A registry responds to everyone, and lists only connectors with a consent for the origin of the request. A connector responds to callers that it allows, lists itself, and syncs.',
  reply: data(z.array(Agent)),
  problems: [],
})
