/** An S3-compatible service for a test file, and buckets in it: OpenStack Swift of Debian, which verifies every signature. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'
import { createEnvironment, type Program, type Settings, startProgram } from './program.ts'
import { root } from './repository.ts'

export interface BucketServer {
  /** Its origin, or that of what stands before it. */
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Creates a bucket; resolves with its name. */
  createBucket(): Promise<string>
  /** The settings of a service with its files in a bucket; `more`: parameters of its address. */
  toSettings(bucket: string, more?: Readonly<Record<string, string>>): Settings
  /** Sends a signed request, with a path from the root: `bucket/key?query`. */
  request(method: string, path: string, body?: Uint8Array | string): Promise<Response>
  /** The keys of all objects in a bucket, and of all uploads that have begun. */
  list(bucket: string): Promise<{ readonly objects: string[]; readonly uploads: string[] }>
  stop(): Promise<void>
  /** Starts it again, with the data that it has. */
  start(): Promise<void>
  /** Stops it and deletes its data. */
  remove(): Promise<void>
}

export async function startBucketServer(): Promise<BucketServer> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-bucket-'))
  const port = await findFreePort()
  const endpoint = `http://127.0.0.1:${port}`
  const accessKeyId = 'test:cardwire'
  const secretAccessKey = randomBytes(20).toString('hex')
  let program: Program | undefined
  const start = async () => {
    const script = join(root, 'test/bed/bucket-server.py')
    // Not the Python of the account: Debian's has Swift.
    program = startProgram(
      ['/usr/bin/python3', script, folder, String(port), accessKeyId, secretAccessKey],
      { env: createEnvironment(folder) },
    )
    await program.waitForOutput(/^ready$/m)
  }
  const stop = async () => {
    await program?.stop()
  }
  const request: BucketServer['request'] = async (method, path, body) => {
    const url = new URL(`${endpoint}/${path}`)
    const headers = sign(method, url, { accessKeyId, secretAccessKey })
    return fetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body: new Uint8Array(Buffer.from(body)) }),
    })
  }
  const readKeys = async (path: string) => {
    const text = await (await request('GET', path)).text()
    return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key)
  }
  await start()
  let count = 0
  return {
    endpoint,
    accessKeyId,
    secretAccessKey,
    request,
    start,
    stop,
    async createBucket() {
      count += 1
      const name = `bucket-${count}`
      const { status } = await request('PUT', name)
      if (status !== 200) throw new Error(`Cannot create the bucket: ${status}`)
      return name
    },
    toSettings: (bucket, more = {}) => ({
      DS_BUCKET: `s3://${bucket}/ds?${new URLSearchParams({ endpoint, ...more })}`,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    }),
    list: async (bucket) => ({
      objects: await readKeys(`${bucket}?list-type=2`),
      uploads: await readKeys(`${bucket}?uploads=`),
    }),
    async remove() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The headers that sign a request without its body (docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html). */
function sign(
  method: string,
  { host, pathname, search }: URL,
  keys: Pick<BucketServer, 'accessKeyId' | 'secretAccessKey'>,
): Record<string, string> {
  const time = new Date().toISOString().replaceAll(/[:-]|\.\d{3}/g, '')
  const scope = [time.slice(0, 8), 'us-east-1', 's3', 'aws4_request']
  const body = 'UNSIGNED-PAYLOAD'
  const names = 'host;x-amz-content-sha256;x-amz-date'
  const fields = [`host:${host}`, `x-amz-content-sha256:${body}`, `x-amz-date:${time}`, '']
  const query = search.slice(1).split('&').toSorted().join('&')
  const canonical = [method, pathname, query, ...fields, names, body].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const hmac = (key: string | Buffer, text: string) =>
    createHmac('sha256', key).update(text).digest()
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`)
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), hash].join('\n')
  const signature = hmac(key, text).toString('hex')
  return {
    'x-amz-content-sha256': body,
    'x-amz-date': time,
    authorization: `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`,
  }
}
