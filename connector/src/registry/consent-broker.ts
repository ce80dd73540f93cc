/** The consent service of a registry: it decides nothing itself, it asks the agents and checks their responses. */
import { randomBytes } from 'node:crypto'
import type { Agent } from '@cardwire/protocol/consent'
import type { Log } from '../system/log.ts'
import { createChallenge, createProof, isSameHmac } from '../user/consent/challenge.ts'
import type { ConsentGrant, ConsentService } from '../user/consent/consent-service.ts'
import { decodeConsent } from '../user/consent/consent-token.ts'
import type { AgentDirectory, RegisteredAgent } from './agent-directory.ts'
import { hashAgentId } from './browser-cookie.ts'
import type { PendingRequests, ReceivedResponse, RequestBody } from './pending-requests.ts'

interface ConsentBrokerServices {
  readonly agents: AgentDirectory
  readonly pendingRequests: PendingRequests
  readonly log: Pick<Log, 'warn'>
}

export function createConsentBroker({
  agents,
  pendingRequests,
  log,
}: ConsentBrokerServices): ConsentService {
  const sendToAll = (user: string | undefined, body: RequestBody) =>
    pendingRequests.send(agents.forUser(user).map((agent) => [agent, body]))

  return {
    async request({ codeWord, origin, user, days }) {
      const context = { nonce: randomBytes(16).toString('base64url'), origin }
      const challenge = createChallenge(codeWord, context)
      const received = await sendToAll(user, { kind: 'consent', ...context, challenge, days })
      const proven = received.flatMap(({ agent, response }) => {
        if (response.kind !== 'granted') return []
        const expected = createProof(codeWord, context, agent.agentId)
        if (isFrom(agent, response.granted) && isSameHmac(response.proof, expected)) {
          return [{ agent, grant: response.granted }]
        }
        log.warn('response refused', { origin, agentId: agent.agentId, user })
        return []
      })
      // The connectors of one user share one agent id, one clipboard and one state.
      const ids = new Set(proven.map(({ agent }) => createUserAgentId(agent)))
      if (ids.size > 1) log.warn('code word found by several', { origin, agents: ids.size, user })
      return ids.size === 1 ? proven[0]?.grant : undefined
    },

    async validate({ origin, user }, consents) {
      const decoded = decodeConsents(consents)
      const agentIds = [...new Set(decoded.map(({ agent }) => agent.agentId))]
      const requests = await Promise.all(
        agentIds.map(async (agentId) => {
          const own = decoded.filter(({ agent }) => agent.agentId === agentId)
          const body = { kind: 'validate', origin, consents: own.map(({ text }) => text) } as const
          return (await agents.waitFor(agentId, user)).map((agent) => [agent, body] as const)
        }),
      )
      const valid = (await pendingRequests.send(requests.flat())).flatMap(toValidGrants)
      return selectInOrder(decoded, valid)
    },

    async findActiveAgents({ origin, user, agentHash }) {
      const received = await sendToAll(user, { kind: 'list', origin })
      const active = received.flatMap(({ agent, response }): [string, Agent][] =>
        response.kind === 'active' && describes(response.agent, agent)
          ? [[createUserAgentId(agent), { ...response.agent, username: agent.username }]]
          : [],
      )
      const all = [...new Map(active).values()]
      const isSeveral = new Set(agents.forUser(user).map(createUserAgentId)).size > 1
      // Whose page it is only the cookie says: the only consent may be another user's.
      if (user !== undefined || !isSeveral) return all
      return all.filter(({ agentId }) => hashAgentId(agentId) === agentHash)
    },
  }
}

/** The connectors of one user count as one; the same agent id under another user is another. */
const createUserAgentId = ({ user = '', agentId }: RegisteredAgent) => `${user} ${agentId}`

interface DecodedConsent {
  readonly text: string
  readonly agent: Agent
}

/** Those that can be decoded. */
const decodeConsents = (consents: readonly string[]): readonly DecodedConsent[] =>
  consents.flatMap((text) => {
    const agent = decodeConsent(text)?.agent
    return agent ? [{ text, agent }] : []
  })

/** One grant for each consent that is valid, in the order of the consents. */
function selectInOrder(
  consents: readonly DecodedConsent[],
  valid: readonly ConsentGrant[],
): readonly ConsentGrant[] {
  const inOrder = consents.flatMap(({ agent }) =>
    valid
      .filter((grant) => grant.agent.agentId === agent.agentId)
      .filter((grant) => grant.agent.consentId === agent.consentId)
      .slice(0, 1),
  )
  return [...new Set(inOrder)]
}

const toValidGrants = ({ agent, response }: ReceivedResponse): readonly ConsentGrant[] =>
  response.kind === 'valid' ? response.granted.filter((grant) => isFrom(agent, grant)) : []

/** No agent grants for another: neither in the fields that the registry reads nor in the consent that the page keeps. */
function isFrom(sender: RegisteredAgent, { agent, consent }: ConsentGrant): boolean {
  const encoded = decodeConsent(consent)?.agent
  return describes(agent, sender) && encoded !== undefined && describes(encoded, sender)
}

const describes = (described: Agent, { agentId, port }: RegisteredAgent) =>
  described.agentId === agentId && described.apiPort === String(port)
