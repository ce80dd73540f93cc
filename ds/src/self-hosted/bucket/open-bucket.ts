/** Opens the bucket that DS_BUCKET names. */
import type { Packages } from '../../packages/packages.ts'
import type { Log } from '../../ports.ts'
import { formatBucketAddress } from '../../rules/bucket-address.ts'
import type { BucketSettings } from '../../settings.ts'
import { StartError } from '../start-error.ts'
import { createBucketClient } from './bucket-client.ts'
import { BucketFault } from './bucket-fault.ts'
import { createBucketPackages } from './bucket-packages.ts'
import { drop } from './bucket-upload.ts'

/** What its objects begin with, after the prefix: from one place, anyone could download the keystores. */
const places = { packages: 'packages/', keystores: 'keystores/' } as const

/** Throws a StartError where the bucket refuses. One that does not answer may later: the service starts. */
export async function openBucket(
  { address, credentials }: BucketSettings,
  { log, maxDownloads }: { readonly log: Log; readonly maxDownloads: number },
): Promise<Record<keyof typeof places, Packages>> {
  const client = createBucketClient(address, credentials)
  const query = { 'list-type': '2', prefix: address.prefix, 'max-keys': '1' }
  try {
    await client.send({ method: 'GET', query }, drop)
  } catch (error) {
    if (!(error instanceof BucketFault) || !error.isTemporary)
      throw new StartError(
        `Cannot use ${formatBucketAddress(address)} (DS_BUCKET): ${error instanceof Error ? error.message : error}`,
      )
    log.error('packages unavailable', { error: error.message })
  }
  const open = (place: keyof typeof places) =>
    createBucketPackages({
      client,
      prefix: address.prefix + places[place],
      log,
      maxDownloads,
      redirects: place === 'packages' && address.redirects,
    })
  return { packages: open('packages'), keystores: open('keystores') }
}
