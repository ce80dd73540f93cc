/** Two people on one machine without the service: the first has the port, the second is told why not, and what to do. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage, type PageInBrowser } from './browser.ts'
import { type Machine, newMachine, type Person, said, startMs } from './machine.ts'
import { agentIn, newWord, openShop, type Shop } from './shop.ts'

const found = { timeout: 40_000, interval: 200 }
let shop: Shop
let machine: Machine
let ada: Person
let bob: Person

beforeAll(async () => {
  shop = await openShop()
  machine = await newMachine(shop.origin)
  ada = await machine.newPerson()
  await said(ada.connector.output, 'registry found  whose=user')
  bob = await machine.newPerson()
}, 3 * startMs)
afterAll(async () => {
  await machine?.close()
  shop?.close()
}, startMs)

/** A browser that believes what this person's `cardwire certs install` tells it. */
async function visit(person: Person): Promise<PageInBrowser> {
  await once(machine.run(person.account, ['certs', 'install']).child, 'exit')
  return openPage(machine, person, shop.origin)
}

async function port(page: PageInBrowser): Promise<string> {
  const codeWord = newWord()
  await page.copy(codeWord)
  const told = await page.fetch(machine.registryPort, '/v3/consent', { body: { codeWord } })
  if ('failed' in told) return told.failed
  return told.json.data.consent ? agentIn(told.json.data.consent).apiPort : 'REQUIRED'
}

/** What this person's connector says of the registry in its `/info`. */
async function registryOf(person: Person, page: PageInBrowser) {
  const token = await machine.token()
  const codeWord = newWord()
  await page.copy(codeWord)
  const at = await person.port()
  await page.fetch(at, '/v3/consent', { body: { codeWord } })
  const told = await page.fetch(at, '/info', { token })
  return 'failed' in told ? told.failed : told.json.data.t1CInfoAPI.registry
}

function doctor({ account }: Person): string {
  const { uid, gid, home } = account
  const { stdout } = spawnSync(`${machine.folder}/cardwire`, ['doctor'], {
    uid,
    gid,
    cwd: '/',
    env: {
      PATH: '/usr/bin:/bin',
      HOME: home,
      CARDWIRE_REGISTRY_PORT: String(machine.registryPort),
      CARDWIRE_MACHINE_DIR: machine.dir,
    },
    encoding: 'utf8',
  })
  return stdout
}

const remedy = 'cardwire registry install'

test(
  'the first is served, the second is told why and what to do, and the service serves both',
  async () => {
    const [first, second] = [await visit(ada), await visit(bob)]
    expect(await port(first)).toBe(String(await ada.port()))

    expect(await port(second)).toBe('TypeError: Failed to fetch')
    await said(bob.connector.output, 'no registry')
    expect(bob.connector.output()).toContain(ada.account.name)
    expect(bob.connector.output()).toContain(remedy)
    expect(doctor(bob)).toContain(`the registry of another user (`)
    expect(doctor(bob)).toContain(remedy)
    expect(doctor(ada)).not.toContain(remedy)
    const told = await registryOf(bob, second)
    expect(told).toMatchObject({
      state: 'foreign',
      reason: expect.stringContaining(remedy),
      pid: 0,
    })

    // What the administrator does then: the registry that Ada's connector runs makes room.
    await machine.startService()
    for (const { connector } of [ada, bob]) {
      await said(connector.output, 'registry found  whose=service')
    }
    await first.close()
    await second.close()
    for (const person of [ada, bob]) {
      const page = await visit(person)
      await expect.poll(() => port(page), found).toBe(String(await person.port()))
      await page.close()
      expect(doctor(person)).not.toContain(remedy)
    }
  },
  4 * startMs,
)
