/** Identity data whose page loses its consent between the yes of the user and the answer. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { CardModule } from '../sandbox/card-modules/card-module.ts'
import { findCardModule } from '../sandbox/card-modules/card-modules.ts'
import { createIdentityGuard } from './identity-guard.ts'

const origin = 'https://shop.example'
const module = findCardModule('beid') as CardModule
const card = { module, reader: 'Reader 1', atr: '3B00', pinpad: false }

/** A page with consent, whose user answers so, or has said yes before. */
function openPage(isPermitted: boolean, answer: object | 'accepted' = 'accepted') {
  let isConsented = true
  const listeners = new Set<() => void>()
  const unused = () => () => undefined
  const readWithPermission = createIdentityGuard({
    readers: { subscribe: unused },
    cardAccess: { run: async () => ({ kind: 'identity', identity: {} }) },
    askForIdentity: async () => answer,
    identityPermissions: { has: () => isPermitted, add: unused },
    log: { info: unused, error: unused },
    consents: {
      isActive: () => isConsented,
      onEnd: (listener: () => void) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    allowlist: () => [origin],
    onAllowlist: unused,
    findPolicyEnd: () => undefined,
    clock: Date.now,
  } as unknown as Parameters<typeof createIdentityGuard>[0])
  const caller = {
    ...{ kind: 'page', origin, consentId: 'a consent' },
    ...{ label: undefined, expiresAt: Number.POSITIVE_INFINITY },
  }
  const context = {
    env: { keepOpen: unused },
    get: () => caller,
    req: { raw: new Request(origin) },
  } as unknown as Parameters<typeof readWithPermission>[0]
  return {
    listeners,
    read: <T>(read: (signal: AbortSignal) => Promise<T>) =>
      readWithPermission(context, card, ['address'], read),
    endConsent({ isReported }: { readonly isReported: boolean }) {
      isConsented = false
      if (isReported) for (const listener of [...listeners]) listener()
    },
  }
}

test('a page whose user refuses gets nothing, and nothing is read for it', async () => {
  proves('visitor-identified')
  const page = openPage(false, { problem: 'identity-refused', reason: 'The user refused' })
  let reads = 0
  const answer = page.read(async () => {
    reads += 1
  })
  await expect(answer).rejects.toMatchObject({ name: 'identity-refused' })
  expect(reads).toBe(0)
})

const refusal = { name: 'consent-required' }
const pages = [
  ['whose user says yes', false],
  ['whose user said yes before', true],
] as const

test.each(pages)(
  'a page %s gets its data, and nothing is watched any more',
  async (_, isPermitted) => {
    const page = openPage(isPermitted)
    expect(await page.read(async () => 'data')).toBe('data')
    expect(page.listeners.size).toBe(0)
  },
)

test.each(pages)(
  'a read for a page %s ends with its consent, while it waits for the card',
  async (_, isPermitted) => {
    proves('visitor-identified')
    const page = openPage(isPermitted)
    const answer = page.read(async (signal) => {
      page.endConsent({ isReported: true })
      signal.throwIfAborted()
    })
    await expect(answer).rejects.toMatchObject(refusal)
  },
)

test.each([true, false])(
  'data that were read before the consent ended are not answered after: reported %s',
  async (isReported) => {
    proves('visitor-identified')
    const page = openPage(true)
    const answer = page.read(async () => {
      page.endConsent({ isReported })
      return 'data'
    })
    await expect(answer).rejects.toMatchObject(refusal)
  },
)
