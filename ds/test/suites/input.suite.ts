/** Bad input: a clear answer with a body, and nothing stored. */
import { expect, test } from 'vitest'
import { tokenPath } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { getData } from '../harness/arrange.ts'

export function inputSuite(service: () => DistributionService): void {
  const put = async (body: string, contentType = 'application/json') =>
    service().request('PUT', '/v3/organizations', {
      token: await service().login(),
      headers: { 'content-type': contentType },
      body,
    })

  test.each([
    ['text that is not JSON', '{"name":', 'application/json', 400, 'body-malformed'],
    ['an empty body', '', 'application/json', 400, 'body-malformed'],
    ['plain text', '{"name":"x"}', 'text/plain', 415, 'content-type-unsupported'],
    ['a form', 'name=x', 'application/x-www-form-urlencoded', 415, 'content-type-unsupported'],
    ['a list', '[]', 'application/json', 422, 'input-invalid'],
    ['null', 'null', 'application/json', 422, 'input-invalid'],
    ['a number for a name', '{"name":7}', 'application/json', 422, 'input-invalid'],
    [
      'an unknown field',
      '{"name":"Never Stored","nmae":"x"}',
      'application/json',
      422,
      'input-invalid',
    ],
    [
      'a body over 1 MiB',
      `{"name":"${'x'.repeat(1024 * 1024)}"}`,
      'application/json',
      413,
      'body-too-large',
    ],
  ])('PUT refuses %s', async (_, body, contentType, status, code) => {
    proves('management-json', 'many-clients')
    const answer = await put(body, contentType)
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ success: false, code, status })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    if (code === 'input-invalid')
      expect(answer.json.errors[0]).toEqual({
        path: expect.any(String),
        message: expect.any(String),
      })
  })

  test('PUT refuses a body over 1 MiB without a Content-Length', async () => {
    proves('management-json', 'many-clients')
    const chunk = new TextEncoder().encode('x'.repeat(64 * 1024))
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        // 64 KiB too many: workerd closes the connection of a client that has more to send.
        if (sent > 17) controller.close()
        else controller.enqueue(chunk)
      },
    })
    const token = await service().login()
    const response = await fetch(new URL('/v3/organizations', service().url), {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 'body-too-large' })
  })

  test.each([
    ['with a Content-Length', (text: string) => text],
    ['without a Content-Length', (text: string) => new Blob([text]).stream()],
  ])('login refuses a form over 16 KiB %s', async (_, send) => {
    proves('large-sign-in-form')
    const fields = Array.from({ length: 3000 }, (_, n) => `field${n}=`).join('&')
    const response = await fetch(`${service().url}${tokenPath}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: send(fields),
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
  })

  test('login accepts a name and a password of the greatest length', async () => {
    const { status, json } = await service().request('POST', tokenPath, {
      form: {
        client_id: 'cardwire',
        grant_type: 'password',
        username: '𝄞'.repeat(100),
        password: '字'.repeat(1024),
      },
    })
    expect([status, json.error]).toEqual([400, 'invalid_grant'])
  })

  test('PUT stores nothing of a refused request', async () => {
    const token = await service().login()
    await put('{"name":"Never Stored","nmae":"x"}')
    const list = getData(await service().request('GET', '/v3/organizations?name=never', { token }))
    expect(list.total).toBe(0)
  })

  test('content type is accepted with parameters and in any case', async () => {
    const answer = await put('{"name":"Charset Company"}', 'Application/JSON;charset=UTF-8')
    expect([200, 201]).toContain(answer.status)
  })

  test.each([
    ['DELETE', '/v3/labels', 'GET, HEAD, PUT'],
    ['POST', '/v3/labels/shop', 'PATCH, GET, HEAD, DELETE'],
    ['GET', '/v3/labels/shop/key', 'POST, DELETE'],
    ['POST', '/v3/tokens/application', 'GET, HEAD'],
    ['PUT', '/v3/downloads/installers/unix/versions/1.0.0', 'GET, HEAD'],
    ['POST', '/health', 'GET, HEAD'],
    ['DELETE', '/docs', 'GET, HEAD'],
    ['OPTIONS', '/v3/organizations', 'PUT, GET, HEAD'],
  ])(
    '%s %s is a method that the path does not have: the response lists the allowed ones',
    async (method, path, methods) => {
      const answer = await service().request(method, path)
      expect(answer.status).toBe(405)
      const allow = answer.headers.get('allow')?.split(', ') ?? []
      expect(allow.toSorted()).toEqual(methods.split(', ').toSorted())
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(answer.json).toMatchObject({
        success: false,
        code: 'method-not-allowed',
        description: expect.stringContaining(`Cannot ${method} "${path}"`),
      })
    },
  )

  test('HEAD of a path without GET is refused with the allowed methods', async () => {
    const answer = await service().request('HEAD', '/v3/labels/shop/key')
    expect([answer.status, answer.text]).toEqual([405, ''])
    expect(answer.headers.get('allow')).toBe('POST, DELETE')
  })
}
