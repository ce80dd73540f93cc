/** The settings of the connector, from three sources. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { describeSettings, readSettings, toFlag } from './settings.ts'

const read = (values: Record<string, string>) => readSettings([{ name: 'environment', values }])

const sixteenTags = 't1,t2,t3,t4,t5,t6,t7,t8,t9,t10,t11,t12,t13,t14,t15,t16'

test('settings have the defaults that are documented', () => {
  expect(read({})).toEqual({
    registryPort: 51983,
    apiPorts: { first: 25100, last: 25199 },
    cors: [],
    jwks: undefined,
    jwtRequired: true,
    hosts: [],
    localCa: true,
    browserPolicies: false,
    dsUrl: undefined,
    installationKey: undefined,
    dsFingerprints: [],
    caFile: undefined,
    tags: [],
    pcscLibrary: undefined,
    usesReaderPads: true,
    consentRequests: { perUser: 5, shared: 300 },
    maxAgents: 200,
    offersUpdates: true,
    logLevel: 'info',
  })
})

describe('settings take', () => {
  test.each([
    ['CARDWIRE_REGISTRY_PORT', '1234', { registryPort: 1234 }],
    ['CARDWIRE_MACHINE_DIR', '/srv/cardwire', { machineDir: '/srv/cardwire' }],
    ['CARDWIRE_API_PORTS', '2000-2010', { apiPorts: { first: 2000, last: 2010 } }],
    [
      'CARDWIRE_CORS',
      'https://Shop.example:443, https://*.a.example',
      { cors: ['https://shop.example', 'https://*.a.example'] },
    ],
    ['CARDWIRE_JWT', 'off', { jwtRequired: false }],
    ['CARDWIRE_HOSTS', 'Reader.Local,192.0.2.1', { hosts: ['reader.local', '192.0.2.1'] }],
    ['CARDWIRE_LOCAL_CA', 'off', { localCa: false }],
    ['CARDWIRE_BROWSER_POLICIES', 'on', { browserPolicies: true }],
    ['CARDWIRE_DS_URL', 'https://ds.example/', { dsUrl: 'https://ds.example' }],
    ['CARDWIRE_DS_URL', 'http://127.0.0.1:8080', { dsUrl: 'http://127.0.0.1:8080' }],
    ...['https://id.example/keys', 'http://127.0.0.1:8080/keys', '/etc/cardwire/jwks.json'].map(
      (jwks): [string, string, object] => ['CARDWIRE_JWKS', jwks, { jwks }],
    ),
    ['CARDWIRE_DS_FINGERPRINTS', `${'a'.repeat(43)},`, { dsFingerprints: ['a'.repeat(43)] }],
    ['CARDWIRE_TAGS', 'floor:2, berlin,floor:2,', { tags: ['floor:2', 'berlin'] }],
    ['CARDWIRE_TAGS', `${sixteenTags},t1`, { tags: sixteenTags.split(',') }],
    ['CARDWIRE_SHARED_CONSENT_REQUESTS', '900', { consentRequests: { perUser: 5, shared: 900 } }],
    ['CARDWIRE_MAX_AGENTS', '1000', { maxAgents: 1000 }],
    ['CARDWIRE_LOG_LEVEL', 'debug', { logLevel: 'debug' }],
  ])('%s=%s', (name, value, expected) => {
    expect(read({ [name]: value })).toMatchObject(expected)
  })
})

describe('settings refuse, by name,', () => {
  test.each([
    ['CARDWIRE_REGISTRY_PORT', '70000'],
    ['CARDWIRE_MACHINE_DIR', 'relative/folder'],
    ['CARDWIRE_CA_FILE', 'ca.pem'],
    ['CARDWIRE_CARDS', './cards.json'],
    ['CARDWIRE_JWKS', '../jwks.json'],
    ['CARDWIRE_JWKS', 'https:'],
    ['CARDWIRE_PCSC_LIBRARY', 'libpcsclite.so.1'],
    ['CARDWIRE_VIRTUAL_READER', 'card'],
    ['CARDWIRE_REGISTRY_PORT', '0x50'],
    ['CARDWIRE_API_PORTS', '2010-2000'],
    ['CARDWIRE_API_PORTS', '2000'],
    ['CARDWIRE_CORS', '*'],
    ['CARDWIRE_CONSENT_REQUESTS', '0'],
    ['CARDWIRE_CONSENT_REQUESTS', '1e2'],
    ['CARDWIRE_MAX_AGENTS', '1001'],
    ['CARDWIRE_JWT', 'false'],
    ['CARDWIRE_HOSTS', 'a b'],
    ['CARDWIRE_DS_URL', 'ds.example'],
    ['CARDWIRE_DS_URL', 'http://ds.example'],
    ['CARDWIRE_DS_URL', 'http://127.0.0.1.ds.example'],
    ['CARDWIRE_DS_FINGERPRINTS', 'a'.repeat(42)],
    ['CARDWIRE_TAGS', '-berlin'],
    ['CARDWIRE_TAGS', 'berlin kiosk'],
    ['CARDWIRE_TAGS', 'a'.repeat(65)],
    ['CARDWIRE_INSTALLATION_KEY', 'secret'],
    ['CARDWIRE_LOG_LEVEL', 'loud'],
    ['CARDWIRE_CROS', 'https://a.example'],
  ])('%s=%s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`${name} (environment): `)
  })

  test.each(['http://id.example/keys', 'http://127.0.0.1.id.example/keys', 'http://0.0.0.0/keys'])(
    'CARDWIRE_JWKS=%s, a key set that the network can change',
    (url) => {
      proves('token-keys-forged')
      expect(() => read({ CARDWIRE_JWKS: url })).toThrow('CARDWIRE_JWKS (environment): ')
    },
  )

  test.each([
    ['CARDWIRE_JWT', 'maybe', 'expected on or off'],
    ['CARDWIRE_LOG_LEVEL', 'loud', 'expected debug, info, warning or error'],
    ['CARDWIRE_REGISTRY_PORT', '0', 'expected a port number from 1 to 65535'],
    ['CARDWIRE_REGISTRY_PORT', '70000', 'expected a port number from 1 to 65535'],
    ['CARDWIRE_API_PORTS', '1-70000', 'expected a port number from 1 to 65535'],
    ['CARDWIRE_API_PORTS', '9-1', 'expected the first port before the last'],
    ['CARDWIRE_HOSTS', 'a.example, b c', 'entry 2: expected a host name or an address'],
    [
      'CARDWIRE_CORS',
      'https://a.example,*',
      '"*": expected an origin such as https://shop.example',
    ],
    [
      'CARDWIRE_TAGS',
      'berlin,Kiosk',
      'CARDWIRE_TAGS (environment): entry 2: expected 1 to 64 lowercase letters, digits, or . _ : -, and a letter or digit first',
    ],
    [
      'CARDWIRE_TAGS',
      `${sixteenTags},t17`,
      'CARDWIRE_TAGS (environment): expected at most 16 tags',
    ],
    ['CARDWIRE_MACHINE_DIR', 'relative', 'expected an absolute path'],
    ['CARDWIRE_JWKS', 'http://id.example/keys', 'expected an https URL or an absolute path'],
    ['CARDWIRE_DS_URL', 'http://eva:pw@ds.example', 'expected a URL that begins with https://'],
  ])('%s=%s, with what is expected', (name, value, message) => {
    expect(() => read({ [name]: value })).toThrow(message)
  })

  test('none of them with what came: a secret may have come to the wrong place', () => {
    for (const name of describeSettings().map((setting) => setting.name)) {
      if (name === 'CARDWIRE_CORS') continue
      const act = () => read({ [name]: 'a-secret,of ours' })
      expect.soft(act, name).not.toThrow(/secret|ours/)
    }
  })

  test('every one that is wrong at once', () => {
    expect(() => read({ CARDWIRE_JWT: 'x', CARDWIRE_LOCAL_CA: 'y' })).toThrow(
      /CARDWIRE_JWT.*\n.*CARDWIRE_LOCAL_CA/,
    )
  })
})

test('flag wins over environment, environment over file', () => {
  const sources = ['file', 'environment', 'flag'].map((name, at) => ({
    name,
    values: { CARDWIRE_REGISTRY_PORT: at < 1 ? '1' : at < 2 ? '2' : '3' },
  }))
  expect(readSettings(sources).registryPort).toBe(3)
  expect(readSettings(sources.slice(0, 2)).registryPort).toBe(2)
})

test('names of others and empty values count for nothing', () => {
  expect(read({ HOME: '/x', CARDWIRE_CORS: '' })).toEqual(read({}))
})

test('every setting has a flag and says what it means', () => {
  for (const { name, meaning } of describeSettings()) {
    expect(toFlag(name)).toMatch(/^--[a-z-]+$/)
    expect(meaning.length).toBeGreaterThan(10)
  }
})

test('docs/connector-settings.md lists every setting with its default and its meaning', () => {
  const document = readFileSync(
    new URL('../../docs/connector-settings.md', import.meta.url),
    'utf8',
  )
  for (const { name, meaning, fallback } of describeSettings()) {
    const shown = fallback === '' ? '' : `\`${fallback}\``
    expect(document).toContain(`| \`${name}\` | ${shown} | ${meaning} |`)
  }
})
