/** Virtual time: what is due next happens next, and the clock jumps there. */

export interface EventQueue {
  /** Milliseconds since 1970. */
  now(): number
  /** Acts once after a delay, unless the answer is called before. */
  after(delayMs: number, act: () => void): () => void
  /** The same for what does nothing but plan what comes next: nobody has to look at what came of it. */
  planAfter(delayMs: number, act: () => void): () => void
  /** Does what is due first; whether there was anything but planning. */
  step(): boolean
  /** When the next event is due. */
  nextAt(): number | undefined
}

interface Event {
  readonly at: number
  /** Of two that are due at once the one that was planned first comes first. */
  readonly order: number
  readonly isPlanning: boolean
  act: (() => void) | undefined
}

export function createEventQueue(startAt: number): EventQueue {
  const heap: Event[] = []
  let now = startAt
  let planned = 0

  const comesBefore = (one: Event, other: Event) =>
    one.at < other.at || (one.at === other.at && one.order < other.order)

  function push(event: Event): void {
    let at = heap.length
    heap.push(event)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || comesBefore(parent, event)) break
      heap[at] = parent
      at = above
    }
    heap[at] = event
  }

  function pop(): Event | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const [one, other] = [heap[left], heap[left + 1]]
      if (one === undefined) break
      const [child, below] = other && comesBefore(other, one) ? [other, left + 1] : [one, left]
      if (comesBefore(last, child)) break
      heap[at] = child
      at = below
    }
    heap[at] = last
    return first
  }

  function plan(delayMs: number, act: () => void, isPlanning: boolean): () => void {
    const event: Event = { at: now + Math.max(0, delayMs), order: planned, isPlanning, act }
    planned += 1
    push(event)
    return () => {
      event.act = undefined
    }
  }

  /** What was cancelled leaves when its turn comes. */
  function dropCancelled(): void {
    while (heap[0] && heap[0].act === undefined) pop()
  }

  return {
    now: () => now,
    after: (delayMs, act) => plan(delayMs, act, false),
    planAfter: (delayMs, act) => plan(delayMs, act, true),
    step() {
      dropCancelled()
      const event = pop()
      if (event === undefined) return false
      now = event.at
      event.act?.()
      return !event.isPlanning
    },
    nextAt() {
      dropCancelled()
      return heap[0]?.at
    },
  }
}
