/** What a review asks: the name for changes that reach more than DS_REVIEW_SHARE of all devices, and nothing where nothing changes. */
import { afterEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession } from './harness/page-session.ts'
import { readHidden } from './harness/page-text.ts'

let ds: InProcess | undefined
afterEach(() => ds?.stop())

test.each([
  ['0', 1, true],
  ['49', 2, true],
  ['50', 2, false],
  ['100', 4, false],
])('with %s percent, a change to %i of 4 devices is large: %s', async (share, count, isLarge) => {
  proves('change-reviewed')
  ds = await startInProcess({ DS_REVIEW_SHARE: share })
  const token = await ds.login()
  const [version, other] = [await createVersion(ds, token), await createVersion(ds, token)]
  for (let made = 0; made < 4; made += 1) await createDevice(ds, made < count ? version : other)
  const path = `/v3/versions/${version.id}/configurations/reach`
  expect(getData(await ds.request('GET', path, { token }))).toMatchObject({ reach: count, isLarge })
})

test('a form that is sent as it was shown has no review, saves nothing and says so', async () => {
  proves('change-reviewed')
  ds = await startInProcess()
  const token = await ds.login()
  const version = await createVersion(ds, token)
  for (const _ of [1, 2]) await createDevice(ds, version)
  const put = async (body: object) => {
    const sent = { versionId: version.id, ...body }
    const path = '/v3/configurations?maxReach=2'
    return getData((await ds?.request('PUT', path, { token, body: sent })) as never)
  }
  const cors = ['https://a.example', 'https://b.example']
  const uri = 'https://downloads.example/keystore.p12'
  const allowlist = await put({ type: 'CONTEXT_CONFIG', config: { cors } })
  const keystore = await put({ type: 'SSL_KEYSTORE', config: { uri, password: 'secret' } })
  const session = await openPageSession(ds)
  const installer = { 'uri-UNIX': 'https://downloads.example/connector.deb' }
  for (const [page, form] of [
    [`configurations/${allowlist.id}`, { cors: 'https://B.example\n\nhttps://a.example' }],
    [`configurations/${keystore.id}`, { uri }],
    [`versions/${version.id}/flags`, { allowed: 'on' }],
    [`versions/${version.id}/installers`, installer],
  ] as const) {
    const etag = readHidden((await session.get(page)).text, 'etag')
    const { status, text } = await session.post(page, { ...form, etag })
    expect([page, status, text.includes('Nothing changed, so nothing was saved.')]).toEqual([
      ...[page, 200, true],
    ])
    expect(text).not.toMatch(/Apply|receive/)
    expect(readHidden(text, 'etag')).toBe(etag)
    expect(readHidden((await session.get(page)).text, 'etag')).toBe(etag)
  }
  const changed = await session.post(`configurations/${keystore.id}`, {
    ...{ uri, password: 'other' },
    etag: readHidden((await session.get(`configurations/${keystore.id}`)).text, 'etag'),
  })
  expect(changed.text).toContain('2 devices receive this change at their next sync.')
  for (const page of [`configurations/${allowlist.id}`, `versions/${version.id}`]) {
    const { text } = await session.get(`${page}/history/1/restore`)
    expect(text).toContain('These settings are current. There is nothing to restore.')
    expect(text).not.toMatch(/receive|affected|<button[^>]*>Restore/)
  }
})
