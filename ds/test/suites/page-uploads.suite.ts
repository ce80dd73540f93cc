/** Files that forms of the admin console bring, on every runtime: stored as a whole or not at all. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { administrator } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { addAccount } from '../harness/accounts.ts'
import {
  createLabel,
  createVersion,
  getData,
  nextInstaller,
  uploadInstaller,
} from '../harness/arrange.ts'
import { fromOwnPage, openPageSession, toPagePath } from '../harness/page-session.ts'
import { boundary, createForm, encode, end, join } from '../harness/upload-form.ts'

export function pageUploadSuite(service: () => DistributionService, file: Uint8Array): void {
  const send = async (
    to: string,
    body: Uint8Array,
    headers: Record<string, string> = {},
    account = administrator,
  ) => {
    const { cookie } = await openPageSession(service(), account)
    const type = `multipart/form-data; boundary=${boundary}`
    return service().request('POST', toPagePath(to), {
      headers: { ...fromOwnPage(service()), cookie, 'content-type': type, ...headers },
      body,
    })
  }
  const find = async (name: string) =>
    service().request('GET', `/v3/installers/${name}`, { token: await service().login() })

  test('a form stores its file under its name, with the digest of its bytes', async () => {
    proves('installer-form')
    const name = nextInstaller()
    const { status, headers } = await send('installers', join(createForm(name, file), encode(end)))
    expect([status, headers.get('location')]).toEqual([303, `./installers/${name}`])
    const sha256 = createHash('sha256').update(file).digest('hex')
    expect(getData(await find(name))).toMatchObject({ size: file.length, sha256 })
  })

  test('a form stores its file under the name that was typed, with the digest that was typed', async () => {
    const name = nextInstaller()
    const sha256 = createHash('sha256').update(file).digest('hex')
    const form = createForm('other.deb', file, { name, sha256 })
    expect((await send('installers', join(form, encode(end)))).status).toBe(303)
    expect(getData(await find(name)).sha256).toBe(sha256)
  })

  test.each([
    ['another digest', { sha256: 'a'.repeat(64) }, 422],
    ['a digest that is none', { sha256: 'abc' }, 422],
    ['a name in another folder', { name: '../a.deb' }, 422],
  ])('a form with %s stores nothing, and keeps what was typed', async (_, fields, status) => {
    const name = nextInstaller()
    const form = createForm(name, file, fields)
    const response = await send('installers', join(form, encode(end)))
    expect(response.status).toBe(status)
    for (const value of Object.values(fields)) expect(response.text).toContain(`value="${value}"`)
    expect((await find(name)).status).toBe(404)
  })

  test.each([
    ['a second file', join(encode('\r\n'), createForm('b.deb', encode('b')), encode(end))],
    ['no end', encode('')],
    ['something behind its end', encode(`${end}more`)],
  ])('a form with %s stores nothing', async (_, rest) => {
    proves('form-file-swapped')
    const name = nextInstaller()
    const { status } = await send('installers', join(createForm(name, file), rest))
    expect(status).toBe(400)
    expect((await find(name)).status).toBe(404)
  })

  test('a form without a file, or with an empty one, stores nothing', async () => {
    const none = await send('installers', join(createForm('', encode('')), encode(end)))
    expect([none.status, none.text.includes('Choose a file')]).toEqual([422, true])
    const name = nextInstaller()
    const empty = await send('installers', join(createForm(name, encode('')), encode(end)))
    expect([empty.status, empty.text.includes('the file is empty')]).toEqual([422, true])
    expect((await find(name)).status).toBe(404)
  })

  test('a form of another page stores nothing', async () => {
    const name = nextInstaller()
    const form = join(createForm(name, encode('bytes')), encode(end))
    const other = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect((await send('installers', form, other)).status).toBe(403)
    expect((await find(name)).status).toBe(404)
  })

  test('a form of a viewer stores nothing, and no form of one changes anything else here', async () => {
    proves('viewer-forges-form')
    const viewer = await addAccount(service(), 'viewer')
    const name = nextInstaller()
    const form = join(createForm(name, encode('bytes')), encode(end))
    expect((await send('installers', form, {}, viewer)).status).toBe(403)
    expect((await find(name)).status).toBe(404)
    const label = await createLabel(service(), await service().login())
    const session = await openPageSession(service(), viewer)
    const stored = await uploadInstaller(service(), await service().login())
    for (const [to, fields] of [
      ['organizations', { name: 'Forged' }],
      [`organizations/${label.orgId}`, { name: 'Forged' }],
      [`organizations/${label.orgId}/remove`, { confirm: 'x' }],
      ['labels/new', { name: 'Forged', orgId: label.orgId }],
      [`labels/${label.id}`, { name: 'Forged' }],
      [`labels/${label.id}/rotate`, { confirm: label.name, overlap: '0' }],
      [`labels/${label.id}/revoke`, { confirm: label.name }],
      [`labels/${label.id}/remove`, { confirm: label.name }],
      [`installers/${stored.name}/remove`, { confirm: stored.name }],
    ] as const) {
      expect([to, (await session.post(to, fields)).status]).toEqual([
        to,
        to.startsWith('organizations') && 'confirm' in fields ? 422 : 403,
      ])
      const { status, text } = await session.get(to)
      // The only form is the one that logs out; lists have their search.
      expect([to, status, text.match(/method="post"/g)?.length]).toEqual([to, 200, 1])
    }
    const token = await service().login()
    const after = getData(await service().request('GET', `/v3/labels/${label.id}`, { token }))
    expect(after).toMatchObject({ name: label.name, keyState: 'active', revision: 1 })
    expect((await find(stored.name)).status).toBe(200)
  })

  test('a form does not replace what a version names', async () => {
    const token = await service().login()
    const { name, uri, sha256 } = await uploadInstaller(service(), token)
    await createVersion(service(), token, { uris: [{ os: 'UNIX', uri }] })
    const { status, text } = await send('installers', join(createForm(name, file), encode(end)))
    expect([status, text.includes('Cannot replace')]).toEqual([409, true])
    expect(getData(await find(name)).sha256).toBe(sha256)
  })
}
