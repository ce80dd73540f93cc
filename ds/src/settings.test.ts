/** The settings: what is taken, what is refused, and that no refusal shows a secret. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { readSettings, SettingsError } from './settings.ts'

const secret = btoa('0123456789abcdef0123456789abcdef')

/** A provider with everything it needs. */
const provider = {
  DS_IDP_ISSUER: 'https://id.example/realms/acme',
  DS_IDP_AUDIENCE: 'cardwire',
  DS_IDP_ROLE: 'cardwire-admin',
}

test.each(['0', 'false'])(
  'the service does not start with NODE_TLS_REJECT_UNAUTHORIZED=%s, with which it would take any identity provider and database',
  (value) => {
    proves('certificate-checks-off')
    const read = () => readSettings({ NODE_TLS_REJECT_UNAUTHORIZED: value })
    expect(read).toThrow(SettingsError)
    expect(read).toThrow('NODE_TLS_REJECT_UNAUTHORIZED turns off the verification of certificates')
    expect(() => readSettings({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).not.toThrow()
  },
)

test('readSettings without any setting gives the defaults', () => {
  expect(readSettings({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    url: undefined,
    database: { kind: 'file', file: 'data/cardwire.sqlite' },
    drainMs: 0,
    packagesDir: 'data/packages',
    keystoresDir: undefined,
    bucket: undefined,
    adminUser: 'admin',
    adminPassword: undefined,
    secondFactorRequired: false,
    realm: { name: 'cardwire', client: 'cardwire' },
    breakGlassUser: undefined,
    identity: { kind: 'embedded' },
    tokenAlgorithm: 'ES256',
    tokenLimit: 600,
    downloadLimit: 64,
    trustProxy: [],
    acceptsKeys: true,
    gatewaySecret: undefined,
    kong: undefined,
    gatewayTag: 'cardwire',
    cors: [],
    secret: undefined,
    keyOverlapS: 86_400,
    cycleS: 28_800,
    policyMaxAgeS: 2_592_000,
    waits: 250,
    waitS: 50,
    wakeRate: 1000,
    implicitVersions: false,
    userNames: false,
    webhookPrivateAddresses: false,
    webhookFaultRate: 0.05,
    deviceRetentionDays: 400,
    deviceApproval: false,
    embedSettings: false,
    devicesPerKey: 20_000,
    devicesPerAddress: 5000,
    registrationLimit: 600,
    counterLimit: 4000,
    logsKept: 1000,
    revisionsKept: 50,
    reviewShare: 0.1,
    maxReach: 1,
    twoAdministrators: undefined,
    logFormat: 'json',
    logAudit: false,
  })
})

describe('readSettings accepts', () => {
  test.each([
    { name: 'DS_HOST', text: '0.0.0.0', as: { host: '0.0.0.0' } },
    { name: 'DS_HOST', text: '::1', as: { host: '::1' } },
    { name: 'DS_PORT', text: '0', as: { port: 0 } },
    { name: 'DS_PORT', text: '65535', as: { port: 65_535 } },
    { name: 'DS_URL', text: 'https://ds.example', as: { url: 'https://ds.example' } },
    { name: 'DS_URL', text: 'https://ds.example/', as: { url: 'https://ds.example' } },
    { name: 'DS_URL', text: 'http://ds.example/a//', as: { url: 'http://ds.example/a' } },
    {
      name: 'DS_DATABASE',
      text: '/var/lib/ds.sqlite',
      as: { database: { kind: 'file', file: '/var/lib/ds.sqlite' } },
    },
    { name: 'DS_PACKAGES_DIR', text: '/srv/packages', as: { packagesDir: '/srv/packages' } },
    { name: 'DS_KEYSTORES_DIR', text: '/srv/keystores', as: { keystoresDir: '/srv/keystores' } },
    { name: 'DS_ADMIN_USER', text: 'root', as: { adminUser: 'root' } },
    { name: 'DS_REALM', text: 'staff', as: { realm: { name: 'staff', client: 'cardwire' } } },
    {
      name: 'DS_REALM_CLIENT',
      text: 'tools',
      as: { realm: { name: 'cardwire', client: 'tools' } },
    },
    { name: 'DS_MAX_REACH', text: '0', as: { maxReach: 0 } },
    { name: 'DS_MAX_REACH', text: '500', as: { maxReach: 500 } },
    { name: 'DS_MAX_REACH', text: 'any', as: { maxReach: undefined } },
    { name: 'DS_TWO_ADMINISTRATORS', text: 'off', as: { twoAdministrators: undefined } },
    { name: 'DS_TWO_ADMINISTRATORS', text: '0', as: { twoAdministrators: 0 } },
    { name: 'DS_TWO_ADMINISTRATORS', text: '500', as: { twoAdministrators: 500 } },
    { name: 'DS_LOG_FORMAT', text: 'ecs', as: { logFormat: 'ecs' } },
    { name: 'DS_LOG_AUDIT', text: 'on', as: { logAudit: true } },
    { name: 'DS_ADMIN_PASSWORD', text: 'x'.repeat(12), as: { adminPassword: 'x'.repeat(12) } },
    { name: 'DS_ADMIN_PASSWORD', text: 'x'.repeat(1024), as: { adminPassword: 'x'.repeat(1024) } },
    { name: 'DS_TOKEN_ALG', text: 'ES256', as: { tokenAlgorithm: 'ES256' } },
    { name: 'DS_TOKEN_ALG', text: 'RS256', as: { tokenAlgorithm: 'RS256' } },
    { name: 'DS_REGISTRATION_LIMIT', text: '1000000', as: { registrationLimit: 1_000_000 } },
    { name: 'DS_TOKEN_LIMIT', text: '1', as: { tokenLimit: 1 } },
    { name: 'DS_TOKEN_LIMIT', text: '1000000', as: { tokenLimit: 1_000_000 } },
    {
      name: 'DS_CORS',
      text: ' https://A.example/ ,https://*.b.example, ',
      as: { cors: ['https://a.example', 'https://*.b.example'] },
    },
    { name: 'DS_KEY_OVERLAP', text: '57600', as: { keyOverlapS: 57_600 } },
    { name: 'DS_KEY_OVERLAP', text: '7776000', as: { keyOverlapS: 7_776_000 } },
    { name: 'DS_CYCLE', text: '1', as: { cycleS: 1 } },
    { name: 'DS_CYCLE', text: '43200', as: { cycleS: 43_200 } },
    { name: 'DS_IMPLICIT_VERSIONS', text: 'on', as: { implicitVersions: true } },
    { name: 'DS_POLICY_MAX_AGE', text: '7', as: { policyMaxAgeS: 604_800 } },
    { name: 'DS_POLICY_MAX_AGE', text: '0', as: { policyMaxAgeS: undefined } },
    { name: 'DS_WAITS', text: '0', as: { waits: 0 } },
    { name: 'DS_WAIT_S', text: '290', as: { waitS: 290 } },
    { name: 'DS_WAKE_RATE', text: '20', as: { wakeRate: 20 } },
    { name: 'DS_USER_NAMES', text: 'on', as: { userNames: true } },
    { name: 'DS_WEBHOOK_PRIVATE_ADDRESSES', text: 'on', as: { webhookPrivateAddresses: true } },
    { name: 'DS_WEBHOOK_FAULT_PERCENT', text: '100', as: { webhookFaultRate: 1 } },
    { name: 'DS_DEVICE_RETENTION_DAYS', text: '1', as: { deviceRetentionDays: 1 } },
  ])('$name=$text', ({ name, text, as }) => {
    expect(readSettings({ [name]: text })).toMatchObject(as)
  })

  test('DS_SECRET of 32 bytes in base64', () => {
    const bytes = readSettings({ DS_SECRET: secret }).secret

    expect(new TextDecoder().decode(bytes)).toBe('0123456789abcdef0123456789abcdef')
  })

  test('DS_TRUST_PROXY with addresses and networks of both families', () => {
    const { trustProxy } = readSettings({
      DS_TRUST_PROXY: '10.0.0.1, 192.168.0.0/16,::1,2001:db8::/32,',
    })

    expect(trustProxy.map(([address, length]) => `${address}/${length}`)).toEqual([
      '10.0.0.1/32',
      '192.168.0.0/16',
      '::1/128',
      '2001:db8::/32',
    ])
  })

  test('names of others, whatever they hold', () => {
    const others = { PATH: '/bin', ds_port: 'x', DSX: 'x', XDS_PORT: 'x', DB: { prepare: 1 } }

    expect(readSettings(others)).toEqual(readSettings({}))
  })

  test('an empty setting as one that is not there', () => {
    expect(readSettings({ DS_PORT: '', DS_SECRET: '', DS_IDP_ISSUER: '' })).toEqual(
      readSettings({}),
    )
  })

  test('bindings of a Worker, which are no text', () => {
    expect(readSettings({ DS_DATABASE: { prepare: () => undefined }, DS_PORT: '1' }).port).toBe(1)
  })

  test('variables of a Worker, which may be numbers', () => {
    expect(readSettings({ DS_TOKEN_LIMIT: 5 }).tokenLimit).toBe(5)
  })
})

describe('readSettings accepts an external provider with', () => {
  test.each([
    {
      what: 'an issuer',
      given: provider,
      identity: {
        kind: 'external',
        issuer: 'https://id.example/realms/acme',
        jwksUrl: undefined,
        audience: 'cardwire',
        roleNames: { administrator: 'cardwire-admin', publisher: undefined, viewer: undefined },
        roleClaim: 'realm_access.roles',
      },
    },
    {
      what: 'a key set, a role claim and names of all roles',
      given: {
        DS_IDP_JWKS_URL: 'https://id.example/keys',
        DS_IDP_AUDIENCE: 'cardwire',
        DS_IDP_ROLE: 'cardwire-admin',
        DS_IDP_PUBLISHER_ROLE: 'cardwire-releases',
        DS_IDP_VIEWER_ROLE: 'cardwire-auditor',
        DS_IDP_ROLE_CLAIM: 'roles',
      },
      identity: {
        kind: 'external',
        issuer: undefined,
        jwksUrl: 'https://id.example/keys',
        audience: 'cardwire',
        roleNames: {
          administrator: 'cardwire-admin',
          publisher: 'cardwire-releases',
          viewer: 'cardwire-auditor',
        },
        roleClaim: 'roles',
      },
    },
    {
      what: 'a client by which browsers sign in',
      given: {
        ...provider,
        DS_IDP_CLIENT_ID: 'cardwire-pages',
        DS_IDP_CLIENT_SECRET: 'secret of the client',
        DS_IDP_PARAMETERS: 'resource=https%3A%2F%2Fds.example&prompt=login',
      },
      identity: {
        kind: 'external',
        issuer: 'https://id.example/realms/acme',
        jwksUrl: undefined,
        audience: 'cardwire',
        roleNames: { administrator: 'cardwire-admin', publisher: undefined, viewer: undefined },
        roleClaim: 'realm_access.roles',
        login: {
          issuer: 'https://id.example/realms/acme',
          clientId: 'cardwire-pages',
          clientSecret: 'secret of the client',
          scope: 'openid profile',
          parameters: { resource: 'https://ds.example', prompt: 'login' },
        },
      },
    },
  ])('$what', ({ given, identity }) => {
    expect(readSettings(given).identity).toEqual(identity)
  })
})

describe('readSettings refuses', () => {
  test('the address of a database that makes no sense, without its password', () => {
    proves('database-password-logged')
    expect(() => readSettings({ DS_DATABASE: 'postgres://ds:planted@db.example' })).toThrow(
      new SettingsError(['DS_DATABASE: expected the name of a database as the path']),
    )
  })

  test.each([
    ['DS_PORT', '65536'],
    ['DS_PORT', '-1'],
    ['DS_PORT', '80.5'],
    ['DS_PORT', 'http'],
    ['DS_PORT', ' '],
    ['DS_PORT', '0x50'],
    ['DS_PORT', '1e3'],
    ['DS_URL', 'ds.example'],
    ['DS_URL', 'ftp://ds.example'],
    ['DS_URL', 'https://ds.example/?a=b'],
    ['DS_URL', 'https://ds.example/#a'],
    ['DS_ADMIN_USER', 'x'.repeat(201)],
    ['DS_ADMIN_PASSWORD', 'x'.repeat(11)],
    ['DS_ADMIN_PASSWORD', 'x'.repeat(1025)],
    ['DS_IDP_ISSUER', 'id.example'],
    ['DS_IDP_JWKS_URL', '/keys'],
    ['DS_TOKEN_ALG', 'HS256'],
    ['DS_TOKEN_ALG', 'none'],
    ['DS_TOKEN_ALG', 'es256'],
    ['DS_REGISTRATION_LIMIT', '0'],
    ['DS_TOKEN_LIMIT', '0'],
    ['DS_TOKEN_LIMIT', '1000001'],
    ['DS_TRUST_PROXY', 'proxy.example'],
    ['DS_TRUST_PROXY', '10.0.0.0/33'],
    ['DS_TRUST_PROXY', '10.0.0.1,10.0.0.'],
    ['DS_TRUST_PROXY', '*'],
    ['DS_CORS', '*'],
    ['DS_CORS', 'https://a.example,http://b.example'],
    ['DS_CORS', 'https://a.example/path'],
    ['DS_SECRET', 'no base64!'],
    ['DS_SECRET', btoa('31 bytes are one byte too short')],
    ['DS_SECRET', btoa('33 bytes are one byte more than 32')],
    ['DS_KEY_OVERLAP', '57599'],
    ['DS_KEY_OVERLAP', '7776001'],
    ['DS_CYCLE', '0'],
    ['DS_CYCLE', '604801'],
    ['DS_IMPLICIT_VERSIONS', 'true'],
    ['DS_USER_NAMES', 'yes'],
    ['DS_DEVICE_RETENTION_DAYS', '0'],
  ])('%s=%s, naming the setting', (name, text) => {
    expect(() => readSettings({ [name]: text })).toThrow(SettingsError)
    expect(() => readSettings({ [name]: text })).toThrow(
      new RegExp(`^Cannot read the settings:\\n {2}${name}: \\S.*$`),
    )
  })

  test('an unknown name that begins with DS_, and names the known ones', () => {
    const read = () => readSettings({ DS_PROT: '80' })

    expect(read).toThrow(/\n {2}DS_PROT: unknown setting; known are .*\bDS_PORT\b/)
  })

  test('everything that is wrong at once, a line each', () => {
    const read = () => readSettings({ DS_PROT: '80', DS_PORT: 'x', DS_TOKEN_ALG: 'x' })

    expect(linesOf(read).map((line) => line.split(':')[0]?.trim())).toEqual([
      'DS_PORT',
      'DS_TOKEN_ALG',
      'DS_PROT',
    ])
  })

  test.each([
    ['DS_SECRET', 'planted-secret-that-is-no-base64'],
    ['DS_SECRET', 'cGxhbnRlZC1zZWNyZXQ='],
    ['DS_ADMIN_PASSWORD', 'planted'],
    ['DS_ADMIN_PASSWORD', 'planted'.repeat(200)],
  ])('%s without showing its value: %s', (name, value) => {
    const lines = linesOf(() => readSettings({ [name]: value, DS_PORT: 'x' })).join('\n')

    expect(lines).toContain(name)
    expect(lines).not.toContain(value)
  })
})

describe('readSettings refuses settings that do not fit together:', () => {
  test('a PostgreSQL database without DS_SECRET', () => {
    expect(() =>
      readSettings({ DS_DATABASE: 'postgres://ds:planted@db.example/cardwire' }),
    ).toThrow('DS_SECRET: needed with a PostgreSQL database')
  })

  test('a bucket without keys, or with keys in its address, and repeats none', () => {
    proves('bucket-keys-leak')
    const read = (changes: Record<string, string>) => () =>
      readSettings({ AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'planted', ...changes })
    const refusals = [
      [{ DS_BUCKET: 's3://cardwire', AWS_ACCESS_KEY_ID: '' }, 'AWS_ACCESS_KEY_ID: needed'],
      [{ DS_BUCKET: 's3://cardwire', AWS_SECRET_ACCESS_KEY: '' }, 'AWS_SECRET_ACCESS_KEY: needed'],
      [
        { DS_BUCKET: 's3://cardwire', AWS_SECRET_ACCESS_KEY: 'planted\n' },
        'AWS_SECRET_ACCESS_KEY: needed',
      ],
      [
        { DS_BUCKET: 's3://cardwire', AWS_SESSION_TOKEN: 'planted token' },
        'AWS_SESSION_TOKEN: needed',
      ],
      [{ DS_BUCKET: 's3://AKIA:planted@cardwire' }, 'DS_BUCKET: expected no keys'],
      [{ DS_BUCKET: 's3://cardwire?planted' }, 'DS_BUCKET: unknown parameter'],
      [
        { DS_BUCKET: 's3://cardwire?endpoint=http://planted.example' },
        'DS_BUCKET: endpoint: expected https',
      ],
    ] as const
    for (const [changes, reason] of refusals) {
      expect(read(changes)).toThrow(reason)
      expect(read(changes)).not.toThrow('planted')
    }
    expect(read({ DS_BUCKET: 's3://cardwire' })().bucket?.credentials).toEqual({
      accessKeyId: 'AKIA',
      secretAccessKey: 'planted',
    })
    expect(read({})().bucket).toBeUndefined()
  })

  test('an overlap of keys shorter than two cycles, naming both', () => {
    const read = (overlap: string) => () =>
      readSettings({ DS_CYCLE: '50000', DS_KEY_OVERLAP: overlap })

    expect(read('99999')).toThrow(/\n {2}DS_KEY_OVERLAP: .*DS_CYCLE.* 100000 s/)
    expect(read('100000')().cycleS).toBe(50_000)
  })

  test('packages with a public key in them without the approval of devices', () => {
    proves('stamped-key-public')
    const read = (approval: string) =>
      readSettings({ DS_STAMP_INSTALLERS: 'on', DS_DEVICE_APPROVAL: approval })

    expect(() => read('off')).toThrow(/\n {2}DS_DEVICE_APPROVAL: .*DS_STAMP_INSTALLERS/)
    expect(read('').deviceApproval).toBe(true)
    expect(readSettings({ DS_DEVICE_APPROVAL: 'on' }).embedSettings).toBe(false)
  })

  test('a policy that ends before two cycles have passed, naming both', () => {
    const read = (days: string) => () =>
      readSettings({ DS_CYCLE: '100000', DS_KEY_OVERLAP: '200000', DS_POLICY_MAX_AGE: days })

    expect(read('2')).toThrow(/\n {2}DS_POLICY_MAX_AGE: .*DS_CYCLE.* 3 days/)
    expect(read('3')().policyMaxAgeS).toBe(259_200)
  })

  test.each([
    { given: ['DS_IDP_ISSUER'], missing: ['DS_IDP_AUDIENCE', 'DS_IDP_ROLE'] },
    { given: ['DS_IDP_ISSUER', 'DS_IDP_AUDIENCE'], missing: ['DS_IDP_ROLE'] },
    { given: ['DS_IDP_ISSUER', 'DS_IDP_ROLE'], missing: ['DS_IDP_AUDIENCE'] },
    { given: ['DS_IDP_JWKS_URL'], missing: ['DS_IDP_AUDIENCE', 'DS_IDP_ROLE'] },
    {
      given: ['DS_IDP_AUDIENCE', 'DS_IDP_ROLE'],
      missing: ['DS_IDP_ISSUER or DS_IDP_JWKS_URL'],
    },
    { given: ['DS_IDP_ROLE'], missing: ['DS_IDP_ISSUER or DS_IDP_JWKS_URL', 'DS_IDP_AUDIENCE'] },
    {
      given: ['DS_IDP_ROLE_CLAIM'],
      missing: ['DS_IDP_ISSUER or DS_IDP_JWKS_URL', 'DS_IDP_AUDIENCE', 'DS_IDP_ROLE'],
    },
  ])('an external provider with $given alone, naming what is missing', ({ given, missing }) => {
    const environment = Object.fromEntries(given.map((name) => [name, 'https://id.example']))

    expect(linesOf(() => readSettings(environment))).toEqual(
      missing.map((name) => `  ${name}: needed for an external identity provider`),
    )
  })

  const kong = { DS_GATEWAY: 'kong', DS_KONG_URL: 'https://kong.example', DS_GATEWAY_TAG: 'tills' }
  test.each([
    [{ DS_GATEWAY: 'kong' }, 'DS_GATEWAY_SECRET: needed, because DS_GATEWAY has no built-in'],
    [{ DS_GATEWAY: 'built-in, kong' }, 'DS_KONG_URL: needed with DS_GATEWAY=kong'],
    [
      { ...kong, DS_GATEWAY: 'kong,built-in', DS_GATEWAY_TAG: '' },
      'DS_GATEWAY_TAG: needed with DS_GATEWAY=kong, a name that no other service at this Kong has',
    ],
    [
      { ...kong, DS_KONG_URL: 'http://kong.example:8001' },
      'DS_KONG_URL: expected https, unless the Admin API is on this computer',
    ],
    [
      { ...kong, DS_KONG_URL: 'https://user:word@kong.example' },
      'DS_KONG_URL: expected a URL without user, query and fragment',
    ],
    [
      { ...kong, DS_GATEWAY_TAG: 'Tills' },
      'DS_GATEWAY_TAG: expected at most 32 lowercase letters, digits and hyphens',
    ],
  ])('gateways of %o', (given, line) => {
    expect(linesOf(() => readSettings(given))).toEqual([`  ${line}`])
  })

  test('a client by which browsers sign in without an issuer', () => {
    const { DS_IDP_ISSUER: _, ...rest } = provider
    const given = { ...rest, DS_IDP_JWKS_URL: 'https://id.example/keys', DS_IDP_CLIENT_ID: 'x' }

    expect(linesOf(() => readSettings(given))).toEqual([
      '  DS_IDP_ISSUER: needed with DS_IDP_CLIENT_ID',
    ])
  })
})

/** What the error says, line by line, without its first. */
function linesOf(read: () => unknown): readonly string[] {
  try {
    read()
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n').slice(1)
    throw error
  }
  return []
}
