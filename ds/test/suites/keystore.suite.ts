/** Keystores: the file for devices of the version alone, the password for the one device alone. */
import { createHash } from 'node:crypto'
import { compactDecrypt } from 'jose'
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { keystorePassword } from './configurations.suite.ts'

export function keystoreSuite(service: () => DistributionService, keystore: Uint8Array): void {
  const version = async () => createVersion(service(), await service().login())
  const configure = async (versionId: string, config: Json, id?: string) =>
    getData(
      await service().request('PUT', '/v3/configurations', {
        token: await service().login(),
        body: { versionId, type: 'SSL_KEYSTORE', config, ...(id && { id }) },
      }),
    )
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

  test('POST /v3/devices/sync sends the keystore with its password, which only the device can decrypt', async () => {
    proves('keystore-for-device')
    const own = await version()
    const config = { uri: 'file:///keys/keystore.p12', password: keystorePassword }
    const { id } = await configure(own.id, config)
    const device = await createDevice(service(), own)
    const { reply, text } = await device.sync()
    expect(reply.keystore).toEqual({
      uri: `${service().url}/v3/devices/keystore`,
      guarded: true,
      digest: sha256(keystore),
      password: expect.any(String),
    })
    const open = async (jwe: string) =>
      new TextDecoder().decode((await compactDecrypt(jwe, device.decryptionKey)).plaintext)
    expect(await open(reply.keystore.password)).toBe(keystorePassword)
    expect(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()).not.toContain(
      keystorePassword,
    )

    const other = { uri: 'https://keys.example/k.p12', password: 'another' }
    await configure(own.id, other, id)
    const changed = await device.sync({ state: reply.state })
    expect(changed.reply.keystore).toMatchObject({ uri: other.uri, guarded: false })
    expect(await open(changed.reply.keystore.password)).toBe('another')
    await configure(own.id, { ...other, password: 'a third' }, id)
    const third = await device.sync({ state: changed.reply.state })
    expect(await open(third.reply.keystore.password)).toBe('a third')
  })

  test('GET /v3/devices/keystore sends the file only to devices of its version', async () => {
    const [own, bare] = [await version(), await version()]
    await configure(own.id, { uri: 'file:///keys/keystore.p12', password: 'x' })
    const device = await createDevice(service(), own)
    const { status, headers, text } = await device.request('GET', '/v3/devices/keystore')
    expect(status).toBe(200)
    expect(sha256(Buffer.from(text))).toBe(sha256(keystore))
    expect(headers.get('content-type')).toBe('application/x-pkcs12')
    expect(headers.get('cache-control')).toBe('no-store')
    const other = await (await createDevice(service(), bare)).request('GET', '/v3/devices/keystore')
    expect([other.status, other.json.code]).toEqual([404, 'keystore-unknown'])
    const nobody = await service().request('GET', '/v3/devices/keystore')
    expect([nobody.status, nobody.json.code]).toEqual([401, 'assertion-refused'])
  })
}
