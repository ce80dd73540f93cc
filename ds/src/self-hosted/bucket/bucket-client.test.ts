/** Addresses and signatures; requests are tested over a real bucket in ds/test/bucket. */
import { expect, test } from 'vitest'
import { parseBucketAddress } from '../../rules/bucket-address.ts'
import { createBucketClient } from './bucket-client.ts'

/** The keys of Amazon's examples. */
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const open = (address: string, sessionToken?: string) =>
  createBucketClient(
    parseBucketAddress(address),
    { ...credentials, ...(sessionToken !== undefined && { sessionToken }) },
    { clock: () => Date.UTC(2013, 4, 24) },
  )

test('an address is signed as in the example of Amazon (AmazonS3/latest/API/sigv4-query-string-auth.html)', async () => {
  const client = open('s3://examplebucket?endpoint=https://s3.amazonaws.com&style=host')
  const url = new URL(await client.presign('test.txt', {}, 86_400))
  expect(url.origin + url.pathname).toBe('https://examplebucket.s3.amazonaws.com/test.txt')
  expect(url.searchParams.get('X-Amz-Signature')).toBe(
    'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})

test.each([
  [
    's3://files?region=eu-central-1',
    'https://files.s3.eu-central-1.amazonaws.com/a/b%20%2B%27.deb',
  ],
  [
    's3://files?region=eu-central-1&style=path',
    'https://s3.eu-central-1.amazonaws.com/files/a/b%20%2B%27.deb',
  ],
  [
    's3://files?endpoint=https://storage.example:9000',
    'https://storage.example:9000/files/a/b%20%2B%27.deb',
  ],
  [
    's3://files?endpoint=https://storage.example&style=host',
    'https://files.storage.example/a/b%20%2B%27.deb',
  ],
])('%s has its objects at %s', async (address, expected) => {
  const { origin, pathname } = new URL(await open(address).presign("a/b +'.deb", {}, 300))
  expect(origin + pathname).toBe(expected)
})

test('a session token is part of the address, and the secret is not', async () => {
  const url = await open('s3://files', 'the-token').presign('a', {}, 300)
  expect(new URL(url).searchParams.get('X-Amz-Security-Token')).toBe('the-token')
  expect(decodeURIComponent(url)).not.toContain(credentials.secretAccessKey)
})
