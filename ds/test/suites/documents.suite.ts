/** The documents for administrators as pages, and that a name from outside reads nothing else. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import type { Leg } from '../../../test/bed/legs.ts'
import { proves } from '../../../test/bed/proves.ts'
import { addAccount } from '../harness/accounts.ts'
import { openPageSession } from '../harness/page-session.ts'

export function documentSuite(service: () => DistributionService, leg: Leg): void {
  if (leg.startsWith('workerd')) {
    test('a Worker has no documents, and no page links to one', async () => {
      proves('documents-in-administration')
      const { get } = await openPageSession(service())
      expect((await get('documents')).status).toBe(404)
      expect((await get('documents/install')).status).toBe(404)
      expect((await get('versions')).text).not.toContain('documents')
    })
    return
  }

  test('the documents are listed, and a viewer reads one of them', async () => {
    proves('documents-in-administration')
    const { get } = await openPageSession(service(), await addAccount(service(), 'viewer'))
    expect((await get('versions')).text).toContain('href="documents"')
    const list = (await get('documents')).text
    expect(
      [...list.matchAll(/<dt><a href="([^"]+)"[^>]*>([^<]+)/g)].map(([, ...link]) => link),
    ).toEqual([
      ['documents/install', 'Install the connector'],
      ['documents/deploy', 'Run the service'],
      ['documents/rollout', 'Roll out a version'],
      ['documents/fleet-files', 'Keep a fleet in files'],
      ['documents/api-clients', 'Give programs access'],
      ['documents/settings', 'Distribution service settings'],
      ['documents/connector-settings', 'Connector settings'],
      ['documents/card-settings', 'Card permissions'],
      ['documents/browser-policies', 'Browser policies: sites allowed without a prompt'],
      ['documents/cards', 'Cards and modules'],
    ])
    const { status, text } = await get('documents/deploy')
    expect(status).toBe(200)
    expect(text).toContain('<h1 lang="en">Run the service</h1>')
    expect(text).toContain('<h2 id="change-release-settings">Change release settings</h2>')
    expect(text).toContain('<a href="documents/install#upgrade-the-connector">')
    expect(text).not.toContain('decisions/')
  })

  test('a template in a document is a file to save', async () => {
    proves('documents-in-administration')
    const { get } = await openPageSession(service())
    const link = 'documents/templates/policies/chromium.json'
    expect((await get('documents/browser-policies')).text).toContain(`<a href="${link}">`)
    const { status, headers, text } = await get(link)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="chromium.json"')
    expect(JSON.parse(text)).toEqual({
      LoopbackNetworkAllowedForUrls: ['https://[*.]shop.example'],
    })
  })

  test.each([
    'modules',
    'deploy.md',
    'Deploy',
    '..%2FREADME',
    '..%2f..%2fREADME',
    '%2e%2e%2fdeploy',
    'decisions%2f0001-one-contract-as-data',
    '%2fetc%2fpasswd',
    'deploy%00',
    'constructor',
    '__proto__',
    'templates',
    'templates/policies',
    'templates/deploy.md',
    'templates/policies%2f..%2f..%2fpackage.json',
    'templates/policies/..%2f..%2fpackage.json',
  ])('no document has the name %s', async (name) => {
    proves('documents-in-administration', 'document-escapes')
    const { get } = await openPageSession(service())
    const { status, text } = await get(`documents/${name}`)
    expect(status).toBe(404)
    expect(text).toContain('<h1>Page not found</h1>')
  })

  test('a browser that is not signed in is sent to the login', async () => {
    proves('documents-in-administration')
    const { status, headers } = await service().request('GET', '/admin/documents/deploy')
    expect([status, headers.get('location')]).toEqual([303, '../login?to=documents%2Fdeploy'])
  })
}
