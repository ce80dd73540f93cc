/** Installers that administrators upload: stored as a whole or not at all, and never changed while a version names them. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json, ServiceRequestOptions } from '../../../test/bed/service-request.ts'
import { createVersion, getData, nextInstaller, uploadInstaller } from '../harness/arrange.ts'
import { openPageSession } from '../harness/page-session.ts'

const media = { 'content-type': 'application/octet-stream' }
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

export function installerSuite(service: () => DistributionService, file: Uint8Array): void {
  const send = async (
    method: string,
    name = '',
    { headers, ...options }: ServiceRequestOptions = {},
  ) =>
    service().request(method, `/v3/installers${name && `/${name}`}`, {
      token: await service().login(),
      ...options,
      headers: { ...(options.body !== undefined && media), ...headers },
    })
  const download = async (uri: string) => {
    const { id } = await createVersion(service(), await service().login(), {
      uris: [{ os: 'UNIX', uri }],
    })
    const response = await service().request('GET', `/v3/downloads/installers/unix/versions/${id}`)
    return { ...response, id }
  }

  /** The connection, after the header. */
  const beginUpload = async (name: string, length: number) => {
    const { hostname, port, host } = new URL(service().url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `PUT /v3/installers/${name} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${await service().login()}\r\n` +
        `content-type: application/octet-stream\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`,
    )
    return socket
  }

  test('PUT /v3/installers/{name} stores the bytes, and answers with digest and address', async () => {
    proves('installer-upload-atomic')
    const name = nextInstaller()
    const stored = await send('PUT', name, { body: file })
    const expected = {
      name,
      uri: `file:///${name}`,
      size: file.length,
      sha256: sha256(file).toString('hex'),
    }
    expect([stored.status, stored.json.data]).toEqual([201, expected])
    expect((await send('GET', name)).json.data).toEqual(expected)
    const { bytes } = await download(stored.json.data.uri)
    expect(Buffer.compare(bytes, file)).toBe(0)
  })

  test('PUT /v3/installers/{name} replaces a file that nothing names', async () => {
    const { name } = await uploadInstaller(service(), await service().login())
    const again = await send('PUT', name, { body: 'other bytes' })
    expect([again.status, again.json.data.size]).toEqual([200, 11])
    expect((await download(`file:///${name}`)).text).toBe('other bytes')
  })

  test('PUT /v3/installers/{name} refuses to replace what a version names', async () => {
    proves('used-installers-kept')
    const { name } = await uploadInstaller(service(), await service().login())
    const { id } = await download(`file:///${name}`)
    const again = await send('PUT', name, { body: 'other bytes' })
    expect([again.status, again.json.code]).toEqual([409, 'installer-in-use'])
    expect(again.json.description).toContain(`version "${id}"`)
    expect((await download(`file:///${name}`)).text).toBe('bytes of an installer')
  })

  test('PUT /v3/installers/{name} refuses to replace what a version names since its body began', async () => {
    proves('used-installers-kept')
    const { name } = await uploadInstaller(service(), await service().login())
    const socket = await beginUpload(name, 11)
    socket.write('other')
    // Each comes after the upload, which has read by then whether a version names the file.
    for (let at = 0; at < 5; at += 1) await send('GET', name)
    const { id } = await download(`file:///${name}`)
    socket.write(' bytes')
    const response = await text(socket)
    expect(response).toMatch(/^HTTP\/1\.1 409 /)
    expect(response).toContain(`version \\"${id}\\" names it`)
    const path = `/v3/downloads/installers/unix/versions/${id}`
    expect((await service().request('GET', path)).text).toBe('bytes of an installer')
  })

  test('PUT /v3/installers/{name} checks Content-Digest, and keeps what was there', async () => {
    proves('installer-upload-atomic')
    const { name } = await uploadInstaller(service(), await service().login())
    const put = (digest: string) =>
      send('PUT', name, { body: 'other bytes', headers: { 'content-digest': digest } })
    const wrong = await put(`sha-256=:${sha256('something else').toString('base64')}:`)
    expect([wrong.status, wrong.json.code]).toEqual([422, 'digest-mismatch'])
    expect((await send('GET', name)).json.data.size).toBe(21)
    const malformed = await put('sha-256=:abc:')
    expect([malformed.status, malformed.json.code]).toEqual([422, 'input-invalid'])
    const right = await put(`sha-512=:AA==:, sha-256=:${sha256('other bytes').toString('base64')}:`)
    expect(right.status).toBe(200)
  })

  test.each([
    ['a step up', '..%2Fsecret'],
    ['a folder', 'folder%2Ffile.deb'],
    ['a backslash', '..%5Csecret'],
    ['a dot at its start', '.uploads'],
    ['NUL', 'a%00.deb'],
    ['a line end', 'a%0d%0ab.deb'],
    ['a space', 'a%20b.deb'],
    ['an umlaut', 'gr%C3%B6%C3%9Fe.deb'],
    ['129 characters', 'a'.repeat(129)],
  ])('PUT /v3/installers/{name} refuses a name with %s', async (_, name) => {
    proves('upload-traversal')
    const { status, json } = await send('PUT', name, { body: 'bytes' })
    expect([status, json.code]).toEqual([422, 'input-invalid'])
  })

  test.each([
    ['an empty file', '', {}, 'input-invalid'],
    ['JSON', '{}', { 'content-type': 'application/json' }, 'content-type-unsupported'],
  ])('PUT /v3/installers/{name} refuses %s', async (_, body, headers, code) => {
    const { json } = await send('PUT', nextInstaller(), { body, headers: { ...media, ...headers } })
    expect(json.code).toBe(code)
  })

  test('PUT /v3/installers/{name} refuses a file without a length', async () => {
    const response = await fetch(new URL(`/v3/installers/${nextInstaller()}`, service().url), {
      method: 'PUT',
      headers: { ...media, authorization: `Bearer ${await service().login()}` },
      body: new Blob(['bytes']).stream(),
      duplex: 'half',
    } as RequestInit)
    expect([response.status, ((await response.json()) as Json).code]).toEqual([
      411,
      'length-required',
    ])
  })

  test('an upload that is cut short stores nothing, and can be sent again', async () => {
    proves('installer-upload-atomic')
    const name = nextInstaller()
    const socket = await beginUpload(name, file.length)
    socket.write(file.subarray(0, file.length / 2), () => socket.resetAndDestroy())
    await once(socket, 'close')
    await expect
      .poll(async () => getData(await send('GET', '')).items.map((one: Json) => one.name))
      .not.toContain(name)
    expect((await send('GET', name)).status).toBe(404)
    expect((await send('PUT', name, { body: file })).status).toBe(201)
  })

  test('GET /v3/installers lists the files, also those that were put there in another way', async () => {
    const { name } = await uploadInstaller(service(), await service().login())
    const response = await service().request('GET', '/v3/installers?size=100', {
      token: await service().login(),
    })
    const { items, total } = getData(response)
    expect(total).toBe(items.length)
    expect(items).toContainEqual({ name, uri: `file:///${name}`, size: 21 })
    expect(items).toContainEqual({
      name: 'packages/connector.bin',
      uri: 'file:///packages/connector.bin',
      size: file.length,
    })
    const names = items.map((item: Json) => item.name)
    expect(names).toEqual(names.toSorted())
    const search = await service().request('GET', '/v3/installers?name=CONNECTOR.b', {
      token: await service().login(),
    })
    expect(getData(search).items.map((item: Json) => item.name)).toEqual(['packages/connector.bin'])
  })

  test('GET /v3/installers/{name} finds a file in a folder, and nothing outside the packages', async () => {
    const found = await send('GET', 'packages%2Fconnector.bin')
    expect(found.json.data.sha256).toBe(sha256(file).toString('hex'))
    for (const name of ['..%2Fdata%2Fds.sqlite', 'nobody.deb', '.uploads%2Fx', '%00'])
      expect((await send('GET', name)).status).toBe(404)
  })

  test.each([
    ['in letters', 'x'.repeat(4097)],
    ['in bytes', '%C3%A9'.repeat(513)],
  ])('a name that is too long %s for any store is that of no file', async (_, name) => {
    for (const method of ['GET', 'DELETE']) {
      const { status, json } = await send(method, name)
      expect([status, json.code]).toEqual([404, 'installer-unknown'])
    }
  })

  test('DELETE /v3/installers/{name} removes a file, but none that a version names', async () => {
    proves('used-installers-kept')
    const token = await service().login()
    const { name } = await uploadInstaller(service(), token)
    const { id } = await download(`file:///${name}`)
    const refused = await send('DELETE', name)
    expect([refused.status, refused.json.code]).toEqual([409, 'installer-in-use'])
    expect((await send('GET', name)).json.data.revisionsOf).toEqual([id])
    await service().request('PATCH', `/v3/versions/${id}`, { token, body: { uris: [] } })
    const session = await openPageSession(service())
    const page = await session.get(`installers/${name}/remove`)
    expect(page.text).toContain('Earlier revisions of these versions use the file.')
    expect(page.text).toContain(`href="versions/${id}/history"`)
    await service().request('DELETE', `/v3/versions/${id}`, { token })
    expect((await send('GET', name)).json.data).not.toHaveProperty('revisionsOf')
    expect((await send('DELETE', name)).json.data).toEqual({ name })
    expect((await send('GET', name)).status).toBe(404)
    expect((await send('DELETE', name)).status).toBe(404)
  })
}
