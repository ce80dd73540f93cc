/** Too many requests. */
import { expect, test } from 'vitest'
import { passwordGrant } from '../../../.ci/test-bed/administrator.ts'
import type { DistributionService } from '../../../.ci/test-bed/distribution-service.ts'
import { createLabel, nextAddress } from '../harness/arrange.ts'

export function limitSuite(service: () => DistributionService): void {
  const exchange = (apikey: string, from: string) =>
    service().request('GET', '/v3/tokens/application', { headers: { apikey }, from })

  test('failed logins from an address are limited, whatever the names', async () => {
    const from = nextAddress()
    const statuses = []
    for (let n = 0; n < 22; n += 1) {
      const form = { ...passwordGrant, username: `nobody-${n}`, password: 'a-wrong-password' }
      const path = '/auth/realms/cardwire/protocol/openid-connect/token'
      statuses.push((await service().request('POST', path, { form, from })).status)
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(400))
    expect(statuses.at(-1)).toBe(429)
  })

  test('wrong keys from an address are limited, the right key from the same address is not', async () => {
    const { apiKey } = await createLabel(service(), await service().login())
    const [from, elsewhere] = [nextAddress(), nextAddress()]
    const statuses = []
    for (let n = 0; n < 25; n += 1)
      statuses.push((await exchange(crypto.randomUUID(), from)).status)
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401))
    expect(statuses.at(-1)).toBe(429)
    const limited = await exchange(crypto.randomUUID(), from)
    expect(limited.json.code).toBe('too-many-requests')
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await exchange(apiKey, from)).status).toBe(200)
    expect((await exchange(crypto.randomUUID(), elsewhere)).status).toBe(401)
  })
}
