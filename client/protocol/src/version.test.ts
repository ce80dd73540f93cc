/** What a version, its installers and its key may look like. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { ApiKey, PackageUri, Sha256, VersionId, VersionInput } from './version.ts'

const key = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const version = {
  id: '4.0.1',
  recommended: true,
  mandatory: false,
  allowed: true,
  uris: [{ os: 'WIN64', uri: 'file:///win/setup.msi' }],
}

describe('VersionId', () => {
  // From the list that semver.org tests its expression with (regex101.com/r/vkijKf/1).
  test.each([
    '0.0.4',
    '1.2.3',
    '10.20.30',
    '1.1.2-prerelease+meta',
    '1.1.2+meta',
    '1.1.2+meta-valid',
    '1.0.0-alpha',
    '1.0.0-alpha.beta.1',
    '1.0.0-alpha0.valid',
    '1.0.0-alpha.0valid',
    '1.0.0-rc.1+build.1',
    '1.2.3----RC-SNAPSHOT.12.9.1--.12+788',
    '1.0.0+0.build.1-rc.10000aaa-kk-0.1',
    '99999999999999999999999.999999999999999999.99999999999999999',
    '1.0.0-0A.is.legal',
    '1.0.0+001',
  ])('takes %s', (id) => {
    proves('version-id-semver')
    expect(VersionId.parse(id)).toBe(id)
  })

  test.each([
    '',
    '1',
    '1.2',
    '1.2.3.4',
    'v1.0.0',
    '=1.0.0',
    ' 1.0.0',
    '1.0.0 ',
    '1.0.0\n',
    '01.1.1',
    '1.01.1',
    '1.1.01',
    '1.2.3-0123',
    '1.2.3-0123.0123',
    '1.1.2+.123',
    '1.2.3-',
    '1.2.3+',
    '1.0.0-alpha..1',
    '1.0.0-alpha_beta',
    '1.2.3.DEV',
    '-1.0.3-gamma+b7718',
    '1.1.1+a+b',
    'alpha',
    '１.0.0',
    'latest',
    `1.0.0-${'a'.repeat(251)}`,
  ])('refuses %j', (id) => {
    proves('version-id-semver')
    expect(VersionId.safeParse(id).success).toBe(false)
  })
})

describe('ApiKey', () => {
  test.each([key, key.toUpperCase(), '0190163d-8694-739b-aea5-966c26f8ad91'])(
    'takes %s',
    (uuid) => {
      expect(ApiKey.parse(uuid)).toBe(uuid)
    },
  )

  test.each([
    ['the nil UUID', '00000000-0000-0000-0000-000000000000'],
    ['the max UUID', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['the max UUID in capitals', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'],
    ['a UUID in braces', `{${key}}`],
    ['a UUID without dashes', key.replaceAll('-', '')],
    ['a UUID with more behind', `${key}0`],
    ['a UUID with a line end behind', `${key}\n`],
    ['a word', 'secret'],
    ['nothing', ''],
  ])('refuses %s', (_, uuid) => {
    expect(ApiKey.safeParse(uuid).success).toBe(false)
  })
})

describe('PackageUri', () => {
  test.each([
    'https://downloads.example/setup.msi',
    'https://downloads.example:8443/setup.msi?version=4.0.1&os=win',
    'http://intranet/setup.msi',
    'HTTPS://downloads.example/setup.msi',
    'https://downloads.example',
    'file:///setup.msi',
    'file:///win/4.0.1/my%20setup.msi',
    'file:///win/my setup.msi',
    'FILE:///setup.msi',
  ])('takes %s', (uri) => {
    expect(PackageUri.parse(uri)).toBe(uri)
  })

  test.each([
    'ftp://downloads.example/setup.msi',
    'javascript:alert(1)',
    'data:text/html,x',
    'file://server/share/setup.msi',
    'file:/setup.msi',
    'file:///',
    'https://',
    'https:///setup.msi',
    'https:/downloads.example/setup.msi',
    'https://downloads.example:port/',
    '//downloads.example/setup.msi',
    '/win/setup.msi',
    'setup.msi',
    ' https://downloads.example/setup.msi',
    'https://downloads.example/setup\r\nset-cookie: a=b',
    'https://downloads.example/set\tup.msi',
    'file:///set\0up.msi',
    'https://downloads.example/\ud800',
    '',
    `https://downloads.example/${'a'.repeat(2048)}`,
  ])('refuses %j', (uri) => {
    expect(PackageUri.safeParse(uri).success).toBe(false)
  })
})

describe('Sha256', () => {
  test('takes 64 hex digits, as lower case', () => {
    expect(Sha256.parse('AB'.repeat(32))).toBe('ab'.repeat(32))
  })

  test.each(['', 'ab'.repeat(31), 'ab'.repeat(33), 'xy'.repeat(32), `sha256:${'ab'.repeat(32)}`])(
    'refuses "%s"',
    (digest) => {
      expect(Sha256.safeParse(digest).success).toBe(false)
    },
  )
})

describe('VersionInput', () => {
  const withInstaller = (installer: object) => ({ ...version, uris: [installer] })
  const onWindows = { os: 'WIN64', uri: 'file:///setup.msi' }

  test.each([
    ['a version', version],
    ['a version without installers', { ...version, uris: [] }],
    ['a version with a key', { ...version, installationApiKey: key }],
    [
      'an installer for every system',
      {
        ...version,
        uris: ['WIN32', 'WIN64', 'MACOS', 'MACOSARM', 'UNIX'].map((os) => ({
          os,
          uri: 'https://downloads.example/setup',
        })),
      },
    ],
    ['an installer with its size', withInstaller({ ...onWindows, size: 1 })],
  ])('takes %s', (_, input) => {
    expect(VersionInput.parse(input)).toEqual(input)
  })

  test.each([
    {
      what: 'two installers for one system',
      input: { ...version, uris: [onWindows, onWindows] },
      path: 'uris',
    },
    {
      what: 'an unknown system',
      input: withInstaller({ ...onWindows, os: 'OS2' }),
      path: 'uris.0.os',
    },
    {
      what: 'a system in lower case',
      input: withInstaller({ ...onWindows, os: 'win64' }),
      path: 'uris.0.os',
    },
    {
      what: 'an installer by FTP',
      input: withInstaller({ ...onWindows, uri: 'ftp://a/b' }),
      path: 'uris.0.uri',
    },
    {
      what: 'a size of nothing',
      input: withInstaller({ ...onWindows, size: 0 }),
      path: 'uris.0.size',
    },
    { what: 'half a byte', input: withInstaller({ ...onWindows, size: 1.5 }), path: 'uris.0.size' },
    {
      what: 'a digest that is none',
      input: withInstaller({ ...onWindows, sha256: 'ab' }),
      path: 'uris.0.sha256',
    },
    {
      what: 'an unknown field of an installer',
      input: withInstaller({ ...onWindows, md5: '' }),
      path: 'uris.0',
    },
    { what: 'an unknown field', input: { ...version, latest: true }, path: '' },
    { what: 'a flag as text', input: { ...version, allowed: 'true' }, path: 'allowed' },
    { what: 'no flag', input: { ...version, mandatory: undefined }, path: 'mandatory' },
    { what: 'no installers at all', input: { ...version, uris: undefined }, path: 'uris' },
    {
      what: 'the nil UUID for a key',
      input: { ...version, installationApiKey: '00000000-0000-0000-0000-000000000000' },
      path: 'installationApiKey',
    },
    { what: 'no version', input: { ...version, id: 'v4' }, path: 'id' },
  ])('refuses $what', ({ input, path }) => {
    const result = VersionInput.safeParse(input)

    expect(result.error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
  })
})
