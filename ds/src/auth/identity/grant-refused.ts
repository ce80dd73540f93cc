/** The problem of a login or a renewal that the embedded identity provider refuses. */
import { Problem } from '@cardwire/protocol'

/** `credential` is what the login or renewal was tried with. */
export const createGrantRefusedProblem = (
  credential: 'refresh token' | 'user name or password' | 'code',
) => new Problem('grant-refused', `Cannot sign in: the ${credential} is wrong or no longer valid`)
