/** What a caller has started ends with each of the things that gave access. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { PolicyEnd } from '../distribution/distribution.ts'
import type { Caller } from '../http/route-types.ts'
import { createAccessWatch } from './access-watch.ts'

const page: Caller = {
  kind: 'page',
  origin: 'https://shop.example',
  consentId: 'consent-1',
  label: 'shop',
  expiresAt: 1000,
}

function arrange() {
  const state = {
    consent: 'consent-1',
    allowlist: ['https://shop.example'],
    now: 0,
    ...{ end: undefined as PolicyEnd | undefined },
  }
  const listeners = new Set<(id: string) => void>()
  const listen = (listener: (id: string) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const watch = createAccessWatch({
    consents: { isActive: (id) => id === state.consent, onEnd: listen },
    allowlist: () => state.allowlist,
    onAllowlist: listen,
    findPolicyEnd: () => state.end,
    clock: () => state.now,
  })
  const change = (changes: Partial<typeof state>) => {
    Object.assign(state, changes)
    for (const listener of listeners) listener('consent-1')
  }
  return { watch, change, count: () => listeners.size }
}

test.each([
  ['its consent', { consent: '' }, 'consent-required'],
  ['its consent, and the origin gets another one', { consent: 'consent-2' }, 'consent-required'],
  ['its entry on the allowlist', { allowlist: ['https://other.example'] }, 'origin-refused'],
  ['its token', { now: 1000 }, 'token-refused'],
  ['the policy of the connector', { end: 'policy-expired' as const }, 'policy-expired'],
  ['the block of its device', { end: 'device-blocked' as const }, 'device-blocked'],
])('what a page has started ends, once, with %s', (_, changes, name) => {
  proves('events-outlive')
  const { watch, change, count } = arrange()
  let ended = 0
  watch.onRevoked(page, () => {
    ended += 1
  })
  change({})
  expect([ended, watch.findRevocation(page)]).toEqual([0, undefined])
  change(changes)
  change({})
  expect([ended, count()]).toEqual([1, 0])
  expect(() => watch.requireAccess(page)).toThrow(expect.objectContaining({ name }))
})
