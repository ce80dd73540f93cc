import { Hono } from 'hono'
import { contextStorage } from 'hono/context-storage'
import { expect, test } from 'vitest'
import type { PageEnv } from '../frame/page-env.ts'
import { describeFolders, describeGrants, describeLibraries } from './card-words.ts'

const aids = ['A0000000031010', 'D27600012401']

test.each([
  [[], ''],
  [[{ origin: 'https://a.example', allow: ['pan'] }], 'https://a.example; Read full card numbers'],
  [
    [
      { origin: 'https://a.example', allow: ['raw', 'bulk'], aids },
      { origin: 'https://b.example', allow: ['of a newer service'] },
    ],
    'https://a.example; Send commands to the card; Make several signatures with one PIN entry; Allowed card applications (AIDs): A0000000031010, D27600012401\nhttps://b.example; of a newer service',
  ],
])('the grants %j are a line each, in words', (grants, text) => {
  expect(describeGrants(grants)).toBe(text)
})

test('libraries and folders are a line each, in words', () => {
  const library = { path: '/usr/lib/token.so', sha256: 'ab12', atrs: ['3B', '3F'] }
  expect(
    describeLibraries([
      { os: 'UNIX', ...library },
      { os: 'WIN64', ...library, ownReaders: true },
    ]),
  ).toBe(
    'Linux: /usr/lib/token.so; SHA-256 of the file: ab12; Card ATRs: 3B, 3F\nWindows, 64-bit: /usr/lib/token.so; SHA-256 of the file: ab12; Card ATRs: 3B, 3F; The library doesn’t use the system’s card readers',
  )
  const folder = { origin: 'https://a.example', entity: 'shop', type: 'invoices', path: '/srv' }
  expect(describeFolders([folder])).toBe(
    'https://a.example; Entity: shop; Type: invoices; Folder path: /srv',
  )
})

test('a line has the signs and spaces of the language of the page', async () => {
  const folder = { origin: 'https://a.example', entity: 'shop', type: 'invoices', path: '/srv' }
  const page = new Hono<PageEnv>().use(contextStorage()).get('/', (context) => {
    context.set('language', 'fr')
    return context.text(describeFolders([folder]))
  })
  const response = await page.request('/')
  expect(await response.text()).toBe(
    'https://a.example\u202f; Entité\u202f: shop\u202f; Type\u202f: invoices\u202f; Chemin du dossier\u202f: /srv',
  )
})
