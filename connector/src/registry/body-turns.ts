/** The order in which bodies are parsed and handled: one at a time, and the accounts in turn, so that none waits for all of another. */

/** Resolves when it is the turn of this account's next body. `user` as the system names it; undefined counts as one account. */
export type BodyTurns = (user: string | undefined) => Promise<void>

/** `defer` calls back when what was started has been handled, and requests that have come meanwhile were received. */
export function createBodyTurns(defer: (next: () => void) => void): BodyTurns {
  /** By account: the next turn is that of the first, which is the last afterwards. */
  const waiting = new Map<string | undefined, (() => void)[]>()
  let isTaken = false

  function giveNext(): void {
    const [first] = waiting
    if (!first) {
      isTaken = false
      return
    }
    const [user, turns] = first
    waiting.delete(user)
    const [next, ...others] = turns
    if (others.length > 0) waiting.set(user, others)
    next?.()
    defer(giveNext)
  }

  return (user) => {
    if (!isTaken) {
      isTaken = true
      defer(giveNext)
      return Promise.resolve()
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.set(user, [...(waiting.get(user) ?? []), resolve])
    return promise
  }
}
