/** The doctor on who gets in. */
import { data, getInfo } from '@cardwire/client/protocol'
import * as z from 'zod/mini'
import type { Settings } from '../../settings.ts'
import type { Machine } from '../machine.ts'
import { askOwnApi } from '../own-api.ts'
import { type Finding, patienceMs } from './finding.ts'

/** What the connector says of itself to who may know all of it. */
const whole = data(
  z.object({ t1CInfoAPI: z.object({ cors: z.array(z.string()), jwtEnabled: z.boolean() }) }),
)

/** By the settings of the connector that runs, where they are not those of this terminal. */
export async function access({ settings, folders }: Machine): Promise<readonly Finding[]> {
  const info = { ...getInfo, reply: whole }
  const running = await askOwnApi(folders, info, patienceMs).catch(() => undefined)
  if (running === undefined) return accessFindings(settings)
  const { cors, jwtEnabled: jwtRequired } = running.t1CInfoAPI
  const isSame = Bun.deepEquals([cors, jwtRequired], [settings.cors, settings.jwtRequired])
  // It does not say whose tokens it believes, and this terminal cannot know.
  const jwks = isSame ? settings.jwks : 'its own'
  return accessFindings({ ...settings, cors, jwtRequired, jwks })
}

/** Who gets in by the settings alone. */
export function accessFindings({
  cors,
  dsUrl,
  jwks,
  jwtRequired,
}: Pick<Settings, 'cors' | 'dsUrl' | 'jwks' | 'jwtRequired'>): readonly Finding[] {
  const isManaged = dsUrl !== undefined
  return [
    ...(isManaged || cors.length > 0
      ? []
      : [
          {
            level: 'note',
            what: 'no page may ask, the allowlist is empty',
            todo: 'set CARDWIRE_CORS to the origins of the pages, or CARDWIRE_DS_URL',
          } as const,
        ]),
    ...(jwtRequired
      ? []
      : [
          {
            level: 'note',
            what: 'pages need no token, CARDWIRE_JWT is off',
            todo: 'leave it out where a service gives tokens',
          } as const,
        ]),
    ...(jwtRequired && !isManaged && jwks === undefined
      ? [
          {
            level: 'note',
            what: 'pages need a token, and there is no key to verify one with',
            todo: 'set CARDWIRE_DS_URL or CARDWIRE_JWKS, or CARDWIRE_JWT=off to do without',
          } as const,
        ]
      : []),
  ]
}
