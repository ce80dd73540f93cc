/** Operations that a small app serves: accepted and refused input, and the responses. */
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createBinder, createProblemResponse } from './hono.ts'
import { created, data, type Operation, operation, paging, upserted } from './operation.ts'
import { Problem, problemType } from './problem.ts'

const requestId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const mebibyte = 1024 * 1024

const tillOperation = { tag: 'Tills', summary: 'A till', access: 'anyone', problems: [] } as const
const Till = z.strictObject({
  name: z.string(),
  places: z.optional(
    z
      .array(z.strictObject({ shop: z.string(), floor: z.optional(z.int()) }))
      .check(z.maxLength(1000)),
  ),
  printer: z.optional(z.strictObject({ model: z.string() })),
})

const putTill = operation({
  ...tillOperation,
  name: 'putTill',
  method: 'PUT',
  path: '/tills',
  body: { type: 'json', schema: Till },
  reply: upserted(Till),
})
const makeTill = operation({
  ...tillOperation,
  name: 'makeTill',
  method: 'POST',
  path: '/tills',
  body: { type: 'json', schema: Till },
  reply: created(Till),
})
const listTills = operation({
  ...tillOperation,
  name: 'listTills',
  method: 'GET',
  path: '/tills',
  query: z.strictObject({ ...paging, name: z.optional(z.string()) }),
  reply: data(z.unknown()),
})
const getFloor = operation({
  ...tillOperation,
  name: 'getFloor',
  method: 'GET',
  path: '/tills/{id}/floors/{floor}',
  params: z.object({ id: z.string(), floor: z.coerce.number().check(z.int()) }),
  headers: z.object({ 'x-mode': z.enum(['short', 'long']) }),
  reply: data(z.unknown()),
})
const getDocument = operation({
  ...tillOperation,
  name: 'getDocument',
  method: 'GET',
  path: '/document',
  reply: {
    kind: 'document',
    schema: z.object({ keys: z.array(z.string()) }),
    media: 'application/jwk-set+json',
  },
})
const getBytes = operation({
  ...tillOperation,
  name: 'getBytes',
  method: 'GET',
  path: '/bytes',
  reply: { kind: 'response', media: 'text/plain', description: 'Bytes' },
})
const logIn = operation({
  ...tillOperation,
  name: 'logIn',
  method: 'POST',
  path: '/token',
  body: { type: 'form', schema: z.object({ user: z.string(), scope: z.optional(z.string()) }) },
  reply: { kind: 'document', schema: z.object({ user: z.string() }), media: 'application/json' },
  failures: 'oauth',
})
const locked = operation({
  ...tillOperation,
  name: 'locked',
  method: 'PUT',
  path: '/locked',
  access: 'administrator',
  body: { type: 'json', schema: Till },
  reply: upserted(Till),
})

/** The input that the last handler received. */
let received: unknown
const app = served()

describe('a bound operation', () => {
  test.each([
    { what: '200 for an update', name: 'known', status: 200 },
    { what: '201 for a creation', name: 'new', status: 201 },
  ])('answers an upsert with $what', async ({ name, status }) => {
    const response = await json('PUT', '/tills', { name })

    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ success: true, data: { name } })
  })

  test('answers 201 for a creation', async () => {
    expect((await json('POST', '/tills', { name: 'a' })).status).toBe(201)
  })

  test('answers a document as it is, with its media type', async () => {
    const response = await app.request('/document')

    expect(response.headers.get('content-type')).toBe('application/jwk-set+json')
    expect(await response.json()).toEqual({ keys: ['a'] })
  })

  test('answers with the response of its handler', async () => {
    const response = await app.request('/bytes')

    expect(response.status).toBe(206)
    expect(await response.text()).toBe('bytes')
  })

  test('passes its handler the parsed parameters and headers', async () => {
    await app.request('/tills/a%20b/floors/-2', { headers: { 'X-Mode': 'long' } })

    expect(received).toMatchObject({
      params: { id: 'a b', floor: -2 },
      headers: { 'x-mode': 'long' },
      caller: 'anyone',
    })
  })

  test.each([
    ['/tills', { page: 1, size: 20 }],
    ['/tills?page=3&size=100&name=a%20b', { page: 3, size: 100, name: 'a b' }],
    ['/tills?name=', { page: 1, size: 20, name: '' }],
  ])('passes its handler the query of %s', async (path, query) => {
    await app.request(path)

    expect(received).toMatchObject({ query })
  })

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=y'])(
    'reads a body of the type "%s"',
    async (type) => {
      expect((await send('PUT', '/tills', '{"name":"a"}', type)).status).toBe(201)
    },
  )
})

describe('a bound operation refuses with 422', () => {
  test.each([
    { what: 'a missing field', body: {}, path: 'name' },
    { what: 'a field of another type', body: { name: 1 }, path: 'name' },
    {
      what: 'a field in a list',
      body: { name: 'a', places: [{ shop: 'a' }, { shop: 1 }] },
      path: 'places[1].shop',
    },
    { what: 'an element of a list', body: { name: 'a', places: ['a'] }, path: 'places[0]' },
    { what: 'an unknown field', body: { name: 'a', colour: 'red' }, path: 'colour' },
    {
      what: 'an unknown field of an object',
      body: { name: 'a', printer: { model: 'a', ink: 1 } },
      path: 'printer.ink',
    },
    {
      what: 'an unknown field in a list',
      body: { name: 'a', places: [{ shop: 'a', row: 1 }] },
      path: 'places[0].row',
    },
    { what: 'a list for an object', body: [], path: '' },
    { what: 'null', body: null, path: '' },
    { what: 'a text', body: 'name', path: '' },
  ])('$what of a body, and names it', async ({ body, path }) => {
    const response = await json('PUT', '/tills', body)

    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      code: 'input-invalid',
      description: expect.stringContaining('Cannot accept the body: '),
      errors: [{ path, message: expect.stringMatching(/./) }],
    })
  })

  test('several fields at once, each by its name', async () => {
    const response = await json('PUT', '/tills', { places: 1, b: 1, c: 1 })
    const { errors } = await problemOf(response)

    expect(errors?.map(({ path }) => path)).toEqual(['name', 'places', 'b', 'c'])
  })

  test.each([
    ['/tills?page=0', 'page'],
    ['/tills?page=1.5', 'page'],
    ['/tills?page=x', 'page'],
    ['/tills?size=101', 'size'],
    ['/tills?sort=name', 'sort'],
    ['/tills?name=a&name=b', 'name'],
    ['/tills/a/floors/x', 'floor'],
  ])('%s, and names %s', async (path, field) => {
    const response = await app.request(path, { headers: { 'x-mode': 'short' } })
    const { code, errors } = await problemOf(response)

    expect(response.status).toBe(422)
    expect(code).toBe('input-invalid')
    expect(errors?.map((error) => error.path)).toEqual([field])
  })

  test('a header, and names it', async () => {
    const { errors } = await problemOf(await app.request('/tills/a/floors/1'))

    expect(errors?.map(({ path }) => path)).toEqual(['x-mode'])
  })
})

describe('a bound operation refuses with 400', () => {
  test.each([
    ['text that is no JSON', '{"password":"planted"'],
    ['an empty body', ''],
    ['more than one value', '{"name":"a"}{"name":"planted"}'],
  ])('%s, without repeating it', async (_, body) => {
    const response = await send('PUT', '/tills', body, 'application/json')
    const text = await response.text()

    expect(response.status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({
      code: 'body-malformed',
      description: 'Cannot read the body: it is not JSON',
    })
    expect(text).not.toContain('planted')
  })
})

describe('a bound operation refuses with 415', () => {
  test.each([
    ['a form', 'application/x-www-form-urlencoded'],
    ['plain text', 'text/plain'],
    ['another JSON', 'application/problem+json'],
    ['a type that begins alike', 'application/json5'],
  ])('%s', async (_, type) => {
    const response = await send('PUT', '/tills', '{"name":"a"}', type)

    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({
      code: 'content-type-unsupported',
      description: `Cannot read the body: its content type is "${type}", expected "application/json"`,
    })
  })

  test('a body without a type', async () => {
    const body = new TextEncoder().encode('{"name":"a"}')

    const response = await app.request('/tills', { method: 'PUT', body })

    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({
      description: 'Cannot read the body: it has no content type, expected "application/json"',
    })
  })
})

describe('the body', () => {
  /** A till as JSON of exactly this many bytes. */
  const tillOf = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`

  test.each([
    { how: 'with its length', send: sendWithLength },
    { how: 'in chunks', send: sendInChunks },
  ])('may have 1 MiB, and not a byte more, when it is sent $how', async ({ send: sendBody }) => {
    const most = await sendBody('/tills', 'PUT', 'application/json', tillOf(mebibyte))
    const more = await sendBody('/tills', 'PUT', 'application/json', tillOf(mebibyte + 1))

    expect(most.status).toBe(201)
    expect(more.status).toBe(413)
    expect(more.headers.get('content-type')).toBe(problemType)
    expect(await more.json()).toMatchObject({
      success: false,
      code: 'body-too-large',
      description: 'Cannot read the body: it is larger than 1048576 bytes',
    })
  })

  test('is not read before the caller is known', async () => {
    const response = await send('PUT', '/locked', 'no JSON', 'text/plain')

    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'token-refused' })
  })
})

describe('an operation that fails as OAuth does', () => {
  const form = 'application/x-www-form-urlencoded'

  test('reads a form', async () => {
    const response = await send('POST', '/token', 'user=a%20b+c&scope=', form)

    expect(await response.json()).toEqual({ user: 'a b c' })
    expect(received).toMatchObject({ body: { user: 'a b c', scope: '' } })
  })

  test.each([
    {
      what: 'a parameter that occurs twice',
      body: 'user=a&user=b',
      status: 400,
      error: 'invalid_request',
    },
    { what: 'a parameter that is missing', body: 'scope=a', status: 400, error: 'invalid_request' },
    {
      what: 'JSON',
      body: '{"user":"a"}',
      type: 'application/json',
      status: 415,
      error: 'invalid_request',
    },
    { what: 'refused credentials', body: 'user=nobody', status: 400, error: 'invalid_grant' },
    { what: 'an unknown client', body: 'user=stranger', status: 401, error: 'invalid_client' },
    {
      what: 'too many requests',
      body: 'user=hasty',
      status: 429,
      error: 'temporarily_unavailable',
    },
    {
      what: 'a problem without a word of OAuth',
      body: 'user=lost',
      status: 404,
      error: 'invalid_request',
    },
  ])('answers $what with the error code of OAuth', async ({ body, type = form, status, error }) => {
    const response = await send('POST', '/token', body, type)
    const answer: unknown = await response.json()

    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(answer).toEqual({ error, error_description: expect.stringMatching(/^Cannot /) })
  })

  test.each([
    { how: 'with its length', send: sendWithLength },
    { how: 'in chunks', send: sendInChunks },
  ])('refuses a body that is too large, when it is sent $how', async ({ send: sendBody }) => {
    const response = await sendBody('/token', 'POST', form, `user=${'x'.repeat(mebibyte)}`)

    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })
})

describe('createProblemResponse', () => {
  test('has all members, for legacy and new clients', async () => {
    const problem = new Problem('label-taken', 'Cannot create the label "till": it is taken', {
      choices: ['https://a.example'],
      headers: { 'x-extra': 'yes' },
    })
    const response = createProblemResponse(problem, requestId)

    expect(response.status).toBe(409)
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'no-store',
      'content-type': 'application/problem+json',
      'x-extra': 'yes',
    })
    expect(await response.json()).toEqual({
      success: false,
      code: 'label-taken',
      description: 'Cannot create the label "till": it is taken',
      type: 'urn:cardwire:problem:label-taken',
      title: 'The label ID already exists',
      status: 409,
      detail: 'Cannot create the label "till": it is taken',
      instance: `urn:uuid:${requestId}`,
      choices: ['https://a.example'],
    })
  })

  test.each([
    [0, '1'],
    [0.2, '1'],
    [1, '1'],
    [1.01, '2'],
    [900, '900'],
  ])('sends Retry-After in whole seconds: %s as %s', (retryAfterS, header) => {
    const problem = new Problem('too-many-requests', 'Cannot continue', { retryAfterS })

    expect(createProblemResponse(problem, requestId).headers.get('retry-after')).toBe(header)
  })
})

function served() {
  const { app, bind } = bound()
  bind(putTill, async (input) => {
    received = input
    return { created: input.body.name !== 'known', data: input.body }
  })
  bind(makeTill, async ({ body }) => ({ data: body }))
  bind(listTills, async (input) => {
    received = input
    return { data: [] }
  })
  bind(getFloor, async (input) => {
    received = input
    return { data: {} }
  })
  bind(getDocument, async () => ({ keys: ['a'] }))
  bind(getBytes, async () => new Response('bytes', { status: 206 }))
  bind(logIn, async (input) => {
    received = input
    const { user } = input.body
    if (user === 'nobody') throw new Problem('grant-refused', 'Cannot sign in: refused')
    if (user === 'stranger') throw new Problem('client-refused', 'Cannot sign in: unknown client')
    if (user === 'hasty') throw new Problem('too-many-requests', 'Cannot sign in: too often')
    if (user === 'lost') throw new Problem('label-unknown', 'Cannot find the label')
    return { user }
  })
  bind(locked, async ({ body }) => ({ created: true, data: body }))
  return app
}

function bound() {
  const app = new Hono<{ Variables: { operation: Operation; caller: string } }>()
  app.onError((error, context) => {
    if (error instanceof Problem)
      return createProblemResponse(error, requestId, context.get('operation'))
    throw error
  })
  const bind = createBinder(app, async ({ access }) => {
    if (access !== 'anyone') throw new Problem('token-refused', 'Cannot tell who asks')
    return 'anyone'
  })
  return { app, bind }
}

async function send(method: string, path: string, body: string, type: string): Promise<Response> {
  return app.request(path, { method, body, headers: { 'content-type': type } })
}

const json = (method: string, path: string, body: unknown) =>
  send(method, path, JSON.stringify(body), 'application/json')

async function sendWithLength(
  path: string,
  method: string,
  type: string,
  body: string,
): Promise<Response> {
  const headers = { 'content-type': type, 'content-length': String(body.length) }
  return app.request(path, { method, body, headers })
}

async function sendInChunks(
  path: string,
  method: string,
  type: string,
  body: string,
): Promise<Response> {
  const parts = body.match(/.{1,100000}/gs) ?? []
  const stream = ReadableStream.from(parts.map((part) => new TextEncoder().encode(part)))
  const headers = { 'content-type': type, 'transfer-encoding': 'chunked' }
  return app.request(
    new Request(`http://ds.example${path}`, { method, headers, body: stream, duplex: 'half' }),
  )
}

async function problemOf(
  response: Response,
): Promise<{ code: string; errors?: { path: string }[] }> {
  return response.json() as Promise<{ code: string; errors?: { path: string }[] }>
}
