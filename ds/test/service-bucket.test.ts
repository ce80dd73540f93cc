/** The suites about files, with the files in a bucket, on Node. */
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
  'Node with a bucket',
  createBucketRuntime(() => server, runtimes.Node),
)
