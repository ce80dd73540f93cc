/** The compiled connector under test: its API, or the registry that it starts. */
import { X509Certificate } from 'node:crypto'
import { csrfToken } from '@cardwire/protocol'
import { parseJson } from '../../bed/service-request.ts'
import { checkState, readKept, runConnectorJourney } from './connector-journey.ts'
import { startConnectorOfUser } from './connector-of-user.ts'
import { apiSurface, origins, registrySurface } from './connector-samples.ts'
import { createCredential } from './credentials.ts'
import type { Header, PlannedRequest } from './planned-request.ts'
import { readResidentBytes } from './processes.ts'
import { createSlots, type Target } from './target.ts'

export async function startConnectorTarget(name: 'api' | 'registry'): Promise<Target> {
  const isApi = name === 'api'
  const user = await startConnectorOfUser()
  const { connector, home, ca, token } = user
  const port = isApi ? connector.port : user.registryPort
  const { readers } = await readKept(user)
  const state = createSlots()
  state.set('consent', user.consent)
  state.set('certificate', new X509Certificate(ca()).raw.toString('base64'))
  state.set('reader', readers[0].id)
  return {
    name,
    surface: isApi ? apiSurface : registrySurface,
    address: { port, host: `localhost:${port}`, ca },
    // Where the files of the user lie is for the user's programs and pages alone: a registry tells nobody.
    secrets: () => [connector.token, token(), user.codeWord, ...(isApi ? [] : [home])],
    resolve: (wanted) => (wanted === 'host' ? `localhost:${port}` : state.get(wanted)),
    createHeaders: (request) => [
      ['host', `localhost:${port}`],
      ['x-csrf-token', csrfToken],
      ...createCallerHeaders(request, { management: connector.token, jwt: token(), isApi }),
    ],
    observe({ operation }, { status, body }) {
      if (operation?.name !== 'registerAgent' || status !== 200) return
      state.set('session', parseJson(body.toString('utf8'))?.data?.session)
    },
    refresh: async () => undefined,
    readMemory: () =>
      readResidentBytes(
        ([program = '', role]) =>
          program.endsWith('dist/cardwire') && role === (isApi ? 'run' : 'registry'),
      ),
    isRunning: () => connector.child.exitCode === null && connector.child.signalCode === null,
    readKept: () => readKept(user),
    runJourney: () => runConnectorJourney(user),
    async stopAndCheck() {
      await connector.stop()
      return checkState(home)
    },
    dispose: user.dispose,
  }
}

interface Secrets {
  readonly management: string
  readonly jwt: string
  readonly isApi: boolean
}

/** A page with consent, a program with the management token, or a program with an application token. */
function createCallerHeaders(
  { operation, credential, slot, headers }: PlannedRequest,
  { management, jwt, isApi }: Secrets,
): readonly Header[] {
  const isPage = slot % 3 === 0
  const hasOrigin = headers.some(([name]) => name === 'origin')
  const page = (origin: string): readonly Header[] => (hasOrigin ? [] : [['origin', origin]])
  const bearer = (right: string, other: string) =>
    createCredential(credential, { header: 'authorization', right, other })
  // For agents, pages are refused.
  if (operation?.tag === 'Agents') return []
  if (operation?.access === 'anyone' || !isApi) {
    return page(slot % 2 === 0 ? origins.consented : origins.allowed)
  }
  if (operation?.access === 'management') return bearer(management, jwt)
  if (!isPage) return bearer(slot % 3 === 1 ? management : jwt, expired)
  // Right in itself, but nobody consented to that page.
  if (credential === 'other') return [...page(origins.allowed), ['authorization', `Bearer ${jwt}`]]
  return [...page(origins.consented), ...bearer(jwt, expired)]
}

/** No key of the connector's verifies it, and it has expired. */
const expired = [
  { alg: 'ES256', kid: 'one', typ: 'cw-app+jwt' },
  { sub: 'shop', aud: 'cardwire-connector', iat: 1, exp: 2 },
  'x'.repeat(64),
]
  .map((part) =>
    Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url'),
  )
  .join('.')
