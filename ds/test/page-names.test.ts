/** What lists and filters of the admin console call things: names in place of ids, and what was done in place of "saved". */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createLabel, createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession, type PageSession } from './harness/page-session.ts'
import { readRows, readWords } from './harness/page-text.ts'

let ds: InProcess
let session: PageSession
beforeEach(async () => {
  ds = await startInProcess()
  session = await openPageSession(ds)
})
afterEach(() => ds.stop())

const admin = async (method: string, path: string, body?: Json) =>
  getData(
    await ds.request(method, path, {
      token: await ds.login(),
      ...(body !== undefined && { body }),
    }),
  )

/** The choices of a field. */
const readOptions = (text: string, name: string): readonly string[] => {
  const [, select = ''] =
    new RegExp(`<select[^>]*name="${name}"[^>]*>(.*?)</select>`, 's').exec(text) ?? []
  return [...select.matchAll(/<option[^>]*>([^<]*)</g)].map(([, option = '']) => option)
}

test('applications are filtered by the name of their organization, and usage by the name of an application', async () => {
  proves('usage-chart', 'label-form')
  const bank = await admin('PUT', '/v3/organizations', { name: 'Example Bank' })
  const shop = await admin('PUT', '/v3/organizations', { name: 'Example Shop' })
  const till = await admin('PUT', '/v3/labels', { name: 'Till', orgId: bank.id })
  await admin('PUT', '/v3/labels', { name: 'Counter', orgId: shop.id })
  const { text } = await session.get('labels')
  expect(readOptions(text, 'orgId')).toEqual(['All', 'Example Bank', 'Example Shop'])
  expect(text).not.toContain('Organization ID')
  for (const typed of [bank.id, 'example%20bank']) {
    const rows = readRows((await session.get(`labels?orgId=${typed}`)).text)
    expect(rows.slice(1).map((row) => row.split(' Active')[0])).toEqual(['Till Example Bank'])
  }
  const use = (await session.get(`use?label=${till.id}`)).text
  expect(readOptions(use, 'label')).toEqual(['All', 'Counter', 'Till', 'None'])
  expect(use).toMatch(/<option value="till" selected[^>]*>Till</)
  expect(readOptions((await session.get('use?label=gone')).text, 'label')).toContain('gone')
})

test('of more organizations than a list has, one is found by its name, and not by part of it', async () => {
  proves('label-form')
  const token = await ds.login()
  for (let n = 0; n <= 100; n += 1)
    await ds.request('PUT', '/v3/organizations', { token, body: { name: `Branch ${n}` } })
  await ds.request('PUT', '/v3/labels', { token, body: { name: 'Till', orgId: 'branch10' } })
  const form = (await session.get('labels/new')).text
  expect(readWords(form)).toContain('OrganizationName or ID')
  const list = (await session.get('labels?orgId=BRANCH 10')).text
  expect(readRows(list).slice(1)).toHaveLength(1)
  expect(list).toContain('value="Branch 10"')
  expect(readWords((await session.get('labels?orgId=Branch')).text)).toContain(
    'No matching applications.',
  )
  const made = await session.post('labels/new', { name: 'Desk', orgId: 'branch 7' })
  expect(made.status).toBe(200)
  expect(await admin('GET', '/v3/labels/desk')).toMatchObject({ orgId: 'branch7' })
})

test('modules have names in lists and filters, with what the API calls them', async () => {
  proves('usage-chart')
  const { id: label } = await createLabel(ds, await ds.login())
  const device = await createDevice(ds, await createVersion(ds, await ds.login()))
  const day = new Date().toISOString().slice(0, 10)
  const entry = { label, useCase: 'signature', day, count: 7 }
  const entries = ['beid', 'of-tomorrow'].map((module) => ({ ...entry, module }))
  await device.sync({ batches: [{ id: crypto.randomUUID(), entries }] })
  const { text } = await session.get('use')
  expect(readWords(text)).not.toContain('Billing tags come from pages')
  const tagged = { ...entry, module: 'piv', tag: 'desk' }
  await device.sync({ batches: [{ id: crypto.randomUUID(), entries: [tagged] }] })
  expect(readWords((await session.get('use')).text)).toContain(
    'Billing tags come from pages, which can send one with each request (X-T1C-BILLING-TAG).',
  )
  expect(readRows(text).join('\n')).toContain('Belgian identity card (beid) Signature')
  expect(readRows(text).join('\n')).toContain('of-tomorrow Signature')
  expect(readOptions(text, 'module').slice(0, 3)).toEqual([
    'All',
    'PIV card (piv)',
    'Belgian identity card (beid)',
  ])
})

test('entries of the audit log are found by the name of their target', async () => {
  proves('audit-values')
  const bank = await admin('PUT', '/v3/organizations', { name: 'Example Bank' })
  await admin('PUT', '/v3/labels', { name: 'Till', orgId: bank.id })
  const id = crypto.randomUUID()
  await admin('PUT', `/v3/groups/${id}`, { name: 'Desks', rules: [{ tags: ['desk'] }] })
  const { text } = await session.get('audit?id=desks')
  expect(readRows(text)).toHaveLength(2)
  expect(readRows(text)[1]).toContain('Added or changed a group Group Desks')
  expect(text).toContain('value="Desks"')
  expect((await session.get('audit?kind=group&id=example bank')).text).toContain(
    'No matching entries.',
  )
  const token = await ds.login()
  await ds.request('PUT', '/v3/labels', {
    token,
    body: { id: 'till', name: 'Example Bank', orgId: bank.id },
  })
  const several = readWords((await session.get('audit?id=Example Bank')).text)
  expect(several).toContain('Several targets have this name. Choose one:')
  expect(several).toContain('Organization Example Bank (examplebank)')
  expect(several).toContain('Application Example Bank (till)')
})

test('a configuration is added from the list, on a page with a title that no other has', async () => {
  proves('configurations-form')
  const { id: versionId } = await createVersion(ds, await ds.login())
  expect((await session.get('configurations')).text).toContain('>Add configuration<')
  const choice = (await session.get('configurations/choose')).text
  expect(choice).toContain(`<option value="${versionId}">`)
  expect(readOptions(choice, 'type')).toEqual([
    'Allowlist and card permissions',
    'File hashes',
    'Keystore',
  ])
  const form = (await session.get(`configurations/new?versionId=${versionId}&type=SSL_KEYSTORE`))
    .text
  expect(form).toContain(`<h1>Add keystore for ${versionId}</h1>`)
})

test('keystores are listed, with the group that one is for', async () => {
  proves('configurations-form', 'keystore-form')
  const { id: versionId } = await createVersion(ds, await ds.login())
  expect(readWords((await session.get('keystore')).text)).toContain(
    'No version has a keystore yet.',
  )
  const groupId = crypto.randomUUID()
  await admin('PUT', `/v3/groups/${groupId}`, { name: 'Desks', rules: [{ tags: ['desk'] }] })
  const config = { uri: 'https://keys.example/all.p12', password: 'secret' }
  const keystore = { type: 'SSL_KEYSTORE', versionId, config }
  const all = await admin('PUT', '/v3/configurations', keystore)
  const ofGroup = await admin('PUT', '/v3/configurations', {
    ...keystore,
    groupId,
    config: { ...config, uri: 'https://keys.example/desks.p12' },
  })
  const rows = readRows((await session.get('keystore')).text)
    .slice(1)
    .toSorted()
  expect(rows).toEqual([
    `${versionId} All devices https://keys.example/all.p12 Unknown`,
    `${versionId} Desks https://keys.example/desks.p12 Unknown`,
  ])
  const list = readRows((await session.get('configurations')).text).join('\n')
  expect(list).toContain(`${versionId} Desks`)
  expect(readWords((await session.get(`configurations/${ofGroup.id}`)).text)).toContain(
    'Only devices of the group Desks get this configuration.',
  )
  expect((await session.get(`configurations/${all.id}`)).text).not.toContain(
    'Only devices of the group',
  )
})

test('the list of versions leads to the rollout of one', async () => {
  proves('rollout-page')
  await createVersion(ds, await ds.login(), { id: '4.0.0' })
  const { id: version } = await createVersion(ds, await ds.login(), { id: '4.1.0' })
  const id = crypto.randomUUID()
  const stages = [{ share: 100, holdS: 60 }]
  await admin('PUT', `/v3/rollouts/${id}?maxReach=99`, { version, flag: 'recommended', stages })
  const { text } = await session.get('versions')
  expect(text).toContain(`<a href="rollouts/${id}">Rollout: Not started</a>`)
  expect(readRows(text).filter((row) => row.includes('Rollout: Not started'))).toHaveLength(1)
})

test('what was added and what was changed are told apart, and a key says how long the old one works', async () => {
  proves('configurations-form', 'signing-keys-in-browser')
  const keys = readWords((await session.get('signing-keys')).text)
  expect(keys).toContain('after an overlap period of 24 hours')
  expect(keys).toContain('Signing. Signs now.')
  expect(keys).not.toContain('Retiring.')
  expect(readWords((await session.get('signing-keys/rotate/application')).text)).toContain(
    'starts signing in 24 hours. The old key stays published for another 24 hours after that',
  )
  const { id } = await createVersion(ds, await ds.login())
  expect(readWords((await session.get(`versions/${id}/key`)).text)).toContain(
    'The old key stops working immediately',
  )
  const { headers } = await session.post(`configurations/new?versionId=${id}&type=CONTEXT_CONFIG`, {
    cors: 'https://shop.example',
  })
  const to = (headers.get('location') ?? '').replace(/^(?:\.\.\/)+/, '')
  expect(readWords((await session.get(to)).text)).toContain(
    'Added. The change takes effect at each connector’s next sync.',
  )
})

test('the systems of a group are chosen by their names', async () => {
  proves('group-form')
  const form = (await session.get('groups/new')).text
  expect(readWords(form)).toContain('Windows, 64-bit')
  expect(readWords(form)).not.toContain('WIN64')
  const id = /name="id" value="([^"]+)"/.exec(form)?.[1] ?? ''
  const typed = { tags: '', reportedTags: '', hostnames: '', versions: '' }
  const made = await session.post('groups/new', {
    ...{ ...typed, id, name: 'Macs', priority: '0' },
    'platforms-0': 'MACOSARM',
  })
  expect(made.status).toBe(303)
  const { items } = await admin('GET', '/v3/groups')
  expect(items).toMatchObject([{ name: 'Macs', rules: [{ platforms: ['MACOSARM'] }] }])
  expect((await session.get(`groups/${id}/edit`)).text).toMatch(/value="MACOSARM" checked/)
})
