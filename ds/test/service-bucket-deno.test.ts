/** The suites about files, with the files in a bucket, on Deno. */
import { afterAll, beforeAll } from 'vitest'
import { type BucketServer, startBucketServer } from '../../test/bed/bucket.ts'
import { createBucketRuntime, runtimes } from '../../test/bed/service-runtimes.ts'
import { serviceSuite } from './suites/service.suite.ts'

let server: BucketServer
beforeAll(async () => {
  server = await startBucketServer()
})
afterAll(() => server?.remove())

serviceSuite(
  'Deno with a bucket',
  createBucketRuntime(() => server, runtimes.Deno),
)
