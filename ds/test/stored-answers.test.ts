/** Answers that caches between keep: none but those that say so. */
import { dsOperations } from '@cardwire/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administrator, passwordGrant, tokenPath } from '../../test/bed/administrator.ts'
import { proves } from '../../test/bed/proves.ts'
import { fillPath } from '../../test/bed/service-access.ts'
import type { ServiceRequestOptions } from '../../test/bed/service-request.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let ds: InProcess
beforeAll(async () => {
  ds = await startInProcess()
})
afterAll(() => ds.stop())

/** The public keys of tokens. */
const isPublic = (path: string) => path.includes('jwks')

const readRule = async (method: string, path: string, options?: ServiceRequestOptions) =>
  (await ds.request(method, path, options)).headers.get('cache-control')

test('a refusal of any operation, and of a path that is none, is stored by no cache', async () => {
  proves('answer-stored')
  const operations = [...dsOperations, { method: 'GET', path: '/nowhere' }]
  for (const { method, path } of operations.filter(({ path }) => !isPublic(path))) {
    const rule = await readRule(method, fillPath(path))
    expect([method, path, rule]).toEqual([
      method,
      path,
      expect.stringMatching(/^no-(store|cache)$/),
    ])
  }
})

test('an answer with a secret is stored by no cache', async () => {
  proves('answer-stored')
  const token = await ds.login()
  const { password } = administrator
  const version = { id: '4.0.0', recommended: false, mandatory: false, allowed: true, uris: [] }
  const answers = [
    ['POST', tokenPath, { form: passwordGrant }],
    ['PUT', '/v3/versions', { token, body: version }],
    ['POST', '/v3/administrators', { token, body: { name: 'other', role: 'viewer' } }],
    ['PUT', '/v3/account/second-factor', { token, body: { password } }],
  ] as const
  for (const [method, path, options] of answers) {
    const { status, headers } = await ds.request(method, path, options)
    expect([path, status < 300, headers.get('cache-control')]).toEqual([path, true, 'no-store'])
  }
})
