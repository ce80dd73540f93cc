/** Two users on one machine with the registry as its service: each finds their own connector, and never the other's. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCodeWord } from '../../../../test/bed/page.ts'
import { proves } from '../../../../test/bed/proves.ts'
import type { Json } from '../../../../test/bed/service-request.ts'
import { waitForEnd } from '../../../../test/bed/wait-for.ts'
import { openPage, type PageInBrowser } from './browser.ts'
import { createSharedMachine, type MachineUser, type SharedMachine, startMs } from './machine.ts'
import { openShop, readAgent, type Shop } from './shop.ts'

interface Visitor extends MachineUser {
  readonly page: PageInBrowser
  /** The consent that the page stores. */
  readonly consent: string
}

const atr = '3B9813400AA503010101AD1311'
let shop: Shop
let machine: SharedMachine
let ada: Visitor
let bob: Visitor
let token: string

beforeAll(async () => {
  shop = await openShop()
  machine = await createSharedMachine(shop.origin)
  await machine.startService()
  token = await machine.token()
  ada = await createVisitor()
  bob = await createVisitor()
}, 3 * startMs)
afterAll(async () => {
  for (const visitor of [ada, bob]) await visitor?.page.close()
  await machine?.close()
  shop?.close()
}, startMs)

async function createVisitor(): Promise<Visitor> {
  const user = await machine.createUser()
  await user.connector.waitForOutput(/registry found {2}scope=service/)
  const installing = machine.run(user.account, ['certs', 'install'])
  expect(await waitForEnd(installing.child)).toBe(0)
  const page = await openPage(user, shop.origin)
  return { ...user, page, consent: await getConsent(page) }
}

/** Gets consent as pages do: `/info`, the code word on the clipboard, the consent. */
async function getConsent(page: PageInBrowser): Promise<string> {
  const info: Json = await page.fetch(machine.registryPort, '/info')
  expect(info.json.t1CInfoAPI.service.deviceType).toBe('PROXY')
  const codeWord = createCodeWord()
  await page.copy(codeWord)
  const { json }: Json = await page.fetch(machine.registryPort, '/v3/consent', {
    body: { codeWord },
  })
  expect(json.data.consentState).toBe('APPROVED')
  return json.data.consent
}

/** Sends a request to the registry as this user's page. */
const requestAsPage = ({ page }: Visitor, path: string, body?: unknown): Promise<Json> =>
  page.fetch(machine.registryPort, path, { body })

const both = (act: (visitor: Visitor, other: Visitor) => Promise<void>) => async () => {
  await act(ada, bob)
  await act(bob, ada)
}

describe('with the registry service', () => {
  test(
    'each user gets their own port, by the clipboard of their own desktop, over connections that the browser trusts',
    both(async (visitor) => {
      proves('own-connector-reached')
      const { apiPort, username } = readAgent(visitor.consent)
      expect([apiPort, username]).toEqual([String(await visitor.port()), visitor.account.name])
      const info = await visitor.page.fetch(Number(apiPort), '/info', { token })
      expect(info).toMatchObject({
        json: { t1CInfoAPI: { service: { deviceType: 'API' }, registry: { state: 'linked' } } },
      })
    }),
  )

  test('each user sees their own readers', async () => {
    await writeFile(join(ada.account.home, 'card'), atr)
    for (const [visitor, cards] of [
      [ada, 1],
      [bob, 0],
    ] as const) {
      const readers = async () => {
        const response: Json = await visitor.page.fetch(await visitor.port(), '/v3/readers', {
          token,
        })
        return response.json.data.filter(({ card }: Json) => card)
      }
      await expect.poll(readers).toHaveLength(cards)
    }
  })

  test(
    'comes back with the consent, and needs no new code word',
    both(async (visitor) => {
      const consents = [visitor.consent]
      const { json } = await requestAsPage(visitor, '/v3/validate', { consents })
      expect(json.data.consentState).toBe('APPROVED')
      expect(readAgent(json.data.consent).apiPort).toBe(String(await visitor.port()))
      const own = [{ apiPort: String(await visitor.port()), username: visitor.account.name }]
      expect((await requestAsPage(visitor, '/v3/agents')).json.data).toMatchObject(own)
      expect((await requestAsPage(visitor, '/consent')).json.data).toEqual({
        apiPort: own[0]?.apiPort,
      })
    }),
  )

  test(
    'with the consent of the other user gets REQUIRED, from the registry and from their own connector',
    both(async (visitor, other) => {
      proves('consent-bound-to-user', 'other-account-registry')
      const body = { consents: [other.consent] }
      const required = { status: 200, json: { data: { consentState: 'REQUIRED' } } }
      expect(await requestAsPage(visitor, '/v3/validate', body)).toMatchObject(required)
      const own = await visitor.page.fetch(await visitor.port(), '/v3/validate', { body })
      expect(own).toMatchObject(required)
      expect((await requestAsPage(other, '/v3/validate', body)).json.data.consentState).toBe(
        'APPROVED',
      )
    }),
  )

  test(
    'with the code word of the other user gets REQUIRED',
    both(async (visitor, other) => {
      proves('other-account-registry')
      const codeWord = createCodeWord()
      await other.page.copy(codeWord)
      const { json } = await requestAsPage(visitor, '/v3/consent', { codeWord })
      expect(json.data).toEqual({ consentState: 'REQUIRED' })
      const theirs = await requestAsPage(other, '/v3/consent', { codeWord })
      expect(theirs.json.data.consentState).toBe('APPROVED')
    }),
  )

  test(
    'browser does not trust the connector of the other user',
    both(async (visitor, other) => {
      proves('other-connector-answers')
      const response = await visitor.page.fetch(await other.port(), '/info', { token })
      expect(response).toEqual({ failed: 'TypeError: Failed to fetch' })
    }),
  )
})
