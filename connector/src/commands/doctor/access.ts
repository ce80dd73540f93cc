/** Checks which pages may use the connector. */
import { getInfo } from '@cardwire/protocol/connector-system'
import { data } from '@cardwire/protocol/operation'
import * as z from 'zod/mini'
import type { Settings } from '../../settings.ts'
import type { CommandContext } from '../command-context.ts'
import { callOwnApi } from '../own-api.ts'
import { checkTimeoutMs, type Finding } from './finding.ts'

/** The reply of the info endpoint to a management token. */
const whole = data(
  z.object({ t1CInfoAPI: z.object({ cors: z.array(z.string()), jwtEnabled: z.boolean() }) }),
)

/** By the settings of the running connector, which may differ from those of this terminal. */
export async function checkAccess({
  settings,
  folders,
}: CommandContext): Promise<readonly Finding[]> {
  const info = { ...getInfo, reply: whole }
  const running = await callOwnApi(folders, info, checkTimeoutMs).catch(() => undefined)
  if (running === undefined) return findAccessProblems(settings)
  const { cors, jwtEnabled: jwtRequired } = running.t1CInfoAPI
  const isSame = Bun.deepEquals([cors, jwtRequired], [settings.cors, settings.jwtRequired])
  // The reply does not name the keys of tokens, and this terminal may have others.
  const jwks = isSame ? settings.jwks : 'its own'
  return findAccessProblems({ ...settings, cors, jwtRequired, jwks })
}

/** The findings for these settings. */
export function findAccessProblems({
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
            code: 'no-pages-allowed',
            what: 'no page can use the connector because the allowlist is empty',
            remedy: 'set CARDWIRE_CORS to the origins of the pages, or CARDWIRE_DS_URL',
          } as const,
        ]),
    ...(jwtRequired
      ? []
      : [
          {
            level: 'note',
            code: 'tokens-off',
            what: 'pages need no token because CARDWIRE_JWT is off',
            remedy: 'if a service issues tokens, remove the setting',
          } as const,
        ]),
    ...(jwtRequired && !isManaged && jwks === undefined
      ? [
          {
            level: 'note',
            code: 'token-keys-missing',
            what: 'pages need a token, but there is no key to verify it',
            remedy: 'set CARDWIRE_DS_URL or CARDWIRE_JWKS; to use no tokens, set CARDWIRE_JWT=off',
          } as const,
        ]
      : []),
  ]
}
