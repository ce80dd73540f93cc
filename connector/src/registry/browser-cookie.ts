/** A cookie by which a registry that is not told the user of a browser recognizes the agent of that user. */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { ApiEnv } from '../http/route-types.ts'

const name = 'cardwire-agent'
/** As long as the longest consent, in seconds. */
const maxAgeS = 365 * 86_400

/** SHA-256 of the agent's id: every server on localhost gets the cookie, and learns no id from it. */
export const hashAgentId = (agentId: string): string =>
  createHash('sha256').update(agentId).digest('base64url')

/** What the browser sent, which any program can send: it chooses between agents, and permits nothing. */
export const readAgentHash = (context: Context<ApiEnv>): string | undefined =>
  getCookie(context, name, 'host')

/** Pages are of another site than the registry: such a cookie has to be secure, and partitioned where a browser keeps no others. */
export function rememberAgent(context: Context<ApiEnv>, agentId: string): void {
  setCookie(context, name, hashAgentId(agentId), {
    ...{ prefix: 'host', maxAge: maxAgeS },
    ...{ httpOnly: true, secure: true, sameSite: 'None', partitioned: true },
  })
}
