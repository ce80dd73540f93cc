/** What pages may do with cards, in the form of the admin console, as HTTP. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { fromOwnPage, openPageSession } from '../harness/page-session.ts'
import { readRows } from '../harness/page-text.ts'
import { withDatabase } from '../harness/stored-data.ts'

const cors = ['https://shop.example']
const aids = ['A0000000031010', 'D27600012401']
const grant = { origin: 'https://shop.example', allow: ['raw'], aids }
// As the page of a configuration of revision 1 sends it.
const filled = {
  etag: '"1"',
  cors: cors.join(),
  'grant-0-origin': grant.origin,
  'grant-0-allow': 'raw',
}

export function cardFormSuite(service: () => DistributionService): void {
  const send = async (method: string, path: string, body?: Json) =>
    getData(await service().request(method, path, { token: await service().login(), body }))

  const configure = async (cards?: Json): Promise<Json> => {
    const { id: versionId } = await createVersion(service(), await service().login())
    const config = { cors, ...(cards && { cards }) }
    return send('PUT', '/v3/configurations', { type: 'CONTEXT_CONFIG', versionId, config })
  }
  const read = (id: string) => send('GET', `/v3/configurations/${id}`)

  test('applications of a grant are stored by the form, one in a line, and shown by it', async () => {
    proves('card-settings-form')
    const { id } = await configure()
    const { get, post } = await openPageSession(service())
    const stored = await post(`configurations/${id}`, {
      ...filled,
      'grant-0-aids': aids.join('\r\n').toLowerCase(),
    })
    expect(stored.status).toBe(303)
    expect((await read(id)).config.cards.grants).toEqual([grant])
    expect((await get(`configurations/${id}`)).text).toContain(`>${aids.join('\n')}</textarea>`)
  })

  test.each([
    [
      'applications',
      { 'grant-0-aids': 'A0000000031010\r\nA000' },
      /id="grant-0-aids-error">Line 2: [^<]*5 to 16/,
    ],
    [
      'ATRs',
      { 'library-0-path': '/a.so', 'library-0-os': 'UNIX', 'library-0-atrs': '3B00 3B' },
      /id="library-0-atrs-error">Line 2: [^<]*2 to 33/,
    ],
    [
      'a grant',
      { 'grant-0-allow': 'everything' },
      /role="alert">.*<li>config\.cards\.grants\[0\]\.allow\[0\]/,
    ],
  ])(
    'what is wrong with %s is said where it is, and nothing is stored',
    async (_, typed, message) => {
      proves('card-settings-form')
      const { id } = await configure()
      const { post } = await openPageSession(service())
      const { status, text } = await post(`configurations/${id}`, { ...filled, ...typed })
      expect(status).toBe(422)
      expect(text).toMatch(message)
      expect((await read(id)).revision).toBe(1)
    },
  )

  test('what an operation says about a field is marked as English on a page in another language', async () => {
    proves('administration-languages')
    const { id } = await configure()
    const { cookie } = await openPageSession(service())
    const { text } = await service().request('POST', `/admin/configurations/${id}`, {
      headers: { ...fromOwnPage(service()), cookie, 'accept-language': 'nl' },
      form: { ...filled, cors: 'no origin', 'grant-0-aids': 'A000' },
    })
    expect(text).toMatch(/id="cors-error">Regel 1: <span lang="en">[^<]+<\/span>/)
    expect(text).toMatch(/id="grant-0-aids-error">Regel 1: <span lang="en">[^<]*5 to 16/)
  })

  test('a review compares origins as they are stored, and says who loses access only where there are devices', async () => {
    proves('change-reviewed')
    const version = await createVersion(service(), await service().login())
    const body = { type: 'CONTEXT_CONFIG', versionId: version.id, config: { cors } }
    const { id } = await send('PUT', '/v3/configurations', body)
    const { get, post } = await openPageSession(service())
    const path = `configurations/${id}`
    expect((await get(`${path}/remove`)).text).not.toContain('lose access')
    await createDevice(service(), version)
    expect((await get(`${path}/remove`)).text).toContain('1 site will lose access')
    const typed = { etag: '"1"', cors: 'HTTPS://Shop.EXAMPLE:443/\nhttps://new.example' }
    const { text } = await post(path, typed)
    expect(readRows(text)).toEqual(expect.arrayContaining(['Allowed origins https://new.example']))
    expect(text).not.toContain('lose access')
    // Else no other test could suggest a version without an allowlist.
    await service().request('DELETE', `/v3/${path}`, { token: await service().login() })
  })

  test('the difference of two versions names the grant that an application is in', async () => {
    proves('configurations-form')
    const other = { ...grant, origin: 'https://bank.example', aids: ['A0000000041010'] }
    const before = await configure({ grants: [grant, other] })
    const exchanged = [
      { ...grant, aids: other.aids },
      { ...other, aids: grant.aids },
    ]
    const after = await configure({ grants: exchanged })
    const { get } = await openPageSession(service())
    const { text } = await get(
      `configurations/difference?from=${before.versionId}&to=${after.versionId}`,
    )
    const [own, others] = ['A0000000031010, D27600012401', 'A0000000041010']
    for (const line of [
      `https://shop.example; Send commands to the card; Allowed card applications (AIDs): ${own}`,
      `https://bank.example; Send commands to the card; Allowed card applications (AIDs): ${others}`,
      `https://shop.example; Send commands to the card; Allowed card applications (AIDs): ${others}`,
      `https://bank.example; Send commands to the card; Allowed card applications (AIDs): ${own}`,
    ])
      expect(text).toContain(line)
  })

  test.each([
    ['a member', { grants: [{ ...grant, limit: 3 }] }, 'config.cards.grants.0.limit'],
    [
      'a grant',
      { grants: [{ ...grant, allow: ['raw', 'biometrics'] }] },
      'config.cards.grants.0.allow.1',
    ],
    ['a list', { grants: [grant], printers: [] }, 'config.cards.printers'],
  ])('%s of a newer service stays, and is shown with its name', async (_, cards, name) => {
    proves('card-settings-form')
    const { id, versionId } = await configure({ grants: [grant] })
    const config = JSON.stringify({ cors, cards })
    await withDatabase(service(), ({ run }) =>
      run('update configurations set config = ? where id = ?', config, id),
    )
    const { get, post } = await openPageSession(service())
    const shown = await get(`configurations/${id}`)
    expect(shown.status).toBe(200)
    expect(shown.text).toContain(`<code>${name}</code>`)
    expect(shown.text).not.toContain('grant-0-origin')
    expect(shown.text).toContain('Remove configuration')
    expect((await post(`configurations/${id}`, filled)).status).toBe(409)
    expect((await read(id)).config).toEqual({ cors, cards })
    const difference = await get(`configurations/difference?from=${versionId}&to=0.0.0`)
    expect(difference.text.replaceAll('&quot;', '"')).toContain(JSON.stringify(grant.origin))
  })
}
