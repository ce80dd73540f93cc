/** What the configurations of a version may look like. */
import { describe, expect, test } from 'vitest'
import { Configuration, ConfigurationInput } from './configuration.ts'

const md5 = '0123456789abcdef0123456789abcdef'
const sha256 = `sha256:${'ab'.repeat(32)}`
const versionId = '4.0.1'

const context = (...cors: string[]) => ({ type: 'CONTEXT_CONFIG', versionId, config: { cors } })
const digests = (...files: object[]) => ({ type: 'FILE_DIGESTS', versionId, config: { files } })
const keystore = (changed: object = {}) => ({
  type: 'SSL_KEYSTORE',
  versionId,
  config: { uri: 'file:///keystore.p12', password: 'secret', ...changed },
})

describe('ConfigurationInput takes', () => {
  test.each([
    ['an allowlist', context('https://shop.example', 'https://*.shop.example')],
    ['an empty allowlist', context()],
    ['as many origins as there may be', context(...Array(2000).fill('https://shop.example'))],
    ['no files', digests()],
    ['a file for every system', digests({ path: 'cardwire', digest: md5 })],
    ['a file for one system', digests({ path: 'bin/cardwire.exe', digest: sha256, os: 'WIN64' })],
    ['a keystore', keystore()],
    [
      'a keystore online with its digest',
      keystore({ uri: 'https://a.example/k', digest: 'ab'.repeat(32) }),
    ],
    ['a keystore with an empty password', keystore({ password: '' })],
    ['an id', { ...context(), id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' }],
  ])('%s', (_, input) => {
    expect(ConfigurationInput.parse(input)).toEqual(input)
  })

  test.each([['a/b/c.dll'], ['with space/größe.so'], ['.hidden'], ['..a/b..'], ['a'.repeat(1024)]])(
    'the path "%s"',
    (path) => {
      expect(ConfigurationInput.safeParse(digests({ path, digest: md5 })).success).toBe(true)
    },
  )

  test.each([
    ['MD5', md5.toUpperCase(), md5],
    ['SHA-256', sha256.toUpperCase(), sha256],
  ])('%s in capitals, as lower case', (_, digest, spelling) => {
    expect(ConfigurationInput.parse(digests({ path: 'a', digest }))).toEqual(
      digests({ path: 'a', digest: spelling }),
    )
  })

  test('origins in any spelling, in canonical form', () => {
    expect(ConfigurationInput.parse(context('HTTPS://Shop.example:443/'))).toEqual(
      context('https://shop.example'),
    )
  })
})

describe('ConfigurationInput refuses', () => {
  test.each([
    ['', 'nothing'],
    ['/a', 'a path from the root'],
    ['a/', 'a folder'],
    ['a//b', 'an empty step'],
    ['.', 'the folder itself'],
    ['./a', 'a step that stays'],
    ['..', 'the folder above'],
    ['../a', 'a step up'],
    ['a/../../b', 'a step up on the way'],
    ['a\\b', 'a backslash'],
    ['C:/a', 'a drive'],
    ['a\nb', 'a control character'],
    ['..\\a', 'a step up with a backslash'],
    ['a'.repeat(1025), 'more than 1024 characters'],
  ])('the path "%s": %s', (path) => {
    expect(pathsOf(digests({ path, digest: md5 }))).toContain('config.files.0.path')
  })

  test.each([
    ['', 'nothing'],
    [md5.slice(1), 'a digit too few'],
    [`${md5}0`, 'a digit too many'],
    ['ab'.repeat(32), 'SHA-256 without its name'],
    [`sha256:${md5}`, 'SHA-256 that is too short'],
    [`md5:${md5}`, 'MD5 with a name'],
    [`sha1:${'ab'.repeat(20)}`, 'another algorithm'],
    ['x'.repeat(32), 'no digits'],
    [`${md5}\n`, 'a line end'],
  ])('the digest %j: %s', (digest) => {
    expect(pathsOf(digests({ path: 'a', digest }))).toEqual(['config.files.0.digest'])
  })

  test.each([
    {
      what: 'an origin that is none',
      input: context('https://a.example', '*'),
      path: 'config.cors.1',
    },
    {
      what: 'too many origins',
      input: context(...Array(2001).fill('https://a.example')),
      path: 'config.cors',
    },
    {
      what: 'too many files',
      input: digests(...Array(2001).fill({ path: 'a', digest: md5 })),
      path: 'config.files',
    },
    {
      what: 'an unknown system',
      input: digests({ path: 'a', digest: md5, os: 'OS2' }),
      path: 'config.files.0.os',
    },
    {
      what: 'an unknown field of a file',
      input: digests({ path: 'a', digest: md5, size: 1 }),
      path: 'config.files.0',
    },
    {
      what: 'a keystore without password',
      input: keystore({ password: undefined }),
      path: 'config.password',
    },
    {
      what: 'a keystore with a password too long',
      input: keystore({ password: 'x'.repeat(1025) }),
      path: 'config.password',
    },
    { what: 'a keystore elsewhere', input: keystore({ uri: 'ftp://a/b' }), path: 'config.uri' },
    { what: 'a keystore with MD5', input: keystore({ digest: md5 }), path: 'config.digest' },
    {
      what: 'the config of another type',
      input: { ...context(), config: { files: [] } },
      path: 'config.cors',
    },
    { what: 'an unknown type', input: { ...context(), type: 'OTHER' }, path: 'type' },
    { what: 'no type', input: { ...context(), type: undefined }, path: 'type' },
    { what: 'an id that is no UUID', input: { ...context(), id: '1' }, path: 'id' },
    { what: 'a version that is none', input: { ...context(), versionId: 'v4' }, path: 'versionId' },
    { what: 'no config', input: { ...context(), config: undefined }, path: 'config' },
    { what: 'an unknown field', input: { ...context(), enabled: true }, path: '' },
  ])('$what', ({ input, path }) => {
    expect(pathsOf(input)[0]).toBe(path)
  })
})

test('Configuration has no field for a password', () => {
  const times = {
    revision: 1,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
  }
  const stored = { ...keystore(), ...times, id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' }

  expect(Configuration.safeParse(stored).success).toBe(false)
  expect(Configuration.safeParse({ ...stored, config: { uri: 'file:///k' } }).success).toBe(true)
})

/** Where the input is wrong. */
function pathsOf(input: unknown): readonly string[] {
  const { error } = ConfigurationInput.safeParse(input)
  return error?.issues.map(({ path }) => path.join('.')) ?? []
}
