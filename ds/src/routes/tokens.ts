/** Issues application tokens to callers whose API key `auth/authorize.ts` has accepted; the signing keys of the service. */
import {
  applicationToken,
  applicationTokenLifetimeS,
  deleteSigningKey,
  keySet,
  listSigningKeys,
  Problem,
  rotateSigningKey,
  tokenKinds,
} from '@cardwire/protocol'
import type { PublishedKey } from '../auth/keys/signing-key.ts'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'
import { countUnsynced, countVerifiers, limitAffected } from './count-affected.ts'

/** How long before its issue a token is valid, in seconds, for verifiers whose clocks are behind. */
const leewayS = 5

/** What depends on the keys of a use. */
const dependents = {
  application: 'uses in 30 days',
  administrator: 'sessions',
  reply: 'devices',
} as const

export function bindTokenRoutes(bind: Bind, services: Services): void {
  const { keyring, clock } = services
  const issueToken = createTokenIssuer(services)
  bind(applicationToken, async ({ caller }) => {
    if (caller.kind !== 'label') throw new Error('Cannot issue a token: the caller is not a label')
    return { data: await issueToken(caller.id, Math.floor(clock() / 1000)) }
  })

  bind(keySet, async (_, context) => {
    // A verifier that finds an unknown key requests the set again; a minute in its cache limits how often.
    context.header('cache-control', 'public, max-age=60')
    return { keys: (await keyring.list('application')).map(({ jwk }) => jwk) }
  })

  const listKeys = () => listAllKeys(keyring)

  bind(listSigningKeys, async () => ({ data: (await listKeys()).map(toSigningKey) }))

  bind(rotateSigningKey, async ({ body: { use }, audit }) => ({
    data: toSigningKey(await keyring.rotate(use, audit)),
  }))

  bind(deleteSigningKey, async ({ params: { id }, query, audit }) => {
    const { use, reach, labels = 0 } = await readAffectedVerifiers(services, id)
    await limitAffected(services, query.maxReach, async () => reach, {
      counts: dependents[use],
      lately:
        labels > 0
          ? `${labels} ${labels === 1 ? 'label' : 'labels'} fetched tokens today or yesterday`
          : undefined,
    })
    if (!(await keyring.retire(id, audit))) {
      throw createUnknownProblem(id)
    }
    return { data: (await listKeys()).map(toSigningKey) }
  })
}

const listAllKeys = async (keyring: Services['keyring']) => [
  ...(await keyring.list('application')),
  ...(await keyring.list('administrator')),
  ...(await keyring.list('reply')),
]

const createUnknownProblem = (id: string) =>
  new Problem('signing-key-unknown', `Cannot find signing key "${id}": it does not exist`)

async function findKey({ keyring }: Pick<Services, 'keyring'>, id: string) {
  const key = (await listAllKeys(keyring)).find((one) => one.id === id)
  if (!key) throw createUnknownProblem(id)
  return key
}

/** What depends on a key; nothing does on one that has not signed yet. */
export async function readAffectedVerifiers(services: Services, id: string) {
  const key = await findKey(services, id)
  const hasSigned = key.state === 'signing' || key.state === 'retiring'
  return { use: key.use, ...(hasSigned ? await countVerifiers(services, key.use) : { reach: 0 }) }
}

/** The same, and how many devices do not know the key of replies that would sign in place of this one. */
export async function readSigningKeyReach(services: Services, id: string) {
  const found = await readAffectedVerifiers(services, id)
  const { use, state } = await findKey(services, id)
  if (use !== 'reply' || state !== 'signing') return found
  const others = await services.keyring.list(use)
  const isIn = (wanted: PublishedKey['state']) => (key: PublishedKey) => key.state === wanted
  const next = others.find(isIn('announced')) ?? others.find(isIn('standby'))
  // It would be a new one.
  if (!next) return { ...found, unsynced: found.reach }
  return { ...found, unsynced: await countUnsynced(services, next.createdAt) }
}

/**
 * The claims of a label are the same for a whole second: its token is signed once in it, unless another key signs meanwhile.
 * Returns a function that takes the label and the second.
 */
function createTokenIssuer({ keyring, url }: Pick<Services, 'keyring' | 'url'>) {
  const { typ, audience } = tokenKinds.application
  let issued = { at: 0, key: '', tokens: new Map<string, string>() }

  return async (label: string, iat: number): Promise<string> => {
    const key = (await keyring.findSigningKey('application')).id
    if (issued.at !== iat || issued.key !== key) issued = { at: iat, key, tokens: new Map() }
    const { tokens } = issued
    const found = tokens.get(label)
    if (found !== undefined) return found
    const nbf = iat - leewayS
    const exp = iat + applicationTokenLifetimeS
    const claims = { iss: url, sub: label, aud: audience, iat, nbf, exp }
    const token = await keyring.sign('application', typ, claims)
    tokens.set(label, token)
    return token
  }
}

function toSigningKey({ id, use, algorithm, state, createdAt, signsFrom }: PublishedKey) {
  if (state === 'gone') throw new Error(`Cannot show signing key "${id}": it is gone`)
  const iso = (time: number) => new Date(time).toISOString()
  const begins = state === 'standby' ? {} : { signsFrom: iso(signsFrom) }
  return { id, use, algorithm, state, createdAt: iso(createdAt), ...begins }
}
