/** Requests for the same thing share one question: the next that is asked, never one that was asked before they came. */
export function createNextFlight<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()

  function start(key: string, ask: () => Promise<T>): Promise<T> {
    const answer = ask().finally(() => {
      if (running.get(key) === answer) running.delete(key)
    })
    running.set(key, answer)
    return answer
  }

  return (key, ask) => {
    const current = running.get(key)
    if (!current) return start(key, ask)
    const known = next.get(key)
    if (known) return known
    const begin = () => {
      next.delete(key)
      return start(key, ask)
    }
    const following = current.then(begin, begin)
    next.set(key, following)
    return following
  }
}
