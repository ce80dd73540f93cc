/** Password hashes, with the numbers they were made with. */
import { scryptSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { webRandom } from '../../assemble.ts'
import { createScryptPasswords } from './password.ts'

const passwords = createScryptPasswords(webRandom)
const stored = await passwords.hash('correct horse')

test('hash contains its parameters, and never the password', () => {
  expect(stored).toMatch(/^scrypt\$32768\$8\$3\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/)
  expect(stored).not.toContain('correct horse')
})

test('hash has a salt of its own each time', async () => {
  expect(await passwords.hash('correct horse')).not.toBe(stored)
})

describe('verify', () => {
  test.each([
    ['the password', 'correct horse', true],
    ['another password', 'correct house', false],
    ['the password in capitals', 'Correct Horse', false],
    ['the password with a space behind', 'correct horse ', false],
    ['an empty password', '', false],
  ])('of %s is as it should be', async (_, password, expected) => {
    expect(await passwords.verify(password, stored)).toBe(expected)
  })

  test('accepts a letter in any Unicode composition', async () => {
    const composed = await passwords.hash('caf\u00e9 \u212b')

    expect(await passwords.verify('cafe\u0301 A\u030a', composed)).toBe(true)
  })

  test('refuses every password of an account that does not exist', async () => {
    expect(await passwords.verify('correct horse', undefined)).toBe(false)
  })

  test('accepts a hash that was made with other parameters', async () => {
    const salt = Buffer.from('0123456789abcdef')
    const hash = scryptSync('old password', salt, 32, { N: 1024, r: 8, p: 1 })
    const old = `scrypt$1024$8$1$${salt.toString('base64')}$${hash.toString('base64')}`

    expect(await passwords.verify('old password', old)).toBe(true)
    expect(await passwords.verify('new password', old)).toBe(false)
  })

  test('agrees with RFC 7914 §12', async () => {
    // The first 32 bytes of the third vector: a longer key begins with a shorter one.
    const hash = '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2'
    const vector = `scrypt$16384$8$1$${btoa('SodiumChloride')}$${Buffer.from(hash, 'hex').toString('base64')}`

    expect(await passwords.verify('pleaseletmein', vector)).toBe(true)
  })

  test.each([
    ['an empty text', ''],
    ['another scheme', '$2b$12$abcdefghijklmnopqrstuv'],
    ['a hash without its end', 'scrypt$1024$8$1$c2FsdA=='],
  ])('refuses to read %s', async (_, unknown) => {
    await expect(passwords.verify('any', unknown)).rejects.toThrow(
      'Cannot read a password hash: unknown scheme',
    )
  })
})
