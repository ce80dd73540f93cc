/** One act at a time, shared by everybody who waits for it. */

/**
 * Whoever asks while one is under way waits for the next: the one under way may have looked before there was something to
 * see. All who wait share it, so nobody waits for more than two.
 */
export function inTurn<T>(act: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= current.then(() => {
      next = undefined
      const turn = act()
      current = turn.catch(() => undefined)
      return turn
    })
    return next
  }
}
