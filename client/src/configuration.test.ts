/** What a configuration comes to, field by field, and what is refused by name. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { type Configuration, installerUrl, readConfiguration, toAddress } from './configuration.ts'
import { CardwireError } from './error.ts'

const registries = (configuration: Configuration) =>
  readConfiguration(configuration).registries.map(toAddress)

test.each<[string, Configuration, string[]]>([
  ['nothing', {}, ['https://localhost:51983']],
  [
    'the API',
    { t1cApiUrl: 'https://t1c.example', t1cApiPort: '25100' },
    ['https://t1c.example:25100'],
  ],
  ['a port alone', { t1cApiPort: '25100' }, ['https://localhost:25100']],
  ['a final slash', { t1cApiUrl: 'https://localhost/' }, ['https://localhost:51983']],
  [
    'the proxy before the API',
    {
      t1cApiUrl: 'https://a.example',
      t1cApiPort: '1',
      t1cProxyUrl: 'https://b.example',
      t1cProxyPort: '2',
    },
    ['https://b.example:2'],
  ],
  [
    'the port of the proxy on the host of the API',
    { t1cApiUrl: 'https://a.example', t1cProxyPort: '2' },
    ['https://a.example:2'],
  ],
  [
    'the proxy without a port',
    { t1cProxyUrl: 'https://[::1]', t1cApiPort: '1' },
    ['https://[::1]:51983'],
  ],
  [
    'connections, the plain one last',
    {
      t1cApiConnections: [{ t1cApiPort: '1' }, { t1cApiUrl: 'https://b.example' }],
      t1cApiPort: '3',
    },
    ['https://localhost:1', 'https://b.example:51983', 'https://localhost:3'],
  ],
  [
    'one place named twice',
    { t1cApiConnections: [{ t1cApiPort: '51983' }, {}] },
    ['https://localhost:51983'],
  ],
  ['plain http on this machine', { t1cApiUrl: 'http://127.0.0.1' }, ['http://127.0.0.1:51983']],
])('the registry of %s', (_, configuration, expected) => {
  proves('client-configuration')
  expect(registries(configuration)).toEqual(expected)
})

describe('readConfiguration names the field of a value that it refuses, and does not repeat the value:', () => {
  test.each<[string, unknown]>([
    ['t1cApiUrl', 'localhost'],
    ['t1cApiUrl', 'http://t1c.example'],
    ['t1cApiUrl', 'https://localhost:51983'],
    ['t1cApiUrl', 'https://localhost/path'],
    ['t1cApiUrl', 'https://user@localhost'],
    ['t1cApiUrl', 'javascript:alert(1)'],
    ['t1cApiUrl', 7],
    ['t1cProxyUrl', ''],
    ['t1cApiPort', 51_983],
    ['t1cApiPort', '0'],
    ['t1cApiPort', '65536'],
    ['t1cApiPort', '080'],
    ['t1cProxyPort', ' 1'],
    ['dsUrl', 'http://ds.example'],
    ['dsUrl', 'https://ds.example?a'],
    ['dsUrl', null],
    ['jwt', ''],
    ['jwt', 'secret-that-is-no-token'],
    ['jwt', 'undefined'],
    ['applicationDomain', 'a\r\nb'],
    ['applicationDomain', 'ü'],
    ['applicationDomain', 'x'.repeat(65)],
    ['t1cApiConnections', 'https://localhost'],
  ])('%s: %j', (name, value) => {
    // A page in JavaScript gives what it has.
    const configuration = { [name]: value } as Configuration
    const read = () => readConfiguration(configuration)
    expect(read).toThrow(CardwireError)
    expect(read).toThrow(new RegExp(`^Cannot use ${name} of the configuration: expected `))
    expect(read).not.toThrow(/secret/)
  })

  test('in a list, with its index', () => {
    const t1cApiConnections = [{}, { t1cApiPort: 'x' }]
    expect(() => readConfiguration({ t1cApiConnections })).toThrow(
      /t1cApiConnections\[1\]\.t1cApiPort/,
    )
  })
})

test('installerUrl is the download that chooses the installer by system', () => {
  expect(installerUrl({ dsUrl: 'https://ds.example/cardwire/' })).toBe(
    'https://ds.example/cardwire/v3/downloads/installer',
  )
  expect(installerUrl({})).toBeUndefined()
})
