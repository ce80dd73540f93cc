/** The first administrator of a distribution service: logs in, and registers what connectors and back ends need. */
import { type Json, parseJson, type RequestService } from './service-request.ts'

export const administrator = { name: 'admin', password: 'the-first-administrators-password' }

export const tokenPath = '/auth/realms/cardwire/protocol/openid-connect/token'
export const passwordGrant = {
  client_id: 'cardwire',
  grant_type: 'password',
  username: administrator.name,
  password: administrator.password,
}

export interface Administrator {
  /** An access token, good for some minutes. */
  login(): Promise<string>
  /** Sends a request as the administrator; resolves with the data of the response. Throws when it is refused. */
  admin(method: string, path: string, body?: Json): Promise<Json>
  /** Registers a version that is allowed, and nothing else; with the key that its installer carries. */
  registerVersion(id: string, changes?: Json): Promise<Json>
  /** Puts the allowlist of a version in place of the one it has. */
  allow(version: string, cors: readonly string[]): Promise<void>
  /** A new label with its API key, in an organization of its own. */
  createLabel(name?: string): Promise<Json>
  /** An application token for a label that is made for it, as a back end gets one. */
  applicationToken(): Promise<string>
  /** Logs in anew the next time. */
  forgetSession(): void
}

/** Half of what an access token lives. */
const renewAfterMs = 150_000

export function createAdministrator(request: RequestService): Administrator {
  let session = { token: '', until: 0 }
  let labels = 0
  const login = async () => {
    if (session.until < Date.now()) {
      const { json } = await request('POST', tokenPath, { form: passwordGrant })
      session = { token: json.access_token, until: Date.now() + renewAfterMs }
    }
    return session.token
  }
  const admin: Administrator['admin'] = async (method, path, body) => {
    const { status, text } = await request(method, path, { token: await login(), body })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return parseJson(text)?.data ?? text
  }
  const createLabel: Administrator['createLabel'] = async (name) => {
    labels += 1
    const { id: orgId } = await admin('PUT', '/v3/organizations', { name: `Org ${labels}` })
    return admin('PUT', '/v3/labels', { name: name ?? `Label ${labels}`, orgId })
  }
  return {
    login,
    admin,
    createLabel,
    registerVersion: (id, changes = {}) =>
      // Whatever it means to devices of other tests.
      admin('PUT', '/v3/versions?force=true&maxReach=999999999', {
        id,
        recommended: false,
        mandatory: false,
        allowed: true,
        uris: [{ os: 'UNIX', uri: `https://downloads.example/cardwire-${id}.deb` }],
        ...changes,
      }),
    async allow(versionId, cors) {
      const type = 'CONTEXT_CONFIG'
      const { items } = await admin('GET', '/v3/configurations?size=100')
      const stored = items.find((one: Json) => one.versionId === versionId && one.type === type)
      const id = stored && { id: stored.id }
      const body = { type, versionId, config: { cors }, ...id }
      await admin('PUT', '/v3/configurations?maxReach=999999999', body)
    },
    async applicationToken() {
      const { apiKey: apikey } = await createLabel()
      return (await request('GET', '/v3/tokens/application', { headers: { apikey } })).json.data
    },
    forgetSession() {
      session = { token: '', until: 0 }
    },
  }
}
