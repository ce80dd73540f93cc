/** Too many requests. */
import { expect, test } from 'vitest'
import { passwordGrant } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { ServiceResponse } from '../../../test/bed/service-request.ts'
import { storeAccounts } from '../harness/account.ts'
import { createLabel, nextAddress } from '../harness/arrange.ts'

/** Failures of an address in a window. */
const failuresPerWindow = 20
const windowMs = 60_000

export function limitSuite(service: () => DistributionService): void {
  const exchange = (apikey: string, from: string) =>
    service().request('GET', '/v3/tokens/application', { headers: { apikey }, from })

  test('failed logins from an address are limited, whatever the names', async () => {
    proves('password-guessing')
    const from = nextAddress()
    // Their hashes are cheap, where that of an account that does not exist has the full cost.
    const names = Array.from({ length: 100 }, (_, n) => `limited-${n}-${crypto.randomUUID()}`)
    await storeAccounts(service(), names, 'a-password-of-theirs')
    const path = '/auth/realms/cardwire/protocol/openid-connect/token'
    const { before } = await tryUntilLimited((n) => {
      const username = names[n] ?? `nobody-${n}`
      const form = { ...passwordGrant, username, password: 'a-wrong-password' }
      return service().request('POST', path, { form, from })
    })
    expect(before.length).toBeGreaterThanOrEqual(failuresPerWindow)
    expect(new Set(before)).toEqual(new Set([400]))
  })

  test('wrong keys from an address are limited, the right key from the same address is not', async () => {
    proves('many-clients')
    const { apiKey } = await createLabel(service(), await service().login())
    const [from, elsewhere] = [nextAddress(), nextAddress()]
    const { before, limited } = await tryUntilLimited(() => exchange(crypto.randomUUID(), from))
    expect(before.length).toBeGreaterThanOrEqual(failuresPerWindow)
    expect(new Set(before)).toEqual(new Set([401]))
    expect(limited.json.code).toBe('too-many-requests')
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await exchange(apiKey, from)).status).toBe(200)
    expect((await exchange(crypto.randomUUID(), elsewhere)).status).toBe(401)
  })
}

/**
 * Tries until the limit answers; resolves with its response and the statuses before it. On Workers all windows begin with the
 * minute, whenever the first try was: each one that has begun may take as many as the first. Throws after more than that.
 */
async function tryUntilLimited(
  attempt: (n: number) => Promise<ServiceResponse>,
): Promise<{ readonly before: readonly number[]; readonly limited: ServiceResponse }> {
  const startedAt = Date.now()
  const before: number[] = []
  for (;;) {
    const response = await attempt(before.length)
    if (response.status === 429) return { before, limited: response }
    before.push(response.status)
    const windows = Math.floor((Date.now() - startedAt) / windowMs) + 2
    if (before.length > windows * failuresPerWindow)
      throw new Error(`${before.length} failures were not limited`)
  }
}
