/** One account of this service that signs in although the users are those of an external provider, for when that does not work. */
import { decodeJwt, errors } from 'jose'
import { createEmbeddedProvider, type EmbeddedProviderServices } from './embedded.ts'
import type { IdentityProvider } from './provider.ts'

/** Adds the account to an external provider. It needs a second factor (settings.ts). */
export function addBreakGlass(
  services: EmbeddedProviderServices,
  external: IdentityProvider,
  name: string,
): IdentityProvider {
  const { embedded, identify } = createEmbeddedProvider(services, {
    browserLogin: 'useBreakGlass',
    onlyName: name,
  })
  return {
    ...external,
    breakGlass: {
      name,
      attempts: embedded.attempts,
      issueAccessToken: embedded.issueAccessToken,
      async logInBrowser(credentials, from) {
        const session = await embedded.logInBrowser(credentials, from)
        const { address, requestId } = from
        services.log.warn('break-glass account used', { account: name, address, requestId })
        return session
      },
    },
    async identify(token) {
      if (readIssuer(token) !== embedded.issuer) return external.identify(token)
      const identity = await identify(token)
      if (identity.subject === name) return identity
      // Of an account that signed in before the provider was set.
      throw new errors.JWTClaimValidationFailed('the account no longer signs in', {}, 'sub')
    },
  }
}

/** Nothing is verified yet: it decides only who verifies the token. */
function readIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}
