/** Groups and tags in the admin console: forms, their refusals, and the number before a change. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession } from './harness/page-session.ts'
import { readHidden } from './harness/page-text.ts'

let ds: InProcess
beforeEach(async () => {
  ds = await startInProcess()
})
afterEach(() => ds.stop())

const admin = async (method: string, path: string, body?: Json) =>
  ds.request(method, path, { token: await ds.login(), ...(body !== undefined && { body }) })

const empty = { tags: '', reportedTags: '', hostnames: '', platforms: '', versions: '' }

test('a group is made in the browser, once however often the form is sent, and removed', async () => {
  proves('group-form')
  const session = await openPageSession(ds)
  expect((await session.get('groups')).text).toContain(
    'A group contains the devices that match its rules',
  )
  const id = readHidden((await session.get('groups/new')).text, 'id')
  const form = {
    ...empty,
    id,
    name: 'Desks',
    priority: '3',
    tags: 'berlin, kiosk',
    hostnames: 'pc-*',
  }
  for (const _ of [1, 2]) {
    const { status, headers } = await session.post('groups/new', form)
    expect([status, headers.get('location')]).toEqual([303, `../groups/${id}`])
  }
  const { items } = getData(await admin('GET', '/v3/groups'))
  expect(items).toMatchObject([
    { id, name: 'Desks', priority: 3, rules: [{ tags: ['berlin', 'kiosk'], hostnames: ['pc-*'] }] },
  ])
  const { text } = await session.get(`groups/${id}`)
  expect(text).toContain('Tag: berlin, kiosk; Host name: pc-*')
  expect(text).toContain('Nothing yet')
  expect((await session.get(`groups/${id}/edit`)).text).toContain('value="berlin, kiosk"')
  expect((await session.post(`groups/${id}/remove`)).status).toBe(303)
  expect(getData(await admin('GET', '/v3/groups')).items).toEqual([])
})

test.each([
  ['Cannot', { tags: 'Berlin' }, 'Expected 1 to 64 lowercase letters'],
  ['Cannot', { hostnames: 'a*b*c' }, 'Expected a host name with one *'],
  ['Cannot', { platforms: 'amiga' }, 'id="platforms-0-error"'],
  ['Cannot', {}, 'Rule 1'],
])(
  '%s save a group with %j: the form says what is wrong and keeps the rest',
  async (_, rule, says) => {
    proves('group-form')
    const session = await openPageSession(ds)
    const id = readHidden((await session.get('groups/new')).text, 'id')
    const form = { ...empty, id, name: 'My desks', priority: '3', ...rule }
    const { status, text } = await session.post('groups/new', form)
    expect(status).toBe(422)
    expect(text).toContain('value="My desks"')
    expect(text).toContain(says)
  },
)

test('a group that is in use says how many devices a change reaches, and a device why it is in it', async () => {
  proves('group-form', 'group-configuration')
  const version = await createVersion(ds, await ds.login())
  const device = await createDevice(ds, version)
  const session = await openPageSession(ds)
  const bad = await session.post(`devices/${device.id}/tags`, { tags: 'Berlin' })
  expect([bad.status, bad.text.includes('Expected 1 to 64 lowercase')]).toEqual([422, true])
  expect((await session.post(`devices/${device.id}/tags`, { tags: 'kiosk, berlin' })).status).toBe(
    303,
  )
  const id = crypto.randomUUID()
  const rules = [{ tags: ['berlin'] }]
  getData(await admin('PUT', `/v3/groups/${id}`, { name: 'Desks', rules }))
  const config = { cors: ['https://a.example'] }
  const allowlist = { type: 'CONTEXT_CONFIG', versionId: version.id, groupId: id, config }
  getData(await admin('PUT', '/v3/configurations?maxReach=1', allowlist))
  const page = (await session.get(`devices/${device.id}`)).text
  expect(page).toContain(
    '<a href="devices?tag=berlin">berlin</a>, <a href="devices?tag=kiosk">kiosk</a>',
  )
  expect(page).toContain('>Desks</a>: Tag: berlin')
  expect(page).toContain('for the group Desks')
  const edit = (await session.get(`groups/${id}/edit`)).text
  const form = {
    ...empty,
    etag: readHidden(edit, 'etag'),
    name: 'Desks',
    priority: '0',
    tags: 'paris',
  }
  const review = await session.post(`groups/${id}/edit`, form)
  expect(review.text).toContain(
    '1 device gets a different configuration or rollout stage at its next sync.',
  )
  const confirmed = { ...form, maxReach: readHidden(review.text, 'maxReach') }
  expect((await session.post(`groups/${id}/edit`, confirmed)).status).toBe(303)
  expect((await session.get(`groups/${id}/remove`)).text).toContain('still uses this group')
  expect(getData(await admin('GET', `/v3/devices/${device.id}`)).groups).toEqual([])
})

test('devices are found by a tag, typed in any case, and a tag that is none is said beside its field', async () => {
  proves('device-tags')
  const version = await createVersion(ds, await ds.login())
  const device = await createDevice(ds, version, {
    device: { hostname: 'tagged-1', tags: ['from-device'] },
  })
  await createDevice(ds, version, { device: { hostname: 'tagged-2' } })
  const session = await openPageSession(ds)
  await session.post(`devices/${device.id}/tags`, { tags: 'hall:3' })
  const { text: page } = await session.get(`devices/${device.id}`)
  expect(page).toContain('<a href="devices?tag=hall%3A3">hall:3</a>')
  expect(page).toContain(
    '<a href="devices?tag=from-device">from-device</a> (reported by the device)',
  )
  const { text: list } = await session.get('devices?tag=Hall:3')
  expect(list).toContain('>tagged-1</a>')
  expect(list).not.toContain('>tagged-2</a>')
  expect(list).toMatch(/<input id="tag" name="tag" type="text" value="hall:3"/)
  expect(list).toContain('href="devices/change?tag=hall%3A3&amp;change=block"')
  const review = await session.get('devices/change?tag=hall:3&change=block')
  expect(review.text).toContain('<strong>1 device will change.</strong>')
  expect(review.text).toContain('Tag: hall:3')
  const wrong = await session.get('devices?tag=hall+3&os=WIN64')
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('This isn’t a valid tag.')
  expect(wrong.text).toMatch(/<input id="tag" [^>]*value="hall 3"[^>]*aria-invalid="true"/)
  expect(wrong.text).toContain('<option value="WIN64" selected=""')
})

const readList = async (path: string) => getData(await admin('GET', path)).items

test('a configuration is added for a group, beside the one for all devices, and named with its group', async () => {
  proves('group-form', 'group-configuration')
  const version = await createVersion(ds, await ds.login())
  const id = crypto.randomUUID()
  await admin('PUT', `/v3/groups/${id}`, { name: 'Tills', rules: [{ tags: ['till'] }] })
  const session = await openPageSession(ds)
  const chosen = await session.get(`configurations/choose?groupId=${id}`)
  expect(chosen.text).toContain(`<option value="${id}" selected="">Tills</option>`)
  const query = `versionId=${version.id}&type=FILE_DIGESTS`
  const file = { files: `${'a'.repeat(64)} one` }
  for (const place of [query, `${query}&groupId=${id}`]) {
    const { text } = await session.get(`configurations/new?${place}`)
    expect(text.includes('Only devices of the group')).toBe(place !== query)
    expect((await session.post(`configurations/new?${place}`, file)).status).toBe(303)
  }
  const stored = await readList(`/v3/configurations?versionId=${version.id}`)
  const own = stored.find((one: Json) => one.groupId === id)
  const all = stored.find((one: Json) => one.groupId === undefined)
  expect(stored.length).toBe(2)
  // Each is there once: its address leads to the form that changes it.
  const again = await session.get(`configurations/new?${query}&groupId=${id}`)
  expect(again.headers.get('location')).toContain(own.id)
  const changed = { files: `${'b'.repeat(64)} two` }
  const form = await session.get(`configurations/${own.id}`)
  expect(form.text).toContain(`File hashes for ${version.id} (Tills)`)
  const etag = readHidden(form.text, 'etag')
  expect((await session.post(`configurations/${own.id}`, { ...changed, etag })).status).toBe(303)
  const after = await readList(`/v3/configurations?versionId=${version.id}`)
  expect(after.find((one: Json) => one.id === own.id)).toMatchObject({
    ...{ groupId: id, revision: 2 },
    config: { files: [{ path: 'two' }] },
  })
  expect(after.find((one: Json) => one.id === all.id)).toMatchObject({ revision: 1 })
  const pages = [
    `versions/${version.id}`,
    `configurations/${own.id}/history`,
    `configurations/${own.id}/history/1`,
    `configurations/${own.id}/history/1/restore`,
    `configurations/${own.id}/remove`,
    `configurations/difference?from=${version.id}&to=${version.id}-none`,
  ]
  for (const page of pages)
    expect((await session.get(page)).text, page).toMatch(/File hashes[^<]*\(Tills\)/i)
  const listed = (await session.get('configurations')).text
  expect(listed).toContain(`<a href="groups/${id}">Tills</a>`)
  expect(listed).toContain('All devices')
  expect((await session.get('audit?kind=configuration')).text).toContain('(Tills)')
  expect((await session.get('audit?kind=group')).text).toContain('Tills')
})

test('with more configurations than fit a page, the version still names all of them', async () => {
  proves('group-form')
  const version = await createVersion(ds, await ds.login())
  const config = { files: [{ path: 'one', digest: `sha256:${'a'.repeat(64)}` }] }
  for (let at = 0; at < 35; at += 1) {
    const id = crypto.randomUUID()
    await admin('PUT', `/v3/groups/${id}`, { name: `Group ${at}`, rules: [{ tags: [`t${at}`] }] })
    for (const type of ['FILE_DIGESTS', 'CONTEXT_CONFIG', 'SSL_KEYSTORE'])
      getData(
        await admin('PUT', '/v3/configurations', {
          ...{ type, versionId: version.id, groupId: id },
          config:
            type === 'FILE_DIGESTS'
              ? config
              : type === 'CONTEXT_CONFIG'
                ? { cors: [`https://s${at}.example`] }
                : { uri: 'https://downloads.example/k.p12', password: 'secret' },
        }),
      )
  }
  const session = await openPageSession(ds)
  const names = (text: string) => text.match(/\(Group \d+\)/g)?.length
  expect(names((await session.get(`versions/${version.id}`)).text)).toBe(105)
  // The keystore of a group is not the one of the version.
  expect((await session.get('keystore')).text).not.toContain('>All devices<')
  const difference = `configurations/difference?from=${version.id}&to=${version.id}-none`
  expect((await session.get(difference)).text).toContain('(Group 34)')
})

test('the stages of a rollout name groups, and keep them when the form is opened again', async () => {
  proves('group-form', 'rollout-groups')
  const token = await ds.login()
  await createDevice(ds, await createVersion(ds, token, { id: '1.0.0' }))
  await createVersion(ds, token, { id: '2.0.0' })
  const group = crypto.randomUUID()
  await admin('PUT', `/v3/groups/${group}`, { name: 'Tills', rules: [{ tags: ['till'] }] })
  const session = await openPageSession(ds)
  const id = readHidden((await session.get('rollouts/new')).text, 'id')
  const rates = { goodRate: '1', badRate: '4' }
  const form = (rows: readonly (readonly [group: string, share: string, hold: string])[]) => [
    ...Object.entries({ id, version: '2.0.0', flag: 'recommended', ...rates }),
    ...rows.flatMap(([of, share, hold]) => [
      ['group', of] as const,
      ['share', share] as const,
      ['hold', hold] as const,
    ]),
  ]
  const wrong = await session.post(
    'rollouts/new',
    form([
      ['', '10', '1'],
      [group, '50', '1'],
      ['', '100', '1'],
    ]),
  )
  expect([wrong.status, wrong.text.includes('Expected the stages with a group first')]).toEqual([
    422,
    true,
  ])
  const stages = [
    [group, '50', '1'],
    ['', '10', '1'],
    ['', '100', '1'],
  ] as const
  expect((await session.post('rollouts/new', form(stages))).status).toBe(303)
  const edit = (await session.get(`rollouts/${id}/edit`)).text
  expect(edit.match(/selected="">Tills/g)?.length).toBe(1)
  const changed = [
    [group, '40', '1'],
    ['', '10', '1'],
    ['', '100', '1'],
  ] as const
  const sent = [...form(changed), ['etag', readHidden(edit, 'etag')] as const]
  expect((await session.post(`rollouts/${id}/edit`, sent)).status).toBe(303)
  expect(getData(await admin('GET', `/v3/rollouts/${id}`)).stages).toEqual([
    { share: 40, holdS: 3600, group },
    { share: 10, holdS: 3600 },
    { share: 100, holdS: 3600 },
  ])
  expect((await session.get(`rollouts/${id}`)).text).toContain(
    `<a href="groups/${group}">Tills</a>`,
  )
  expect((await session.get(`rollouts/${id}/start`)).text).toContain(
    'The stage that starts now (40%, Tills)',
  )
  getData(await admin('PUT', `/v3/rollouts/${id}/state`, { state: 'running' }))
  expect((await session.get(`rollouts/${id}`)).text).toContain(
    'Running. 40% of the devices in the group Tills are offered the version.',
  )
  expect((await session.get('rollouts')).text).toContain('40% (Tills)')
  expect((await session.get('')).text).toContain('40% (Tills)')
})
