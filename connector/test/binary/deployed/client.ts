/** A legacy client library as the wire shows it: its requests, their order and retries, and what it makes of the answers. */

import { createPublicKey, type KeyObject, randomBytes, verify } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Json } from '../../../../test/bed/service-request.ts'
import type { Generation } from './generations.ts'
import { NetworkError, type Page, type Received, type Sent } from './page.ts'

export interface Configuration {
  readonly registryPort: number
  readonly jwt?: string
  readonly applicationDomain?: string
}

/** What a promise of the library is rejected with. */
export class Rejected extends Error {
  readonly code: unknown

  constructor(code: unknown, description: unknown) {
    super(String(description))
    this.code = code
  }
}

/** The library would wait for ever: the answer has a form that it does not get over. */
export class NeverSettles extends Error {}

type Parts = Partial<Pick<Sent, 'body' | 'headers'>>

export interface DeployedClient {
  /** Where it sends its requests now. */
  port(): number
  codeWord(): string
  initialize(): Promise<void>
  getImplicitConsent(codeWord: string, days?: number): Promise<void>
  /** Any other call; resolves with its data. */
  get(path: string): Promise<Json>
  request(method: Sent['method'], path: string, parts?: Parts): Promise<Json>
  /** What PINs are encrypted to. */
  deviceKey(): KeyObject | undefined
}

export function deployedClient(
  page: Page,
  generation: Generation,
  { registryPort, jwt, applicationDomain }: Configuration,
): DeployedClient {
  let port = registryPort
  let key: KeyObject | undefined
  let serverVersion = ''

  const headers = (body: boolean): Record<string, string> => ({
    accept: 'application/json, text/plain, */*',
    'accept-language': 'en-US',
    'x-csrf-token': 't1c-js',
    ...(generation.billingTag &&
      applicationDomain !== undefined && { 'x-t1c-billing-tag': applicationDomain }),
    ...(generation.authorization === 'always' && { authorization: 'Bearer ' }),
    ...(jwt !== undefined && { authorization: `Bearer ${jwt}` }),
    ...(body && { 'content-type': generation.contentType }),
  })

  async function send(
    method: Sent['method'],
    path: string,
    body?: unknown,
    more: Parts['headers'] = {},
  ): Promise<Json> {
    const timed = ['/info', '/device-key'].includes(path) ? generation.infoTimeoutMs : undefined
    let answer: Received
    try {
      answer = await page.send({
        method,
        port,
        path: encodeURI(path),
        headers: { ...headers(body !== undefined), ...more },
        ...(body !== undefined && { body }),
        ...(timed !== undefined && { timeoutMs: timed }),
      })
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      throw new Rejected(generation.hangsOnEmptyErrors ? '112999' : '000000', error.message)
    }
    if (answer.status >= 200 && answer.status < 300) return verified(answer.json)
    throw rejection(answer)
  }

  function verified(body: Json): Json {
    if (!generation.signatures || !body?.signature || key === undefined) return body
    const text = Buffer.from(JSON.stringify(body.data))
    if (!verify('sha256', text, key, Buffer.from(body.signature, 'base64'))) {
      throw new Rejected('904300', 'The signature of the answer is wrong')
    }
    return body
  }

  function rejection({ status, json }: Received): Error {
    if (typeof json !== 'object' || json === null) {
      if (generation.hangsOnEmptyErrors) return new NeverSettles(`${status} without a JSON body`)
      return new Rejected('000000', 'Unknown error')
    }
    if (status === 401 && generation.unauthorized !== 'body') {
      return new Rejected(generation.unauthorized, 'Unauthorized')
    }
    if (status === 404 && generation.notFound !== 'body') {
      return new Rejected(generation.notFound, 'Functionality not found')
    }
    return new Rejected(json.code, json.description)
  }

  async function fetchKey(): Promise<void> {
    try {
      const { data } = await send('GET', '/device-key')
      key = data === null ? undefined : createPublicKey(data)
    } catch (error) {
      if (error instanceof NeverSettles) throw error
      key = undefined
    }
  }

  async function info(): Promise<Json> {
    try {
      const body = await send('GET', '/info')
      const read = generation.info === 'data' && body?.data ? body.data : body
      if (read?.t1CInfoAPI?.service === undefined) {
        throw new NeverSettles('/info without a service where this version looks for it')
      }
      return read
    } catch (error) {
      if (error instanceof NeverSettles) throw error
      throw new Rejected('112999', 'Cannot reach the connector')
    }
  }

  const storageKey = () => `t1c-consent-${applicationDomain}::https://localhost:${port}`
  const needed = (description: string) => new Rejected(generation.consentNeeded, description)

  function keep(consents: unknown): void {
    if (consents !== undefined && consents !== null)
      page.storage.set(storageKey(), JSON.stringify(consents))
  }

  async function use(consent: unknown): Promise<void> {
    const decoded = decode(consent)
    if (decoded === undefined) throw needed('The consent cannot be read')
    port = Number(decoded.agent.apiPort)
    await fetchKey()
  }

  /** What the answer to a list says, as versions from 3.5.3 on read it. */
  async function take(answer: Json): Promise<void> {
    const { data } = answer ?? {}
    if (data === undefined || data === null) throw new NeverSettles('success without data')
    keep(data.consents)
    if (data.consentState !== 'APPROVED') throw needed(`The state is ${data.consentState}`)
    await use(data.consent)
  }

  async function tried<T>(act: () => Promise<T>, pauseMs: number): Promise<T> {
    for (let left = generation.tries; ; left -= 1) {
      try {
        return await act()
      } catch (error) {
        const over = left <= 1 || generation.tries === 1
        if (!(error instanceof Rejected)) throw error
        if (over) throw generation.tries === 1 ? error : needed('Invalid consent')
        await pause(pauseMs)
      }
    }
  }

  async function validate(stored: string): Promise<void> {
    if (generation.consent === 'string') {
      const { data } = await send('POST', '/v3/validate', { data: stored })
      page.storage.set(storageKey(), data)
      return use(data)
    }
    const consents = JSON.parse(stored)
    return take(await tried(() => send('POST', '/v3/validate', { consents }), generation.pauseMs))
  }

  return {
    port: () => port,

    codeWord() {
      const word = randomBytes(16).toString('hex')
      return generation.version < '3.5.5' ? `t1c::${word}` : `::t1c::miksa::${word}`
    },

    async initialize() {
      if (!generation.keepsPort) port = registryPort
      if (generation.registryKey === 'before-info') void fetchKey()
      let infoBody = await info()
      if (generation.registryKey === 'after-info') void fetchKey()
      if (generation.infoRequests === 2) infoBody = await info()
      serverVersion = infoBody.t1CInfoAPI.version
      if (infoBody.t1CInfoAPI.service.deviceType !== 'PROXY') return fetchKey()
      if (generation.consent === 'cookie') {
        const { data } = await send('GET', '/consent')
        port = Number(data.apiPort)
        return fetchKey()
      }
      const stored = page.storage.get(storageKey())
      if (stored === undefined) throw needed('No consent is stored')
      try {
        await validate(stored)
      } catch (error) {
        throw error instanceof Rejected ? needed(error.message) : error
      }
    },

    async getImplicitConsent(codeWord, days = 365) {
      if (generation.consent === 'cookie') {
        const path = `/agents/consent/${codeWord}?ttl=${days * 86_400}`
        const { data } = await send('GET', path)
        port = Number(data.apiPort)
        return fetchKey()
      }
      // Every version from 3.5 on compares the version of the server before it asks.
      if (!/^\d+\.\d+\.\d+/.test(serverVersion)) throw new TypeError('Invalid Version')
      const body = { codeWord, durationInDays: days }
      if (generation.consent === 'string') {
        const { data } = await send('POST', '/v3/consent', body)
        if (typeof data !== 'string') throw new NeverSettles('a list where a string is expected')
        page.storage.set(storageKey(), data)
        return use(data)
      }
      const stored = page.storage.get(storageKey())
      const consents = stored === undefined ? null : JSON.parse(stored)
      const held = consents === null && generation.noConsents === 'omitted' ? {} : { consents }
      await take(await tried(() => send('POST', '/v3/consent', { ...body, ...held }), 0))
    },

    get: async (path) => (await send('GET', path)).data,
    request: async (method, path, { body, headers: more } = {}) =>
      (await send(method, path, body, more)).data,
    deviceKey: () => key,
  }
}

function decode(consent: unknown): Json | undefined {
  // Not URL-safe base64: the library cannot read that.
  if (typeof consent !== 'string' || !/^[A-Za-z0-9+/]+=*$/.test(consent)) return undefined
  try {
    const decoded = JSON.parse(Buffer.from(consent, 'base64').toString())
    return decoded?.agent?.apiPort === undefined ? undefined : decoded
  } catch {
    return undefined
  }
}
