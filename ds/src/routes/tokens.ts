/** Application tokens, and the keys they are signed with. */
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
import type { PublishedKey } from '../auth/signing-key.ts'
import type { Services } from '../services.ts'
import type { Bind } from './bind.ts'

/** Seconds a token is valid before it was issued, for clocks that are behind. */
const leewayS = 5

export function tokenRoutes(bind: Bind, { keyring, clock, url }: Services): void {
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
    // A verifier that meets an unknown key asks again; a minute keeps the crowd away.
    context.header('cache-control', 'public, max-age=60')
    return { keys: (await keyring.list('application')).map(({ jwk }) => jwk) }
  })

  const all = async () => [
    ...(await keyring.list('application')),
    ...(await keyring.list('administrator')),
    ...(await keyring.list('reply')),
  ]

  bind(listSigningKeys, async () => ({ data: (await all()).map(present) }))

  bind(rotateSigningKey, async ({ body: { use }, audit }) => ({
    data: present(await keyring.rotate(use, audit)),
  }))

  bind(deleteSigningKey, async ({ params: { id }, audit }) => {
    if (!(await keyring.retire(id, audit))) {
      throw new Problem(
        'signing-key-unknown',
        `Cannot retire signing key "${id}": it does not exist`,
      )
    }
    return { data: (await all()).map(present) }
  })
}

function present({ id, use, algorithm, state, createdAt, signsFrom }: PublishedKey) {
  if (state === 'gone') throw new Error(`Cannot show signing key "${id}": it is gone`)
  const iso = (time: number) => new Date(time).toISOString()
  const begins = state === 'standby' ? {} : { signsFrom: iso(signsFrom) }
  return { id, use, algorithm, state, createdAt: iso(createdAt), ...begins }
}
