/** Refused registrations, as administrators list them, and the check of an installation key. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData, nextAddress } from '../harness/arrange.ts'
import { createIdentity, register } from '../harness/device.ts'

export function refusalSuite(service: () => DistributionService): void {
  const list = async (query: string) => {
    const token = await service().login()
    return getData(await service().request('GET', `/v3/devices/refusals?${query}`, { token }))
  }
  const version = async () => createVersion(service(), await service().login())

  test('GET /v3/devices/refusals lists a wrong key with address, reason and device, counted, and no key', async () => {
    proves('registration-failures-shown')
    const { id } = await version()
    const [from, identity, wrongKey] = [nextAddress(), await createIdentity(), crypto.randomUUID()]
    await register(service(), identity, wrongKey, { version: id }, { from })
    const last = await register(service(), identity, wrongKey, { version: id }, { from })
    const found = await list(`address=${from}`)
    expect(found).toEqual({
      items: [
        {
          address: from,
          reason: 'api-key-refused',
          detail: last.json.detail,
          count: 2,
          firstAt: expect.any(String),
          lastAt: expect.any(String),
          requestId: last.headers.get('x-request-id'),
          fingerprint: identity.fingerprint,
        },
      ],
      ...{ page: 1, size: 20, total: 1 },
    })
    expect(Date.now() - Date.parse(found.items[0].lastAt)).toBeLessThan(60_000)
    expect(JSON.stringify(found)).not.toContain(wrongKey)
  })

  test('GET /v3/devices/refusals names the device whose key was right, and filters by reason', async () => {
    proves('registration-failures-shown')
    const { id, installationApiKey } = await version()
    const [from, identity] = [nextAddress(), await createIdentity()]
    const body = { version: '9.9.9', device: { hostname: 'till-4.example' } }
    await register(service(), identity, installationApiKey, body, { from })
    await register(service(), identity, crypto.randomUUID(), body, { from })
    expect((await list(`address=${from}`)).items).toMatchObject([
      { reason: 'api-key-refused' },
      {
        reason: 'version-unknown',
        keyVersion: id,
        fingerprint: identity.fingerprint,
        version: '9.9.9',
        platform: 'UNIX',
        hostname: 'till-4.example',
      },
    ])
    expect((await list(`address=${from}&reason=version-unknown`)).total).toBe(1)
  })

  test('GET /v3/devices/refusals answers why a device is refused, by its version, name, address or fingerprint', async () => {
    proves('rejection-reasons')
    const { id, installationApiKey } = await version()
    const [from, identity] = [nextAddress(), await createIdentity()]
    const name = `Desk-${crypto.randomUUID()}`
    const body = { version: '9.9.9', device: { hostname: `${name}.example` } }
    await register(service(), identity, installationApiKey, body, { from })
    const { fingerprint } = identity
    const [refused] = (await list(`fingerprint=${fingerprint}`)).items
    expect(refused).toMatchObject({ reason: 'version-unknown', hostname: `${name}.example` })
    const narrow = `address=${from}&fingerprint=${fingerprint}`
    for (const query of [
      `hostname=${name.toUpperCase()}`,
      `q=${name.toLowerCase()}`,
      `q=${fingerprint}`,
      `q=${refused.requestId}`,
      `${narrow}&q=${from}`,
      `${narrow}&version=9.9.9`,
      `${narrow}&version=${id}`,
    ])
      expect((await list(query)).items).toEqual([refused])
    expect((await list(`${narrow}&version=1.1.1`)).total).toBe(0)
    expect((await list(`q=none-${crypto.randomUUID()}`)).total).toBe(0)
  })

  test('GET /v3/devices/refusals does not list a registration that succeeded', async () => {
    const { id, installationApiKey } = await version()
    const [from, identity] = [nextAddress(), await createIdentity()]
    await register(service(), identity, installationApiKey, { version: id }, { from })
    expect((await list(`address=${from}`)).total).toBe(0)
  })

  test('GET /v3/devices/refusals/groups counts by reason, version and network, and the list has the registrations of a group', async () => {
    proves('rejection-groups')
    const { installationApiKey } = await version()
    const own = `9.${Date.now()}.0`
    // Of the other half of that range: no other test has an address of this network.
    const base = nextAddress().replace('198.18.', '198.19.').replace(/\d+$/, '')
    const fail = async (from: string, claimed: string) =>
      register(
        service(),
        await createIdentity(),
        installationApiKey,
        { version: claimed },
        { from },
      )
    for (const [from, claimed] of [
      [`${base}201`, own],
      [`${base}202`, own],
      [`${base}202`, `${own}-other`],
      ['2001:db8:77:100::1', own],
    ] as const)
      await fail(from, claimed)
    const read = async (query: string) => {
      const token = await service().login()
      const path = `/v3/devices/refusals/groups?${query}`
      return getData(await service().request('GET', path, { token })).items
    }
    const group = { reason: 'version-unknown', version: own }
    expect(await read(`version=${own}`)).toMatchObject([
      { ...group, network: `${base}0/24`, devices: 2, count: 2 },
      { ...group, network: '2001:db8:77:100::/56', devices: 1, count: 1 },
    ])
    const network = encodeURIComponent(`${base}0/24`)
    expect((await list(`version=${own}&network=${network}`)).total).toBe(2)
    expect(
      (await list(`version=${own}&network=${encodeURIComponent('2001:db8:77:100::/56')}`)).total,
    ).toBe(1)
    expect((await list(`version=${own}&network=${encodeURIComponent(`${base}20`)}`)).total).toBe(0)
  })

  test('an address that fails very often has few refusals stored, and another address is stored all the same', async () => {
    proves('rejections-flood')
    const [from, elsewhere] = [nextAddress(), nextAddress()]
    const fail = async (address: string) => {
      const apikey = crypto.randomUUID()
      return register(service(), await createIdentity(), apikey, {}, { from: address })
    }
    await Promise.all(Array.from({ length: 45 }, () => fail(from)))
    await fail(elsewhere)
    const { items } = await list(`address=${from}&size=100`)
    const stored = items.reduce((sum: number, { count }: Json) => sum + count, 0)
    // 20 a minute; another minute may have begun meanwhile.
    expect(stored).toBeGreaterThan(0)
    expect(stored).toBeLessThanOrEqual(40)
    expect((await list(`address=${elsewhere}`)).total).toBe(1)
  })

  test('GET /v3/devices/installation-key names the version of a right key, registers nothing, and refuses a wrong one', async () => {
    proves('installation-key-check')
    const { id, installationApiKey } = await version()
    const check = (apikey: string) =>
      service().request('GET', '/v3/devices/installation-key', {
        headers: { apikey },
        from: nextAddress(),
      })
    expect(getData(await check(installationApiKey))).toEqual({ version: id, newDevices: true })
    const wrong = await check(crypto.randomUUID())
    expect([wrong.status, wrong.json.code]).toEqual([401, 'api-key-refused'])
    const token = await service().login()
    const devices = getData(await service().request('GET', `/v3/devices?version=${id}`, { token }))
    expect(devices.total).toBe(0)
  })
}
