/** What an administrator may say about cards, and that connectors of before are not bothered by it. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { proves } from '../../../test/bed/proves.ts'
import { ConfigurationInput } from './configuration.ts'
import { SyncReply } from './sync.ts'

const origin = 'https://shop.example'
const sha256 = 'ab'.repeat(32)
const library = { os: 'UNIX', path: '/usr/lib/opensc-pkcs11.so', sha256 }
const folder = { origin, entity: 'shop', type: 'invoices', path: '/srv/invoices' }
const input = (cards: unknown) => ({
  type: 'CONTEXT_CONFIG',
  versionId: '4.0.1',
  config: { cors: [], cards },
})
const parse = (cards: unknown) => {
  const { config } = ConfigurationInput.parse(input(cards))
  return 'cors' in config ? config.cards : undefined
}

test('grants, libraries and folders are taken, each optional, in canonical form', () => {
  proves('context-config-cards')
  const allow = ['raw', 'page-pin', 'pan', 'bulk', 'print', 'raw-authenticate']
  expect(parse({})).toEqual({ grants: [], libraries: [], folders: [] })
  expect(
    parse({
      grants: [{ origin: 'HTTPS://Shop.example:443', allow, aids: ['a0000000031010'] }],
      libraries: [
        { ...library, sha256: sha256.toUpperCase(), atrs: ['3b00'], ownReaders: true },
        { ...library, os: 'WIN64', path: 'C:\\Program Files\\Library\\library.dll' },
      ],
      folders: [folder, { ...folder, path: 'D:\\invoices' }],
    }),
  ).toEqual({
    grants: [{ origin, allow, aids: ['A0000000031010'] }],
    libraries: [
      { ...library, atrs: ['3B00'], ownReaders: true },
      { ...library, os: 'WIN64', path: 'C:\\Program Files\\Library\\library.dll', atrs: [] },
    ],
    folders: [folder, { ...folder, path: 'D:\\invoices' }],
  })
})

const allow = ['raw']
describe('refuses', () => {
  test.each([
    ['a grant that does not exist', { grants: [{ origin, allow: ['all'] }] }, 'grants.0.allow.0'],
    [
      'a wildcard in a grant',
      { grants: [{ origin: 'https://*.shop.example', allow: [] }] },
      'grants.0.origin',
    ],
    ['an origin that is none', { grants: [{ origin: 'shop', allow: [] }] }, 'grants.0.origin'],
    [
      'an application of four bytes',
      { grants: [{ origin, allow, aids: ['A0000000'] }] },
      'grants.0.aids.0',
    ],
    ['grants without what they allow', { grants: [{ origin }] }, 'grants.0.allow'],
    [
      'a digest that is too short',
      { libraries: [{ ...library, sha256: 'ab' }] },
      'libraries.0.sha256',
    ],
    ['no digest', { libraries: [{ os: 'UNIX', path: '/a' }] }, 'libraries.0.sha256'],
    ['a relative path', { libraries: [{ ...library, path: 'a.so' }] }, 'libraries.0.path'],
    ['a way up', { libraries: [{ ...library, path: '/usr/../a.so' }] }, 'libraries.0.path'],
    ['a path of another system', { libraries: [{ ...library, os: 'WIN64' }] }, 'libraries.0.path'],
    [
      'a share of another machine',
      { libraries: [{ ...library, os: 'WIN64', path: '\\\\server\\share\\a.dll' }] },
      'libraries.0.path',
    ],
    [
      'a stream of a file',
      { libraries: [{ ...library, os: 'WIN64', path: 'C:\\a.dll:b' }] },
      'libraries.0.path',
    ],
    ['a system that does not exist', { libraries: [{ ...library, os: 'OS2' }] }, 'libraries.0.os'],
    ['an ATR that is none', { libraries: [{ ...library, atrs: ['3B'] }] }, 'libraries.0.atrs.0'],
    ['a path with a space at its end', { folders: [{ ...folder, path: '/a ' }] }, 'folders.0.path'],
    [
      'a name with a space at its start',
      { folders: [{ ...folder, entity: ' a' }] },
      'folders.0.entity',
    ],
    ['a relative folder', { folders: [{ ...folder, path: 'a' }] }, 'folders.0.path'],
    ['a type with a separator', { folders: [{ ...folder, type: 'a/b' }] }, 'folders.0.type'],
    ['a folder for every origin', { folders: [{ ...folder, origin: '*' }] }, 'folders.0.origin'],
    ['an unknown member', { grant: [] }, ''],
    ['more than 200 grants', { grants: Array(201).fill({ origin, allow: ['bulk'] }) }, 'grants'],
  ])('%s, naming the field', (_, cards, path) => {
    const { error } = ConfigurationInput.safeParse(input(cards))
    const paths = error?.issues.map((issue) => issue.path.join('.'))
    expect(paths).toContain(['config.cards', path].filter(Boolean).join('.'))
  })
})

/** The content of a reply as connectors read it before there were words for cards. */
const replyBefore = z.object({
  unchanged: z.literal(false),
  verdict: z.object({ action: z.string(), version: z.string() }),
  cors: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), digest: z.string() })),
  tokenKeys: z.array(z.unknown()),
  replyKeys: z.array(z.unknown()),
  cycle: z.int(),
})

test('a connector of before ignores the words for cards, and one of now takes a reply without them', () => {
  proves('context-config-cards')
  const content = {
    unchanged: false,
    verdict: { action: 'none', version: '4.0.1' },
    ...{ cors: [origin], files: [], tokenKeys: [], replyKeys: [], cycle: 3600 },
  }
  const cards = { grants: [{ origin, allow: ['bulk'] }], libraries: [], folders: [] }
  expect(z.parse(replyBefore, { ...content, cards })).toEqual(content)
  const claims = { aud: crypto.randomUUID(), re: 'a', iat: 1, revision: 1, state: 'b' }
  const reply = { ...claims, acknowledged: [], ...content }
  expect(SyncReply.parse(reply)).toEqual(reply)
  expect(SyncReply.parse({ ...reply, cards })).toEqual({ ...reply, cards })
})
