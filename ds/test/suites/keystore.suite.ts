/** Keystores: the file for devices of the version alone, the password for the one device alone. */
import { createHash } from 'node:crypto'
import { createManifestName } from '@cardwire/protocol'
import { compactDecrypt } from 'jose'
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { readKeystoreFile } from '../../../test/bed/keystore-file.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import {
  createVersion,
  createVersionBody,
  getData,
  nextInstaller,
  nextVersion,
  uploadInstaller,
  uploadKeystore,
} from '../harness/arrange.ts'
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
    expect(headers.get('content-length')).toBe(String(keystore.length))
    expect(text).toBe(new TextDecoder().decode(keystore))
    expect(headers.get('content-type')).toBe('application/x-pkcs12')
    expect(headers.get('cache-control')).toBe('no-store')
    const other = await (await createDevice(service(), bare)).request('GET', '/v3/devices/keystore')
    expect([other.status, other.json.code]).toEqual([404, 'keystore-unknown'])
    const nobody = await service().request('GET', '/v3/devices/keystore')
    expect([nobody.status, nobody.json.code]).toEqual([401, 'assertion-refused'])
  })

  /** A new version that has this installer; the problem when it is refused. */
  const register = async (uri: string, id = nextVersion()) =>
    service().request('PUT', '/v3/versions', {
      token: await service().login(),
      body: { ...createVersionBody({ id }), uris: [{ os: 'UNIX', uri }] },
    })
  const download = (id: string, query = '') =>
    service().request('GET', `/v3/downloads/installers/unix/versions/${id}${query}`)

  test('a keystore is no installer: no version names it, and no download sends it', async () => {
    proves('keystore-as-installer')
    const own = await version()
    await configure(own.id, { uri: 'file:///keys/keystore.p12', password: 'x' })
    for (const uri of [
      'file:///keys/keystore.p12',
      'file:///keys%2Fkeystore.p12',
      'file:///../keystores/keys/keystore.p12',
      'file:///keystores/keys/keystore.p12',
    ]) {
      const refused = await register(uri)
      expect([refused.status, refused.json.code]).toEqual([422, 'input-invalid'])
    }
    const found = await service().request('GET', '/v3/installers/keys%2Fkeystore.p12', {
      token: await service().login(),
    })
    expect([found.status, found.json.code]).toEqual([404, 'installer-unknown'])
  })

  test('a manifest that lists a keystore makes no download of it', async () => {
    proves('keystore-as-installer')
    const [id, usual] = [nextVersion(), `${nextInstaller()}.deb`]
    const secret = `keystore-${id}.deb`
    await service().putPackage(usual, Buffer.from('a package'))
    await service().putKeystore(secret, keystore)
    const listed = (file: string, architecture: string) => ({
      ...{ file, system: 'UNIX', architecture, size: keystore.length, sha256: sha256(keystore) },
    })
    const files = [listed(usual, 'x64'), listed(secret, 'arm64')]
    const manifest = JSON.stringify({ version: id, files })
    const signed = JSON.stringify({ manifest, signature: 'c2lnbmVk' })
    await service().putPackage(createManifestName(id), Buffer.from(signed))
    expect((await register(`file:///${usual}`, id)).status).toBe(201)
    expect((await download(id)).text).toBe('a package')
    const { status, json } = await download(id, '?architecture=arm64')
    expect([status, json.code]).toEqual([404, 'installer-unknown'])
  })

  test('an installer is no keystore', async () => {
    proves('keystore-as-installer')
    const token = await service().login()
    const own = await createVersion(service(), token)
    const { uri } = await uploadInstaller(service(), token)
    const { status, json } = await service().request('PUT', '/v3/configurations', {
      token,
      body: { versionId: own.id, type: 'SSL_KEYSTORE', config: { uri, password: 'x' } },
    })
    expect([status, json.code]).toEqual([422, 'input-invalid'])
  })

  test('a keystore that was uploaded is replaced and removed only while no configuration names it', async () => {
    proves('keystore-as-installer')
    const token = await service().login()
    const { name, uri } = await uploadKeystore(service(), token)
    const second = readKeystoreFile('open-other.p12')
    const put = (body: Uint8Array) =>
      service().request('PUT', `/v3/keystores/${name}`, {
        token,
        body,
        headers: { 'content-type': 'application/octet-stream' },
      })
    expect((await put(second)).status).toBe(200)
    const own = await createVersion(service(), token)
    const { id, config } = await configure(own.id, { uri, password: 'x' })
    expect(config).toMatchObject({ uri, digest: sha256(second) })
    const remove = () => service().request('DELETE', `/v3/keystores/${name}`, { token })
    for (const { status, json } of [await put(keystore), await remove()])
      expect([status, json.code]).toEqual([409, 'keystore-in-use'])
    const listed = await service().request('GET', `/v3/keystores?name=${name}`, { token })
    expect(listed.json.data.items).toEqual([
      { name, uri, size: second.length, revisionsOf: [own.id] },
    ])
    await service().request('DELETE', `/v3/configurations/${id}`, { token })
    expect((await remove()).status).toBe(200)
    expect([(await remove()).json.code]).toEqual(['keystore-unknown'])
  })
}
