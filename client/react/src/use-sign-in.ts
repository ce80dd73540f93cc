/** A hook with which a user signs in with a card. */
import type { AuthenticationToken } from '@cardwire/client'
import { type CardTask, useTask } from './use-task.ts'

/** What signing in needs of your back end. */
export interface SignInOptions<User> {
  /** Fetches a nonce from your back end. */
  readonly getNonce: (options: { readonly signal: AbortSignal }) => Promise<string>
  /** Sends the token to your back end, which verifies it and says who it is. */
  readonly verify: (
    token: AuthenticationToken,
    options: { readonly signal: AbortSignal },
  ) => Promise<User>
  /** The reader with the card; default: the first one with a card that can be used. */
  readonly readerId?: string | undefined
}

/** Signs the user in with the card. The user enters the PIN in a window of Cardwire. */
export function useSignIn<User>({
  getNonce,
  verify,
  readerId,
}: SignInOptions<User>): CardTask<User> {
  return useTask(async (card, signal) => {
    const nonce = await getNonce({ signal })
    return verify(await card.authenticate({ nonce, signal }), { signal })
  }, readerId)
}
