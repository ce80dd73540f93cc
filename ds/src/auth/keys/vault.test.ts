/** Secrets come back to the row they were wrapped for, under the same secret, and to nobody else. */
import type { webcrypto } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { webRandom } from '../../assemble.ts'
import { sealed } from './sealed.ts'
import { createVault } from './vault.ts'

const secretOf = (letter: string) => new TextEncoder().encode(letter.repeat(32))
const vault = await createVault(secretOf('a'), webRandom)
const other = await createVault(secretOf('b'), webRandom)
const row = sealed.signingKey.toRow('row-1')

describe('wrap and unwrap', () => {
  test.each([
    ['a password', 'correct horse battery staple'],
    ['an empty text', ''],
    ['letters of every kind', 'pässwörd 日本 💳 \0 \n'],
    ['a long text', 'x'.repeat(50_000)],
  ])('give back %s', async (_, text) => {
    const wrapped = await vault.wrap(text, row)

    expect(await vault.unwrap(wrapped, row)).toBe(text)
  })

  test('agree when the service was started again with the same secret', async () => {
    const wrapped = await vault.wrap('secret', row)
    const restarted = await createVault(secretOf('a'), webRandom)

    expect(await restarted.unwrap(wrapped, row)).toBe('secret')
  })

  test('never show the text, and wrap it differently each time', async () => {
    const wrapped = await vault.wrap('secret', row)

    expect(atob(wrapped)).not.toContain('secret')
    expect(await vault.wrap('secret', row)).not.toBe(wrapped)
  })

  const refused = 'Cannot unwrap the secret of row "row-1": it was stored under another DS_SECRET'

  test('refuse what was wrapped under another secret', async () => {
    proves('database-stolen')
    const wrapped = await other.wrap('secret', row)

    await expect(vault.unwrap(wrapped, row)).rejects.toThrow(refused)
  })

  test('refuse what was wrapped for another row', async () => {
    const wrapped = await vault.wrap('secret', sealed.signingKey.toRow('row-2'))

    await expect(vault.unwrap(wrapped, row)).rejects.toThrow(refused)
  })

  test.each([
    ['the first byte', 0],
    ['a byte of the text', 14],
    ['the last byte', -1],
  ])('refuse a text whose %s was changed', async (_, position) => {
    const bytes = Uint8Array.from(atob(await vault.wrap('secret', row)), (char) =>
      char.charCodeAt(0),
    )
    const at = position < 0 ? bytes.length + position : position
    bytes[at] = (bytes[at] ?? 0) ^ 1
    const changed = btoa(String.fromCharCode(...bytes))

    await expect(vault.unwrap(changed, row)).rejects.toThrow(refused)
  })

  test.each([
    ['empty', ''],
    ['too short to be one', btoa('short')],
  ])('refuse a text that is %s', async (_, wrapped) => {
    await expect(vault.unwrap(wrapped, row)).rejects.toThrow(refused)
  })
})

describe('deriveMacKey', () => {
  const mac = async (key: webcrypto.CryptoKey) =>
    Buffer.from(
      await crypto.subtle.sign('HMAC', key, new TextEncoder().encode('message')),
    ).toString('hex')

  test('is the same for one purpose of one secret', async () => {
    expect(await mac(await vault.deriveMacKey('tokens'))).toBe(
      await mac(await vault.deriveMacKey('tokens')),
    )
  })

  test.each([
    { of: 'another purpose', key: () => vault.deriveMacKey('cookies') },
    { of: 'the purpose of wrapping', key: () => vault.deriveMacKey('wrap') },
    { of: 'another secret', key: () => other.deriveMacKey('tokens') },
  ])('differs from that of $of', async ({ key }) => {
    expect(await mac(await key())).not.toBe(await mac(await vault.deriveMacKey('tokens')))
  })

  test('cannot be taken out', async () => {
    expect((await vault.deriveMacKey('tokens')).extractable).toBe(false)
  })
})
