/** A bucket that is down, slow or wrong: what users and administrators read, and that the service goes on (docs/decisions/0204). */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type BucketServer, startBucketServer } from '../../../test/bed/bucket.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { createVersion, nextInstaller } from '../harness/arrange.ts'
import { createDevice, type Device } from '../harness/device.ts'
import { openPageSession } from '../harness/page-session.ts'
import { type BucketProxy, pass, startBucketProxy } from './bucket-proxy.ts'

const media = { 'content-type': 'application/octet-stream' }
const small = Buffer.from('bytes of an installer')
const large = Buffer.alloc(18_000_000, 'more than two parts of an upload ')

let server: BucketServer
let proxy: BucketProxy
let bucket: string
let service: DistributionService
let file: string
let id: string
let device: Device
beforeAll(async () => {
  server = await startBucketServer()
  proxy = await startBucketProxy(server.endpoint)
  bucket = await server.createBucket()
  service = await startDistributionService(
    runtimes.Node,
    server.toSettings(bucket, { endpoint: proxy.endpoint }),
  )
  device = await createDevice(service, await createVersion(service, await service.login()))
  file = nextInstaller()
  expect((await upload(file, large)).status).toBe(201)
  ;({ id } = await register(file, true))
})
afterEach(() => proxy.act())
afterAll(async () => {
  await service?.stop()
  await proxy?.close()
  await server?.remove()
})

const upload = async (name: string, body: Uint8Array) =>
  service.request('PUT', `/v3/installers/${name}`, {
    token: await service.login(),
    headers: media,
    body,
  })
const register = async (name: string, recommended = false) =>
  createVersion(service, await service.login(), {
    recommended,
    uris: [{ os: 'UNIX', uri: `file:///${name}` }],
  })
const path = () => `/v3/downloads/installers/unix/versions/${id}`
const download = () => service.request('GET', path())
/** Until the bucket is asked again after a fault. */
const recovers = () => expect.poll(async () => (await download()).status).toBe(200)

/** Begins to send a file, and waits until a part of it is in the bucket. */
async function beginUpload(name: string) {
  const { hostname, port, host } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(
    `PUT /v3/installers/${name} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${await service.login()}\r\n` +
      `content-type: application/octet-stream\r\ncontent-length: ${large.length}\r\n\r\n`,
  )
  socket.write(large.subarray(0, 10_000_000))
  await expect
    .poll(async () => (await server.list(bucket)).uploads)
    .toContain(`ds/packages/${name}`)
  return socket
}

test('an upload that is cut in the middle leaves nothing, and is invisible before', async () => {
  proves('installer-upload-atomic')
  const name = nextInstaller()
  const socket = await beginUpload(name)
  const list = await service.admin('GET', `/v3/installers?name=${name}`)
  expect(list.items).toEqual([])
  socket.destroy()
  await expect.poll(async () => (await server.list(bucket)).uploads).toEqual([])
  expect((await server.list(bucket)).objects).not.toContain(`ds/packages/${name}`)
})

test('what a node left that was killed in an upload is removed when it is old', async () => {
  proves('installer-upload-atomic')
  const name = nextInstaller()
  const socket = await beginUpload(name)
  await service.pause('SIGKILL')
  socket.destroy()
  await service.resume()
  expect((await upload(nextInstaller(), large)).status).toBe(201)
  expect((await server.list(bucket)).uploads).toEqual([`ds/packages/${name}`])
  // As the bucket would say four hours later.
  const initiated = new Date(Date.now() - 4 * 3_600_000).toISOString()
  proxy.act((incoming, outgoing) => {
    if (incoming.method !== 'GET' || !incoming.url?.includes('uploads=')) return false
    void server.request('GET', `${bucket}?uploads=`).then(async (response) => {
      const text = await response.text()
      outgoing.end(text.replaceAll(/<Initiated>[^<]*/g, `<Initiated>${initiated}`))
    })
    return true
  })
  expect((await upload(nextInstaller(), large)).status).toBe(201)
  expect((await server.list(bucket)).uploads).toEqual([])
})

test('bytes that were changed on the way to the bucket are not stored', async () => {
  proves('installer-upload-atomic')
  const name = nextInstaller()
  proxy.act((incoming, outgoing) => {
    if (incoming.method !== 'PUT') return false
    const chunks: Buffer[] = []
    incoming
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const body = Buffer.concat(chunks)
        body[0] = (body[0] ?? 0) ^ 1
        const { headers, url } = incoming
        void fetch(`${server.endpoint}${url}`, {
          method: 'PUT',
          redirect: 'manual',
          headers: Object.fromEntries(
            Object.entries(headers).filter(([key]) =>
              /^(x-amz|authorization|content-type)/.test(key),
            ),
          ) as Record<string, string>,
          body,
        }).then(async (response) => {
          outgoing.writeHead(response.status)
          outgoing.end(await response.text())
        })
      })
    return true
  })
  expect((await upload(name, small)).status).toBe(503)
  expect((await server.list(bucket)).objects).not.toContain(`ds/packages/${name}`)
})

test('an upload whose end is not heard is stored all the same, once', async () => {
  proves('installer-upload-atomic')
  const name = nextInstaller()
  proxy.act((incoming, outgoing) => {
    if (incoming.method !== 'POST' || !incoming.url?.includes('uploadId=')) return false
    pass(incoming, outgoing, server.endpoint, () => undefined)
    return true
  })
  expect((await upload(name, large)).status).toBe(201)
  expect((await server.list(bucket)).objects).toContain(`ds/packages/${name}`)
})

test('a bucket that fails at the end of an upload, with the status of success, leaves nothing', async () => {
  proves('bucket-fails', 'installer-upload-atomic')
  const name = nextInstaller()
  proxy.act((incoming, outgoing) => {
    if (incoming.method !== 'POST' || !incoming.url?.includes('uploadId=')) return false
    outgoing.end('<?xml version="1.0"?><Error><Code>InternalError</Code></Error>')
    return true
  })
  const { status, json } = await upload(name, large)
  expect([status, json.code]).toEqual([503, 'packages-unavailable'])
  expect(json.description).toBe(
    `Cannot store "${name}": the bucket responded with 500 InternalError`,
  )
  expect(await server.list(bucket)).toMatchObject({ uploads: [] })
  expect((await server.list(bucket)).objects).not.toContain(`ds/packages/${name}`)
  const audit = await service.admin('GET', `/v3/audit?id=${name}`)
  // One of the upload, and one that takes it back.
  expect(audit.items).toHaveLength(2)
})

test('a bucket that is down is named in every answer, and used again when it is back', async () => {
  proves('bucket-fails')
  await server.stop()
  try {
    const sent = await download()
    expect([sent.status, sent.json.code]).toEqual([503, 'packages-unavailable'])
    expect(sent.json.description).toMatch(/^Cannot read the files: the bucket cannot be reached/)
    expect(Number(sent.headers.get('retry-after'))).toBeGreaterThan(0)
    const stored = await upload(nextInstaller(), small)
    expect([stored.status, stored.json.code]).toEqual([503, 'packages-unavailable'])
    expect(stored.json.description).toContain('the bucket cannot be reached')
    const health = await service.request('GET', '/health')
    expect([health.status, health.json.files]).toEqual([200, 'unreachable'])
    const { status, reply } = await device.sync()
    expect([status, reply.verdict.action, reply.verdict.offer]).toEqual([
      200,
      'recommend',
      undefined,
    ])
    expect(service.output()).toMatch(/packages unavailable.*the bucket cannot be reached/)
  } finally {
    await server.start()
  }
  await recovers()
  await expect
    .poll(async () => (await service.request('GET', '/health')).json.files)
    .toBe('readable')
  // After a change of files each policy is made anew.
  await upload(nextInstaller(), small)
  expect((await device.sync()).reply.verdict.offer).toMatchObject({ version: id })
})

test('a registered file that is gone is said by GET /health, the overview and the log', async () => {
  proves('bucket-fails')
  const name = nextInstaller()
  await upload(name, small)
  await register(name)
  await server.request('DELETE', `${bucket}/ds/packages/${name}`)
  // What was found a moment ago counts for a minute.
  await service.pause()
  await service.resume()
  expect((await service.request('GET', '/health')).json.files).toBe('missing')
  const session = await openPageSession(service)
  expect((await session.get('')).text).toContain(
    'A file that a version or a keystore refers to is missing.',
  )
  expect(service.output()).toContain(`file:///${name}`)
  await server.request('PUT', `${bucket}/ds/packages/${name}`, small)
  await expect
    .poll(async () => (await service.request('GET', '/health')).json.files)
    .toBe('readable')
})

test('a service starts while its bucket is down', async () => {
  proves('bucket-fails')
  await server.stop()
  try {
    const other = await startDistributionService(runtimes.Node, server.toSettings(bucket))
    expect((await other.request('GET', '/v3/system/status')).status).toBe(200)
    await other.stop()
  } finally {
    await server.start()
  }
  await recovers()
})

test('a bucket that does not answer is given up after seconds, and no other request waits for it', async () => {
  proves('bucket-fails')
  proxy.act(() => true)
  const startedAt = performance.now()
  const { status, json } = await download()
  expect([status, json.description]).toEqual([
    503,
    'Cannot read the files: the bucket does not respond in time',
  ])
  expect(performance.now() - startedAt).toBeLessThan(12_000)
  expect((await download()).status).toBe(503)
  expect(performance.now() - startedAt).toBeLessThan(14_000)
  proxy.act()
  await recovers()
})

test('a download that the bucket cuts short does not look complete', async () => {
  proves('bucket-fails')
  let left = 5_000_000
  proxy.act((incoming, outgoing) => {
    if (incoming.method !== 'GET') return false
    pass(incoming, outgoing, server.endpoint, (part) => {
      left -= part.length
      return left > 0 ? part : undefined
    })
    return true
  })
  await expect(download()).rejects.toThrow()
  proxy.act()
  await recovers()
})

test.each([
  ['of another length', { 'content-length': '5' }, '12345'],
  ['without a length', {}, 'bytes of something else'],
])('an answer %s is no file', async (_, headers, body) => {
  proves('bucket-fails')
  proxy.act((incoming, outgoing) => {
    if (incoming.method !== 'GET') return false
    outgoing.writeHead(206, {
      ...headers,
      'content-range': `bytes 0-${large.length - 1}/${large.length}`,
    })
    outgoing.write(body)
    outgoing.end()
    return true
  })
  const { status, json } = await download()
  expect([status, json.description]).toEqual([
    503,
    'Cannot read the file: the bucket sent another part of a file than it was asked for',
  ])
})

test('a file that another one replaced since it was found is not mixed with it', async () => {
  const name = nextInstaller()
  await upload(name, small)
  const version = await register(name)
  const object = `${bucket}/ds/packages/${name}`
  let replaced: Promise<Response> | undefined
  proxy.act((incoming, outgoing) => {
    if (incoming.method !== 'GET' || !incoming.url?.includes(name)) return false
    replaced ??= server.request('PUT', object, 'other bytes of the file')
    void replaced.then(() => pass(incoming, outgoing, server.endpoint))
    return true
  })
  const { status, json } = await service.request(
    'GET',
    `/v3/downloads/installers/unix/versions/${version.id}`,
  )
  expect([status, json.description]).toEqual([
    503,
    'Cannot read the file: another one has come in its place, try again',
  ])
})

test('access that is taken away is said in words, and not tried again', async () => {
  proves('bucket-fails')
  let requests = 0
  proxy.act((_, outgoing) => {
    requests += 1
    outgoing.writeHead(403, { 'content-type': 'application/xml' })
    outgoing.end('<Error><Code>AccessDenied</Code><Message>planted</Message></Error>')
    return true
  })
  const { status, text } = await service.request('GET', '/v3/installers', {
    token: await service.login(),
  })
  expect([status, requests]).toEqual([503, 1])
  expect(text).toContain('the bucket refuses access: check what its policy allows this access key')
  expect(text).not.toContain('planted')
})

test('a bucket that is busy is asked again', async () => {
  proves('bucket-fails')
  let requests = 0
  proxy.act((incoming, outgoing) => {
    if (incoming.method !== 'HEAD' || ++requests > 2) return false
    outgoing.writeHead(503)
    outgoing.end()
    return true
  })
  expect((await download()).status).toBe(200)
})

test('a large file takes no more memory than its parts, up and down', async () => {
  proves('bucket-fails')
  const readPeak = async () =>
    Number(/VmHWM:\s*(\d+)/.exec(await readFile(`/proc/${service.pid()}/status`, 'utf8'))?.[1]) /
    1024
  const before = await readPeak()
  const name = nextInstaller()
  expect((await upload(name, Buffer.alloc(150_000_000, 'a large file '))).status).toBe(201)
  const version = await register(name)
  // A client that reads nothing for a while, and then leaves.
  const { hostname, port, host } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET /v3/downloads/installers/unix/versions/${version.id} HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
  )
  await once(socket, 'readable')
  const whole = await service.request('GET', `/v3/downloads/installers/unix/versions/${version.id}`)
  expect(whole.bytes.length).toBe(150_000_000)
  socket.destroy()
  // Two thirds of the file: what is free is not collected at once on a busy machine.
  expect((await readPeak()) - before).toBeLessThan(100)
})

test.each([
  [
    'a wrong secret',
    { AWS_SECRET_ACCESS_KEY: 'planted-wrong-secret' },
    /Cannot use s3:\/\/bucket-\d+\/ds\/ at http:\S+ \(DS_BUCKET\): the bucket refuses the signature: check AWS_SECRET_ACCESS_KEY/,
  ],
  [
    'an unknown key',
    { AWS_ACCESS_KEY_ID: 'test:planted-key' },
    /\(DS_BUCKET\): the bucket (does not know the access key|refuses)/,
  ],
  [
    'a bucket that does not exist',
    { DS_BUCKET: 's3://nowhere?endpoint=ENDPOINT' },
    /Cannot use s3:\/\/nowhere\/ at http:\S+ \(DS_BUCKET\): the bucket does not exist/,
  ],
  ['no keys', { AWS_ACCESS_KEY_ID: '' }, /AWS_ACCESS_KEY_ID: needed with DS_BUCKET/],
])('a start with %s ends with what is wrong, and without the keys', async (_, changes, message) => {
  proves('bucket-keys-leak')
  const settings = Object.fromEntries(
    Object.entries({ ...server.toSettings(bucket), ...changes }).map(([name, value]) => [
      name,
      value.replace('ENDPOINT', server.endpoint),
    ]),
  )
  const start = startDistributionService(runtimes.Node, settings)
  await expect(start).rejects.toThrow(message)
  await expect(start).rejects.not.toThrow(/planted/)
})

test('neither log nor answers have had a key of the bucket', () => {
  proves('bucket-keys-leak')
  for (const text of [service.output(), ...service.responseBodies])
    expect(text).not.toContain(server.secretAccessKey)
})
