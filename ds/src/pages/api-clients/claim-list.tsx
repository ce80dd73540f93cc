/** The claims that a token has to have, as a credential names them. */
import type { TrustedClaims } from '../../rules/ci-trust.ts'

/** `url`: of the service, which is the audience where a credential names none. */
export const ClaimList = ({
  url,
  trust: { issuer, subject, audience = url, claims = {} },
}: {
  readonly trust: TrustedClaims
  readonly url: string
}) => (
  <dl>
    {[
      ...Object.entries({ iss: issuer, sub: subject, aud: audience }),
      ...Object.entries(claims),
    ].map(([name, value]) => (
      <>
        <dt>
          <code>{name}</code>
        </dt>
        <dd>
          <code>{value}</code>
        </dd>
      </>
    ))}
  </dl>
)
