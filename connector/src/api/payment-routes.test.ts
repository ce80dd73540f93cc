/** The number of a payment card, for a page whose grant ends while the card is read. */
import { getIccPublicCertificate, listPaymentCertificates } from '@cardwire/protocol/payment'
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import { bindPaymentRoutes } from './payment-routes.ts'

const origin = 'https://shop.example'
const params = { module: 'emv', reader: 'a', aid: 'A0000000031010' }
const keys = ['issuer', 'icc'].map((key) => ({
  ...{ key, certificate: 'QQ==', exponent: 'Aw==', remainder: '' },
}))

type Handler = (input: object, context: Context<ApiEnv>) => Promise<{ readonly data: unknown }>

/** Resolves with the data, or the name of the problem, of a page with the grant, which may end while the card is read. */
async function call(operation: { readonly name: string }, endsMeanwhile: boolean) {
  const handlers = new Map<string, Handler>()
  const bind = (({ name }: { readonly name: string }, handler: Handler) =>
    void handlers.set(name, handler)) as unknown as Bind
  let isGranted = true
  const reader = { id: 'a', name: 'A reader', pinpad: false, card: { atr: '3B00' } }
  bindPaymentRoutes(bind, {
    readers: {
      ready: async () => undefined,
      snapshot: () => ({ readers: [reader], pcsc: { kind: 'up' } }),
      subscribe: () => () => undefined,
    },
    cardAccess: {
      async run() {
        isGranted = !endsMeanwhile
        return { kind: 'payment-keys', keys }
      },
    },
    hasGrant: () => isGranted,
    consents: { isActive: () => true, onEnd: () => () => undefined },
    allowlist: () => [origin],
    onAllowlist: () => () => undefined,
    findPolicyEnd: () => undefined,
    clock: Date.now,
  } as unknown as Parameters<typeof bindPaymentRoutes>[1])
  const caller = { kind: 'page', origin, consentId: 'a', expiresAt: Number.POSITIVE_INFINITY }
  const context = {
    get: () => caller,
    env: { keepOpen: () => undefined },
    req: { raw: new Request(origin) },
  } as unknown as Context<ApiEnv>
  const handler = handlers.get(operation.name)
  if (!handler) throw new Error(`Expected the operation ${operation.name}`)
  return Promise.resolve(handler({ params, query: {} }, context)).then(
    ({ data }) => Object.keys(data as object),
    (error) => (error instanceof Problem ? error.name : String(error)),
  )
}

test('the key from which the number of a card follows is not answered when the grant ended while it was read', async () => {
  proves('payment-number-read')
  expect(await call(getIccPublicCertificate, false)).toContain('certificate')
  expect(await call(getIccPublicCertificate, true)).toBe('grant-missing')
  const both = ['issuerPublicCertificate', 'ICCPublicCertificate']
  expect(await call(listPaymentCertificates, false)).toEqual(both)
  expect(await call(listPaymentCertificates, true)).toEqual(both.slice(0, 1))
})
