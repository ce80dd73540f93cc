/** What the administrator grants to pages: which files are read, and to whom a grant is one. */
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CardSettings } from '@cardwire/protocol/card-settings'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { openGrants } from './grants.ts'

const lines: string[] = []
const log = {
  info: (event: string) => void lines.push(event),
  warn: (event: string) => void lines.push(event),
}
/** Of a connector that no service manages. */
const openFile = async (path: string | undefined) =>
  (await openGrants({ path, managed: undefined, log })).hasGrant
const shop = 'https://shop.example'
const grants = { grants: [{ origin: shop, allow: ['raw-authenticate'] }] }

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-grants-'))
  path = join(folder, 'cards.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (content: unknown, mode = 0o600) => {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  chmodSync(path, mode)
}

test('a grant is one for its origin alone, and none without a file', async () => {
  proves('authentication-digest')
  write(grants)
  const hasGrant = await openFile(path)
  expect(hasGrant(shop, 'raw-authenticate')).toBe(true)
  for (const origin of [
    'https://shop.example:8443',
    'http://shop.example',
    'https://a.shop.example',
  ]) {
    expect(hasGrant(origin, 'raw-authenticate')).toBe(false)
  }
  expect((await openFile(undefined))(shop, 'raw-authenticate')).toBe(false)
})

test.runIf(process.platform !== 'win32').each(['620', '602', '664', '666'])(
  'a file of mode %s, which another account may write, is refused with what to do',
  async (octal) => {
    proves('grant-planted')
    const mode = Number.parseInt(octal, 8)
    write(grants, mode)
    const reason = `Cannot read CARDWIRE_CARDS, "${path}": its group or other accounts can write it; take that away with "chmod go-w"`
    await expect(openFile(path)).rejects.toThrow(reason)
    chmodSync(path, mode & ~0o022)
    expect((await openFile(path))(shop, 'raw-authenticate')).toBe(true)
  },
)

test.runIf(process.getuid?.() === 0)('a file of another account is refused', async () => {
  proves('user-grants-itself', 'grant-planted')
  write(grants)
  chownSync(path, 65_534, 65_534)
  await expect(openFile(path)).rejects.toThrow('it belongs to another account')
})

test.each([
  ['that is missing', undefined, 'no such file'],
  ['that is no JSON', '{', 'CARDWIRE_CARDS'],
  [
    'with a grant that does not exist',
    { grants: [{ origin: shop, allow: ['everything'] }] },
    'grants.0.allow.0: ',
  ],
  [
    'with a library without a digest',
    { libraries: [{ os: 'UNIX', path: '/usr/lib/opensc-pkcs11.so' }] },
    'libraries.0.sha256: ',
  ],
  [
    'with a folder of a relative path',
    { folders: [{ origin: shop, entity: 'shop', type: 'invoices', path: 'invoices' }] },
    'folders.0.path: ',
  ],
  ['with a member that does not exist', { grant: [] }, 'grant'],
  [
    'with an origin that has a wildcard',
    { grants: [{ origin: 'https://*.shop.example', allow: [] }] },
    'grants.0.origin: expected one origin, without *',
  ],
  ['of more than 256 KiB', 'x'.repeat(262_145), 'more than 262144 bytes'],
])(
  'a file %s is refused: a grant that is left out would be one that nobody notices',
  async (_name, content, reason) => {
    if (content !== undefined) write(content)
    await expect(openFile(path)).rejects.toThrow(reason)
  },
)

test('a file has grants, libraries and folders, and is one without any of them', async () => {
  proves('grants-take-effect')
  const folders = [{ origin: shop, entity: 'shop', type: 'invoices', path: '/srv/invoices' }]
  const libraries = [{ os: 'UNIX', path: '/usr/lib/opensc-pkcs11.so', sha256: 'ab'.repeat(32) }]
  write({ ...grants, libraries, folders })
  expect((await openFile(path))(shop, 'raw-authenticate')).toBe(true)
  write({})
  expect((await openFile(path))(shop, 'raw-authenticate')).toBe(false)
})

test.runIf(process.getuid?.() === 0)(
  'a library is named by root only in a file that only root can change',
  async () => {
    proves('service-names-library')
    const library = { os: 'UNIX', path: '/a.so', sha256: 'ab'.repeat(32) } as const
    write({ libraries: [library] })
    const findNamedByRoot = async () => {
      const { libraries } = await openGrants({ path, managed: undefined, log })
      return libraries()
    }
    expect(await findNamedByRoot()).toEqual([{ ...library, atrs: [], isNamedByRoot: true }])
    chownSync(folder, 65_534, 65_534)
    expect(await findNamedByRoot()).toEqual([{ ...library, atrs: [], isNamedByRoot: false }])
    const settings = { grants: [], libraries: [{ ...library, atrs: [] }], folders: [] }
    const managed = { current: () => settings, onChange: () => () => undefined }
    chownSync(folder, 0, 0)
    const { libraries } = await openGrants({ path, managed, log })
    expect(libraries()).toEqual([{ ...library, atrs: [], isNamedByRoot: false }])
  },
)

test('a managed connector has the grants of its service alone, as they are now, and does not read the file', async () => {
  proves('grants-take-effect', 'user-grants-itself')
  const settings = { grants: [], libraries: [], folders: [] }
  let current: CardSettings = settings
  const listeners: (() => void)[] = []
  const onChange = (listener: () => void) => {
    listeners.push(listener)
    return () => undefined
  }
  write('{')
  lines.splice(0)
  const { hasGrant } = await openGrants({
    path,
    managed: { current: () => current, onChange },
    log,
  })
  expect(lines[0]).toContain('CARDWIRE_CARDS is not read')
  expect(hasGrant(shop, 'raw-authenticate')).toBe(false)
  current = { ...settings, grants: [{ origin: shop, allow: ['raw-authenticate'] }] }
  expect(hasGrant(shop, 'raw-authenticate')).toBe(true)
  expect(hasGrant(shop, 'bulk')).toBe(false)
})
