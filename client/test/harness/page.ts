/** What the library sees of a page: Node's own parts behind the rules of a browser. */
import { webcrypto } from 'node:crypto'
import type { Fetch, Permission, Ports } from '../../src/ports.ts'

export const origin = 'https://shop.example'

export interface Page {
  readonly ports: Ports
  /** What the page has stored. */
  readonly stored: Map<string, string>
  /** Lets the time of everything that waits for so many milliseconds come; false when nothing does. */
  elapse(ms: number): boolean
}

/** A page of `origin` with the time standing still: nothing ends by itself unless a test says so. */
export function openPage(given: Partial<Ports> = {}): Page {
  const stored = new Map<string, string>()
  const waiting = new Set<{ readonly ms: number; readonly act: () => void }>()
  return {
    stored,
    ports: {
      fetch: pageFetch(origin),
      storage: {
        read: (key) => stored.get(key),
        write: (key, value) => {
          if (value === undefined) stored.delete(key)
          else stored.set(key, value)
        },
      },
      page: { secure: true, loopback: false, barred: false },
      permission: async () => undefined,
      clock: Date.now,
      random: (bytes) => webcrypto.getRandomValues(bytes),
      after(ms, act) {
        const one = { ms, act }
        waiting.add(one)
        return () => waiting.delete(one)
      },
      subtle: globalThis.crypto.subtle,
      locks: undefined,
      channel: undefined,
      ...given,
    },
    elapse(ms) {
      const due = [...waiting].filter((one) => one.ms === ms)
      for (const one of due) {
        waiting.delete(one)
        one.act()
      }
      return due.length > 0
    },
  }
}

/** fetch with the rules of CORS (fetch.spec.whatwg.org), and as silent about what went wrong as a browser. */
export function pageFetch(page: string): Fetch {
  const failed = (): TypeError => new TypeError('Failed to fetch')
  const quietly = (url: string, init: RequestInit): Promise<Response> =>
    fetch(url, init).catch((error) => {
      throw error instanceof DOMException ? error : failed()
    })
  const allows = (response: Response): boolean =>
    response.headers.get('access-control-allow-origin') === page

  return async (url, { targetAddressSpace: _, ...init }) => {
    if (init.mode === 'no-cors') return quietly(url, init)
    const headers = new Headers(init.headers)
    const asked = [...headers.keys()].filter((name) => name !== 'accept')
    const preflight = await quietly(url, {
      method: 'OPTIONS',
      headers: {
        origin: page,
        'access-control-request-method': init.method ?? 'GET',
        'access-control-request-headers': asked.join(','),
      },
      signal: init.signal ?? null,
    })
    const granted = preflight.headers.get('access-control-allow-headers')?.split(/, */) ?? []
    if (!preflight.ok || !allows(preflight) || asked.some((name) => !granted.includes(name))) {
      throw failed()
    }
    headers.set('origin', page)
    const response = await quietly(url, { ...init, headers })
    if (!allows(response)) throw failed()
    return response
  }
}

/** The browser's permission to call this machine, decided by the test. */
export function permission(
  state: Permission['state'],
): Permission & { decide(to: Permission['state']): void } {
  const listeners = new Set<() => void>()
  const status = {
    state,
    addEventListener: (_: 'change', listener: () => void) => void listeners.add(listener),
    removeEventListener: (_: 'change', listener: () => void) => void listeners.delete(listener),
    decide(to: Permission['state']) {
      status.state = to
      for (const listener of listeners) listener()
    },
  }
  return status
}
