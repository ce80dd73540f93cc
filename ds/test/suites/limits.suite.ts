/** Too many requests. */
import { expect, test } from 'vitest'
import { aLabel, freshAddress } from '../harness/arrange.ts'
import { passwordGrant, type Service } from '../harness/service.ts'

export function limitSuite(service: () => Service): void {
  const exchange = (apikey: string, from: string) =>
    service().ask('GET', '/v3/tokens/application', { headers: { apikey }, from })

  test('logins that fail from an address are limited, whatever the names', async () => {
    const from = freshAddress()
    const statuses = []
    for (let n = 0; n < 22; n += 1) {
      const form = { ...passwordGrant, username: `nobody-${n}`, password: 'a-wrong-password' }
      const path = '/auth/realms/cardwire/protocol/openid-connect/token'
      statuses.push((await service().ask('POST', path, { form, from })).status)
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(400))
    expect(statuses.at(-1)).toBe(429)
  })

  test('wrong keys from an address are limited, the right one from there is not', async () => {
    const { apiKey } = await aLabel(service(), await service().login())
    const [from, elsewhere] = [freshAddress(), freshAddress()]
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
