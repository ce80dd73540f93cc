/** Two users on one machine without the service: the first has the port, the second gets the reason and the remedy. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCodeWord } from '../../../../test/bed/page.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { openPage, type PageInBrowser } from './browser.ts'
import { createSharedMachine, type MachineUser, type SharedMachine, startMs } from './machine.ts'
import { openShop, readAgent, type Shop } from './shop.ts'

let shop: Shop
let machine: SharedMachine
let ada: MachineUser
let bob: MachineUser

beforeAll(async () => {
  shop = await openShop()
  machine = await createSharedMachine(shop.origin)
  ada = await machine.createUser()
  await ada.connector.waitForOutput(/registry found {2}scope=user/)
  bob = await machine.createUser()
}, 3 * startMs)
afterAll(async () => {
  await machine?.close()
  shop?.close()
}, startMs)

/** Opens a browser that trusts the root of this user by `cardwire certs install`. */
async function openTrustingPage(user: MachineUser): Promise<PageInBrowser> {
  await once(machine.run(user.account, ['certs', 'install']).child, 'exit')
  return openPage(user, shop.origin)
}

async function readApiPort(page: PageInBrowser): Promise<string> {
  const codeWord = createCodeWord()
  await page.copy(codeWord)
  const response = await page.fetch(machine.registryPort, '/v3/consent', { body: { codeWord } })
  if ('failed' in response) return response.failed
  return response.json.data.consent ? readAgent(response.json.data.consent).apiPort : 'REQUIRED'
}

/** Reads the state of the registry from `/info` of this user's connector. */
async function readRegistryInfo(user: MachineUser, page: PageInBrowser) {
  const token = await machine.token()
  const codeWord = createCodeWord()
  await page.copy(codeWord)
  const at = await user.port()
  await page.fetch(at, '/v3/consent', { body: { codeWord } })
  const response = await page.fetch(at, '/info', { token })
  return 'failed' in response ? response.failed : response.json.data.t1CInfoAPI.registry
}

function runDoctor({ account }: MachineUser): string {
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
  'the first user is served, the second gets the reason and the remedy, and the service serves both',
  async () => {
    proves('second-user-informed', 'registry-port-first')
    const [first, second] = [await openTrustingPage(ada), await openTrustingPage(bob)]
    expect(await readApiPort(first)).toBe(String(await ada.port()))

    expect(await readApiPort(second)).toBe('TypeError: Failed to fetch')
    await bob.connector.waitForOutput(/no registry/)
    expect(bob.connector.output()).toContain(ada.account.name)
    expect(bob.connector.output()).toContain(remedy)
    expect(runDoctor(bob)).toContain(`the registry of another user (`)
    expect(runDoctor(bob)).toContain(remedy)
    expect(runDoctor(ada)).not.toContain(remedy)
    const response = await readRegistryInfo(bob, second)
    expect(response).toMatchObject({
      state: 'foreign',
      reason: expect.stringContaining(remedy),
      pid: 0,
    })

    // What the administrator does then: the registry that Ada's connector runs makes room.
    await machine.startService()
    for (const { connector } of [ada, bob]) {
      await connector.waitForOutput(/registry found {2}scope=service/)
    }
    await first.close()
    await second.close()
    for (const user of [ada, bob]) {
      const page = await openTrustingPage(user)
      await expect.poll(() => readApiPort(page)).toBe(String(await user.port()))
      await page.close()
      expect(runDoctor(user)).not.toContain(remedy)
    }
  },
  4 * startMs,
)
