/** The doctor on who gets in. */
import type { Settings } from '../../settings.ts'
import type { Machine } from '../machine.ts'
import type { Finding } from './finding.ts'

export async function access({ settings }: Machine): Promise<readonly Finding[]> {
  return accessFindings(settings)
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
