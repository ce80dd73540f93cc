/** When a connection looks again by itself: when the user comes back to the page, and while the page is visible after longer and longer pauses. */

/** The globals that this uses where they exist. */
interface PageGlobals {
  readonly document?: EventTarget & { readonly visibilityState: string }
  readonly addEventListener?: EventTarget['addEventListener']
  readonly removeEventListener?: EventTarget['removeEventListener']
}

/** Milliseconds; the last one is repeated. */
const pausesMs = [2000, 4000, 8000, 15_000, 30_000]

/** Calls `look` once. `attempt` counts from 0; undefined: not after a pause. The function that it returns cancels that. */
export function lookAgain(attempt: number | undefined, look: () => void): () => void {
  const page = globalThis as PageGlobals
  const isHidden = (): boolean => page.document?.visibilityState === 'hidden'
  const onReturn = (): void => {
    if (isHidden()) return
    cancel()
    look()
  }
  // A page that is hidden then waits until it is shown.
  const timer =
    attempt === undefined
      ? undefined
      : setTimeout(onReturn, pausesMs[Math.min(attempt, pausesMs.length - 1)])
  page.document?.addEventListener('visibilitychange', onReturn)
  page.addEventListener?.('online', onReturn)
  const cancel = (): void => {
    clearTimeout(timer)
    page.document?.removeEventListener('visibilitychange', onReturn)
    page.removeEventListener?.('online', onReturn)
  }
  return cancel
}
