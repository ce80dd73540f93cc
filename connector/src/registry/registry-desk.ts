/** The desk of a registry: it decides nothing, it asks the APIs and tells who answered. */
import { randomBytes } from 'node:crypto'
import type { Agent } from '@cardwire/client/protocol'
import type { ConsentDesk, Granted } from '../consent/desk.ts'
import { readConsent } from '../consent/form.ts'
import { askFor, proofFor, sameProof } from '../consent/proof.ts'
import type { Log } from '../system/log.ts'
import type { Directory, Member } from './directory.ts'
import type { Heard, Inquiries } from './inquiries.ts'

interface Parts {
  readonly directory: Directory
  readonly inquiries: Inquiries
  readonly log: Pick<Log, 'warn'>
}

export function registryDesk({ directory, inquiries, log }: Parts): ConsentDesk {
  return {
    async request({ codeWord, origin, user, days }) {
      const matter = { nonce: randomBytes(16).toString('base64url'), origin }
      const question = { kind: 'request', ...matter, ask: askFor(codeWord, matter), days } as const
      const heard = await inquiries.ask(directory.members(user).map((member) => [member, question]))
      const proven = heard.flatMap(({ member, answer }) => {
        if (answer.kind !== 'granted') return []
        const expected = proofFor(codeWord, matter, member.agentId)
        if (isBy(member, answer.granted) && sameProof(answer.proof, expected)) {
          return [{ member, granted: answer.granted }]
        }
        log.warn('answer refused', { origin, agentId: member.agentId })
        return []
      })
      // Several connectors of one user have one id, one clipboard and one state.
      const whose = new Set(proven.map(({ member }) => ownId(member)))
      if (whose.size > 1) log.warn('code word found by several', { origin, agents: whose.size })
      return whose.size === 1 ? proven[0]?.granted : undefined
    },

    async validate({ origin, user }, consents) {
      const read = consents.flatMap((text) => {
        const agent = readConsent(text)?.agent
        return agent ? [{ text, agent }] : []
      })
      const ids = [...new Set(read.map(({ agent }) => agent.agentId))]
      const questions = await Promise.all(
        ids.map(async (id) => {
          const own = read.filter(({ agent }) => agent.agentId === id).map(({ text }) => text)
          const question = { kind: 'validate', origin, consents: own } as const
          return (await directory.arrival(id, user)).map((member) => [member, question] as const)
        }),
      )
      const fresh = (await inquiries.ask(questions.flat())).flatMap(validOnes)
      const wanted = read.flatMap(({ agent }) =>
        fresh
          .filter((one) => one.agent.agentId === agent.agentId)
          .filter((one) => one.agent.consentId === agent.consentId)
          .slice(0, 1),
      )
      return [...new Set(wanted)]
    },

    async holders({ origin, user }) {
      const question = { kind: 'holder', origin } as const
      const heard = await inquiries.ask(directory.members(user).map((member) => [member, question]))
      const holders = heard.flatMap(({ member, answer }): [string, Agent][] =>
        answer.kind === 'holds' && isOf(member, answer.agent)
          ? [[ownId(member), { ...answer.agent, username: member.username }]]
          : [],
      )
      return [...new Map(holders).values()]
    },
  }
}

/** Several connectors of one user are one; whoever took the id of another user's is another. */
const ownId = ({ user = '', agentId }: Member) => `${user} ${agentId}`

const validOnes = ({ member, answer }: Heard): readonly Granted[] =>
  answer.kind === 'valid' ? answer.granted.filter((granted) => isBy(member, granted)) : []

/** Nobody speaks for another: neither in what we read nor in what the page will read. */
function isBy(member: Member, { agent, consent }: Granted): boolean {
  const told = readConsent(consent)?.agent
  return isOf(member, agent) && told !== undefined && isOf(member, told)
}

const isOf = ({ agentId, port }: Member, agent: Agent) =>
  agent.agentId === agentId && agent.apiPort === String(port)
