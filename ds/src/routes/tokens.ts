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
} from '@cardwire/client/protocol'
import type { PublishedKey } from '../auth/keys/signing-key.ts'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'

/** How long before its issue a token is valid, in seconds, for verifiers whose clocks are behind. */
const leewayS = 5

export function bindTokenRoutes(bind: Bind, { keyring, clock, url }: Services): void {
  bind(applicationToken, async ({ caller }, context) => {
    if (caller.kind !== 'label') throw new Error('Cannot issue a token: the caller is no label')
    const { typ, audience } = tokenKinds.application
    const iat = Math.floor(clock() / 1000)
    context.header('cache-control', 'no-store')
    const claims = {
      iss: url,
      sub: caller.id,
      aud: audience,
      iat,
      nbf: iat - leewayS,
      exp: iat + applicationTokenLifetimeS,
    }
    return { data: await keyring.sign('application', typ, claims) }
  })

  bind(keySet, async (_, context) => {
    // A verifier that finds an unknown key requests the set again; a minute in its cache limits how often.
    context.header('cache-control', 'public, max-age=60')
    return { keys: (await keyring.list('application')).map(({ jwk }) => jwk) }
  })

  const listKeys = async () => [
    ...(await keyring.list('application')),
    ...(await keyring.list('administrator')),
    ...(await keyring.list('reply')),
  ]

  bind(listSigningKeys, async () => ({ data: (await listKeys()).map(toSigningKey) }))

  bind(rotateSigningKey, async ({ body: { use }, audit }) => ({
    data: toSigningKey(await keyring.rotate(use, audit)),
  }))

  bind(deleteSigningKey, async ({ params: { id }, audit }) => {
    if (!(await keyring.retire(id, audit))) {
      throw new Problem(
        'signing-key-unknown',
        `Cannot retire signing key "${id}": it does not exist`,
      )
    }
    return { data: (await listKeys()).map(toSigningKey) }
  })
}

function toSigningKey({ id, use, algorithm, state, createdAt, signsFrom }: PublishedKey) {
  if (state === 'gone') throw new Error(`Cannot show signing key "${id}": it is gone`)
  const iso = (time: number) => new Date(time).toISOString()
  const begins = state === 'standby' ? {} : { signsFrom: iso(signsFrom) }
  return { id, use, algorithm, state, createdAt: iso(createdAt), ...begins }
}
