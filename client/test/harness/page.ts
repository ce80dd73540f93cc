/** A simulated page: the ports of the library on Node, with the CORS and permission rules of a browser. */
import { webcrypto } from 'node:crypto'
import type { Fetch, Permission, Ports } from '../../src/ports.ts'

export const origin = 'https://shop.example'

export interface Page {
  readonly ports: Ports
  /** What the page has stored. */
  readonly stored: Map<string, string>
  /** Fires every timer of exactly so many milliseconds; false when there is none. */
  elapse(ms: number): boolean
}

/** Opens a page of `origin` whose timers fire only when a test calls `elapse`. */
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
      page: { secure: true, loopback: false, blockedByPolicy: false },
      queryPermission: async () => undefined,
      isBlockedByCsp: async () => false,
      clock: Date.now,
      random: (bytes) => webcrypto.getRandomValues(bytes),
      schedule(ms, act) {
        const one = { ms, act }
        waiting.add(one)
        return () => waiting.delete(one)
      },
      subtle: globalThis.crypto.subtle,
      locks: undefined,
      openChannel: undefined,
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

/** fetch with the rules of CORS (fetch.spec.whatwg.org), and with the same error for every failure, as in a browser. */
export function pageFetch(page: string, send: typeof fetch = fetch): Fetch {
  const failed = (): TypeError => new TypeError('Failed to fetch')
  const quietly = (url: string, init: RequestInit): Promise<Response> =>
    send(url, init).catch((error) => {
      throw error instanceof DOMException ? error : failed()
    })
  const allows = (response: Response): boolean =>
    response.headers.get('access-control-allow-origin') === page

  return async (url, { targetAddressSpace: _, ...init }) => {
    if (init.mode === 'no-cors') return quietly(url, init)
    const headers = new Headers(init.headers)
    const requested = [...headers.keys()].filter((name) => name !== 'accept')
    const preflight = await quietly(url, {
      method: 'OPTIONS',
      headers: {
        origin: page,
        'access-control-request-method': init.method ?? 'GET',
        'access-control-request-headers': requested.join(','),
      },
      signal: init.signal ?? null,
    })
    const granted = preflight.headers.get('access-control-allow-headers')?.split(/, */) ?? []
    if (!preflight.ok || !allows(preflight) || requested.some((name) => !granted.includes(name))) {
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
