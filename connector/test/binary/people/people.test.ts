/** Two people on one machine with the registry as its service: each finds the own connector, and never the other's. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { openPage, type PageInBrowser } from './browser.ts'
import { type Machine, newMachine, type Person, said, startMs } from './machine.ts'
import { agentIn, newWord, openShop, type Shop } from './shop.ts'

interface Visitor extends Person {
  readonly page: PageInBrowser
  /** What the page keeps once it is let in. */
  readonly consent: string
}

const atr = '3B9813400AA503010101AD1311'
let shop: Shop
let machine: Machine
let ada: Visitor
let bob: Visitor
let token: string

beforeAll(async () => {
  shop = await openShop()
  machine = await newMachine(shop.origin)
  await machine.startService()
  token = await machine.token()
  ada = await newVisitor()
  bob = await newVisitor()
}, 3 * startMs)
afterAll(async () => {
  for (const visitor of [ada, bob]) await visitor?.page.close()
  await machine?.close()
  shop?.close()
}, startMs)

async function newVisitor(): Promise<Visitor> {
  const person = await machine.newPerson()
  await said(person.connector.output, 'registry found  whose=service')
  const installing = machine.run(person.account, ['certs', 'install'])
  const [status] = await once(installing.child, 'exit')
  expect(status).toBe(0)
  const page = await openPage(machine, person, shop.origin)
  return { ...person, page, consent: await letIn(page) }
}

/** As pages do: `/info`, the word on the clipboard, the consent. */
async function letIn(page: PageInBrowser): Promise<string> {
  const info: Json = await page.fetch(machine.registryPort, '/info')
  expect(info.json.t1CInfoAPI.service.deviceType).toBe('PROXY')
  const codeWord = newWord()
  await page.copy(codeWord)
  const { json }: Json = await page.fetch(machine.registryPort, '/v3/consent', {
    body: { codeWord },
  })
  expect(json.data.consentState).toBe('APPROVED')
  return json.data.consent
}

/** What the registry answers this person's page. */
const ask = ({ page }: Visitor, path: string, body?: unknown): Promise<Json> =>
  page.fetch(machine.registryPort, path, { body })

const both = (act: (visitor: Visitor, other: Visitor) => Promise<void>) => async () => {
  await act(ada, bob)
  await act(bob, ada)
}

describe('with the registry service', () => {
  test(
    'each gets the own port, by the clipboard of the own desktop, over connections that the browser trusts',
    both(async (visitor) => {
      const { apiPort, username } = agentIn(visitor.consent)
      expect([apiPort, username]).toEqual([String(await visitor.port()), visitor.account.name])
      const info = await visitor.page.fetch(Number(apiPort), '/info', { token })
      expect(info).toMatchObject({
        json: { t1CInfoAPI: { service: { deviceType: 'API' }, registry: { state: 'linked' } } },
      })
    }),
  )

  test('each sees the own readers', async () => {
    await writeFile(join(ada.account.home, 'card'), atr)
    for (const [visitor, cards] of [
      [ada, 1],
      [bob, 0],
    ] as const) {
      const readers = async () => {
        const told: Json = await visitor.page.fetch(await visitor.port(), '/v3/readers', { token })
        return told.json.data.filter(({ card }: Json) => card)
      }
      await expect.poll(readers, { timeout: 10_000 }).toHaveLength(cards)
    }
  })

  test(
    'comes back with the consent, and needs no word again',
    both(async (visitor) => {
      const consents = [visitor.consent]
      const { json } = await ask(visitor, '/v3/validate', { consents })
      expect(json.data.consentState).toBe('APPROVED')
      expect(agentIn(json.data.consent).apiPort).toBe(String(await visitor.port()))
      const own = [{ apiPort: String(await visitor.port()), username: visitor.account.name }]
      expect((await ask(visitor, '/v3/agents')).json.data).toMatchObject(own)
      expect((await ask(visitor, '/consent')).json.data).toEqual({ apiPort: own[0]?.apiPort })
    }),
  )

  test(
    'with the consent of the other gets REQUIRED, from the registry and from the own connector',
    both(async (visitor, other) => {
      const body = { consents: [other.consent] }
      const required = { status: 200, json: { data: { consentState: 'REQUIRED' } } }
      expect(await ask(visitor, '/v3/validate', body)).toMatchObject(required)
      const own = await visitor.page.fetch(await visitor.port(), '/v3/validate', { body })
      expect(own).toMatchObject(required)
      expect((await ask(other, '/v3/validate', body)).json.data.consentState).toBe('APPROVED')
    }),
  )

  test(
    'with the word of the other gets REQUIRED',
    both(async (visitor, other) => {
      const codeWord = newWord()
      await other.page.copy(codeWord)
      const { json } = await ask(visitor, '/v3/consent', { codeWord })
      expect(json.data).toEqual({ consentState: 'REQUIRED' })
      const theirs = await ask(other, '/v3/consent', { codeWord })
      expect(theirs.json.data.consentState).toBe('APPROVED')
    }),
  )

  test(
    'browser does not trust the connector of the other',
    both(async (visitor, other) => {
      const told = await visitor.page.fetch(await other.port(), '/info', { token })
      expect(told).toEqual({ failed: 'TypeError: Failed to fetch' })
    }),
  )
})
