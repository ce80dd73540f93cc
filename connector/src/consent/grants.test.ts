/** What the administrator grants to pages: which files are read, and to whom a grant is one. */
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openGrants } from './grants.ts'

const log = { info: () => undefined }
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
  write(grants)
  const hasGrant = await openGrants(path, log)
  expect(hasGrant(shop, 'raw-authenticate')).toBe(true)
  for (const origin of [
    'https://shop.example:8443',
    'http://shop.example',
    'https://a.shop.example',
  ]) {
    expect(hasGrant(origin, 'raw-authenticate')).toBe(false)
  }
  expect((await openGrants(undefined, log))(shop, 'raw-authenticate')).toBe(false)
})

test.runIf(process.platform !== 'win32').each(['620', '602', '664', '666'])(
  'a file of mode %s, which another account may write, is refused with what to do',
  async (octal) => {
    const mode = Number.parseInt(octal, 8)
    write(grants, mode)
    const reason = `Cannot read CARDWIRE_CARDS, "${path}": its group or other accounts can write it; take that away with "chmod go-w"`
    await expect(openGrants(path, log)).rejects.toThrow(reason)
    chmodSync(path, mode & ~0o022)
    expect((await openGrants(path, log))(shop, 'raw-authenticate')).toBe(true)
  },
)

test.runIf(process.getuid?.() === 0)('a file of another account is refused', async () => {
  write(grants)
  chownSync(path, 65_534, 65_534)
  await expect(openGrants(path, log)).rejects.toThrow('it belongs to another account')
})

test.each([
  ['that is missing', undefined, 'no such file'],
  ['that is no JSON', '{', 'CARDWIRE_CARDS'],
  [
    'with a grant that does not exist',
    { grants: [{ origin: shop, allow: ['everything'] }] },
    'allow',
  ],
  ['with a member that does not exist', { grant: [] }, 'grant'],
  [
    'with an origin that has a wildcard',
    { grants: [{ origin: 'https://*.shop.example', allow: [] }] },
    'without *',
  ],
  ['of more than 256 KiB', 'x'.repeat(262_145), 'more than 262144 bytes'],
])(
  'a file %s is refused: a grant that is left out would be one that nobody notices',
  async (_name, content, reason) => {
    if (content !== undefined) write(content)
    await expect(openGrants(path, log)).rejects.toThrow(reason)
  },
)
