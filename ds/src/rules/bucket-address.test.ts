import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { formatBucketAddress, parseBucketAddress } from './bucket-address.ts'

const secret = 'wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY'

describe('address of a bucket', () => {
  test.each([
    [
      's3://cardwire/?region=eu-central-1',
      {
        bucket: 'cardwire',
        prefix: '',
        region: 'eu-central-1',
        endpoint: 'https://s3.eu-central-1.amazonaws.com',
        style: 'host',
        redirects: false,
      },
    ],
    [
      's3://cardwire/ds/one?endpoint=https%3A%2F%2Fstorage.example%3A9000&downloads=redirect',
      {
        bucket: 'cardwire',
        prefix: 'ds/one/',
        region: 'us-east-1',
        endpoint: 'https://storage.example:9000',
        style: 'path',
        redirects: true,
      },
    ],
    [
      's3://a.bucket?endpoint=http://127.0.0.1:3900/&region=garage',
      {
        bucket: 'a.bucket',
        prefix: '',
        region: 'garage',
        endpoint: 'http://127.0.0.1:3900',
        style: 'path',
        redirects: false,
      },
    ],
    [
      's3://cardwire?endpoint=http://[::1]:9000&style=host',
      {
        bucket: 'cardwire',
        prefix: '',
        region: 'us-east-1',
        endpoint: 'http://[::1]:9000',
        style: 'host',
        redirects: false,
      },
    ],
  ])('%s is read', (text, expected) => {
    expect(parseBucketAddress(text)).toEqual(expected)
  })

  test.each([
    ['/srv/packages', 'expected s3://'],
    ['https://storage.example/cardwire', 'expected s3://'],
    [`s3://AKIAEXAMPLE:${secret}@cardwire`, 'expected no keys: set AWS_ACCESS_KEY_ID'],
    [`s3://cardwire?${secret}`, 'unknown parameter; known are region'],
    ['s3://UPPER', 'expected the name of a bucket'],
    ['s3://ab', 'expected the name of a bucket'],
    ['s3://cardwire:9000', 'expected the name of a bucket'],
    ['s3://cardwire/a%2Fb', 'expected a prefix'],
    ['s3://cardwire/.../a', 'expected a prefix'],
    ['s3://cardwire?region=a/b', 'region: expected'],
    ['s3://cardwire?endpoint=storage.example', 'endpoint: expected an origin'],
    ['s3://cardwire?endpoint=https://storage.example/path', 'endpoint: expected an origin'],
    [`s3://cardwire?endpoint=https://a:${secret}@storage.example`, 'endpoint: expected an origin'],
    ['s3://cardwire?endpoint=http://storage.example', 'endpoint: expected https'],
    ['s3://cardwire?endpoint=http://localhost.example', 'endpoint: expected https'],
    ['s3://cardwire?endpoint=ftp://localhost', 'endpoint: expected https'],
    ['s3://cardwire?style=dns', 'style: expected path or host'],
    ['s3://a.bucket', 'style: expected path'],
    ['s3://cardwire?downloads=yes', 'downloads: expected stream or redirect'],
  ])('%s is refused, and not repeated', (text, reason) => {
    proves('bucket-keys-leak')
    const read = () => parseBucketAddress(text)
    expect(read).toThrow(reason)
    expect(read).not.toThrow(secret)
  })

  test('has a form for people', () => {
    const address = parseBucketAddress('s3://cardwire/ds?endpoint=https://storage.example')
    expect(formatBucketAddress(address)).toBe('s3://cardwire/ds/ at https://storage.example')
  })
})
