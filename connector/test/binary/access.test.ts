/** Every operation of the compiled API and of its registry, asked by callers that may not call it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Connector, startConnector } from '../../../test/bed/connector.ts'
import {
  type ConnectorAccess,
  connectorAccess,
  registryAccess,
  unsupportedAccess,
} from '../../../test/bed/connector-access.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { requestHttps } from '../../../test/bed/https-client.ts'
import { asPage, giveConsent } from '../../../test/bed/page.ts'
import { proves } from '../../../test/bed/proves.ts'
import { fillPath } from '../../../test/bed/service-access.ts'
import { createTokenSigner, type TokenSigner } from '../../../test/bed/token-signer.ts'

const consented = 'https://consented.pages.example'
const listed = 'https://listed.pages.example'

let folder: string
let display: Display
let signer: TokenSigner
let connector: Connector
let registryPort: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-access-'))
  display = await startDisplay()
  signer = await createTokenSigner(folder)
  registryPort = await findFreePort()
  connector = await startConnector({
    ...display.settings,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWKS: signer.jwks,
    CARDWIRE_REGISTRY_PORT: String(registryPort),
  })
  await connector.waitForOutput(/registry found/)
  await giveConsent(display.copy, (path, body) => connector.request(path, asPage(consented, body)))
})
afterAll(async () => {
  await connector?.stop()
  await display?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

interface Caller {
  readonly origin?: string
  readonly token: string | null
}
type Operation = readonly [method: string, path: string, ...unknown[]]

/** `query` and `body` are wrong unless given: who may call gets a problem of the input, and nothing is changed. */
async function ask(
  port: number,
  [method, path]: Operation,
  { origin, token }: Caller,
  { query = '?timeout=0&after=x', body = '{' } = {},
) {
  // Node sends a DELETE with a body without its length.
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const headers = {
    ...(origin !== undefined && { origin, 'sec-fetch-site': 'cross-site' }),
    ...(hasBody && { 'content-type': 'application/json' }),
  }
  const target = fillPath(path) + (method === 'GET' ? query : '')
  const options = { method, token, headers, ...(hasBody && { body }) }
  const { status, json, text } = await requestHttps(port, connector.ca, target, options)
  return { name: `${method} ${path}`, status, code: json?.code, text }
}

const guarded = [...connectorAccess, ...unsupportedAccess].filter(([, , to]) => to !== 'anyone')
const codes = { token: [401, '104025'], consent: [403, '814501'], page: [403, '104005'] } as const

/** Asks everything that needs what `refusals` has, and expects these. */
async function expectRefusals(
  caller: Caller,
  refusals: Readonly<Partial<Record<ConnectorAccess, readonly [number, string]>>>,
  port = connector.port,
): Promise<void> {
  const rows = guarded.filter(([, , access]) => refusals[access] !== undefined)
  expect(rows.length).toBeGreaterThan(5)
  const answers = []
  for (const row of rows) {
    const { name, status, code } = await ask(port, row, caller)
    const [expectedStatus, expectedCode] = refusals[row[2]] ?? []
    if (status !== expectedStatus || code !== expectedCode) answers.push([name, status, code])
  }
  expect(answers).toEqual([])
}
const everywhere = (consent: readonly [number, string], management: readonly [number, string]) => ({
  consent,
  'grant raw': consent,
  'grant print': consent,
  management,
})

describe('every operation of the API that is not for anyone', () => {
  test.each([
    ['no token', () => null],
    ['an expired token', () => signer.token(-60)],
    ['a token of another kind', () => signer.token(600, 0, {}, { typ: 'at+jwt' })],
  ])('refuses a program with %s', async (_, createToken) => {
    proves('api-needs-jwt', 'expired-jwt-refused', 'management-called')
    await expectRefusals({ token: createToken() }, everywhere(codes.token, codes.token))
  })

  test('refuses a page with a token and without consent', async () => {
    proves('api-needs-consent', 'page-without-consent', 'management-called')
    const caller = { origin: listed, token: signer.token() }
    await expectRefusals(caller, everywhere(codes.consent, codes.page))
  })

  test.each([
    ['no token', () => null],
    ['the management token', () => connector.token],
  ])('refuses a page with consent and %s', async (_, readToken) => {
    proves('api-needs-jwt', 'management-called')
    const caller = { origin: consented, token: readToken() }
    await expectRefusals(caller, everywhere(codes.token, codes.page))
  })

  test('refuses a program without token and a page without consent where pages need no token', async () => {
    proves('api-needs-jwt', 'api-needs-consent', 'page-without-consent')
    const open = await startConnector({ CARDWIRE_JWT: 'off', CARDWIRE_CORS: listed })
    const at = open.port
    try {
      await expectRefusals({ token: null }, everywhere(codes.token, codes.token), at)
      const page = { origin: listed, token: null }
      await expectRefusals(page, everywhere(codes.consent, codes.page), at)
    } finally {
      await open.stop()
    }
  })
})

test('management refuses a program with an application token', async () => {
  proves('management-called', 'connector-ended')
  await expectRefusals({ token: signer.token() }, { management: codes.token })
})

/** Right for each of these operations. */
const body = JSON.stringify({
  ...{ sessionId: 'x', command: '00A40000', commands: ['00A40000'], data: 'A0000000' },
  ...{ apdu: { cla: 0, ins: 164, p1: 0, p2: 0 }, apdus: [], name: 'x', job: 'x' },
})

test('a page with token and consent gets a grant-missing of what needs a grant', async () => {
  proves('raw-commands-misused', 'printers-listed')
  const rows = connectorAccess.filter(([, , access]) => access.startsWith('grant'))
  const caller = { origin: consented, token: signer.token() }
  for (const row of rows) {
    const answer = await ask(connector.port, row, caller, { query: '', body })
    expect(answer).toMatchObject({ name: `${row[0]} ${row[1]}`, status: 403, code: '104007' })
    expect(answer.text).toContain(row[2].replace(/grant (\w+)/, '\\"allow\\":[\\"$1\\"]'))
  }
})

test.each([
  ['a page with token and consent', consented],
  ['a program with a token', undefined],
])('%s is not refused by what needs no more', async (_, origin) => {
  const rows = connectorAccess.filter(([, , access]) => access === 'consent')
  const refused = []
  for (const row of rows) {
    const caller = { ...(origin !== undefined && { origin }), token: signer.token() }
    const answer = await ask(connector.port, row, caller)
    if ([401, 403].includes(answer.status)) refused.push(answer)
  }
  expect(refused).toEqual([])
})

describe('registry', () => {
  const page = { origin: listed, token: null }

  test('answers pages without token, and refuses them what is for agents', async () => {
    proves('page-as-agent')
    const refused = []
    for (const row of registryAccess) {
      const { name, status, code } = await ask(registryPort, row, page)
      if (code === '104005') refused.push([name, status])
    }
    const agents = registryAccess.filter(([, , access]) => access === 'agents')
    expect(refused).toEqual(agents.map(([method, path]) => [`${method} ${path}`, 403]))
  })

  test('has no operation but these', async () => {
    proves('page-without-consent')
    const answered = []
    const known = new Set(registryAccess.map(([method, path]) => `${method} ${path}`))
    for (const [method, path] of [...connectorAccess, ...unsupportedAccess]) {
      if (known.has(`${method} ${path}`)) continue
      const { name, status, code } = await ask(registryPort, [method, path], page)
      if (status !== 404 || code !== '112999') answered.push([name, status, code])
    }
    expect(answered).toEqual([])
  })
})
