/** Peers of the connector that say nothing from one moment on: processes that are stopped, and go on later. */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { startConnector } from '../../bed/connector.ts'
import type { DistributionService } from '../../bed/distribution-service.ts'
import { createEnvironment } from '../../bed/program.ts'
import { connectorProgram } from '../../bed/repository.ts'
import { createTokenSigner } from '../../bed/token-signer.ts'
import { type Connectors, type Page, startConnectors } from '../kills/connectors.ts'
import { startSilentServer } from './peers.ts'
import { check, type Row, until, within } from './row.ts'
import { withService } from './service-rows.ts'

/** Stops a process, as long as `work` takes. */
async function whileStopped<T>(pid: number, work: () => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGSTOP')
  try {
    return await work()
  } finally {
    try {
      process.kill(pid, 'SIGCONT')
    } catch {
      // It was replaced.
    }
  }
}

async function withConnectors<T>(work: (connectors: Connectors) => Promise<T>): Promise<T> {
  const connectors = await startConnectors(2)
  try {
    const [one, two] = connectors.pages
    if (!one || !two) throw new Error('Cannot start two connectors')
    for (const page of [one, two]) await until(20_000, 'readers are listed', () => lists(page))
    return await work(connectors)
  } finally {
    await connectors.stop()
  }
}

const lists = async ({ ask }: Page) => (await ask('/v3/readers')).json.data?.length === 2
const isApproved = async ({ askRegistry, consent }: Page) =>
  (await askRegistry('/v3/validate', { consents: [consent] })).json.data?.consentState ===
  'APPROVED'

/** Both pages see the readers and have their consents. */
const areServed = async ({ pages }: Connectors) => {
  for (const page of pages) if (!((await lists(page)) && (await isApproved(page)))) return false
  return true
}

/** A listing while the sandbox or the card service says nothing: a 503 that says why. */
async function waitForReason({ ask }: Page, maxMs: number): Promise<string> {
  let reason = ''
  const ms = await until(maxMs, 'a listing says why it fails', async () => {
    const { value } = await within(5000, '/v3/readers', () => ask('/v3/readers'))
    reason = value.json.description ?? ''
    return value.status === 503
  })
  return `"${reason}" after ${ms} ms`
}

export const connectorPeerRows: readonly Row[] = [
  {
    program: 'connector',
    fault: 'a connector says nothing to its registry',
    holds: 'pages of another one are answered within 5 s; its own as soon as it goes on',
    run: () =>
      withConnectors(async ({ pages }) => {
        const [one, two] = pages as readonly [Page, Page]
        const answer = await whileStopped(one.apiPid, async () => {
          const own = await within(5000, 'its own page', () => one.askRegistry('/v3/agents'))
          const other = await within(5000, 'the page of another', () => isApproved(two))
          check(other.value, 'the consent of another is not APPROVED')
          return `its own page after ${own.ms} ms, that of another after ${other.ms} ms`
        })
        const ms = await until(20_000, 'it is found again', () => isApproved(one))
        return `${answer}; found again after ${ms} ms`
      }),
  },
  {
    program: 'connector',
    fault: 'its sandbox says nothing',
    holds: 'listings report it within 10 s, and are right again without a restart',
    run: () =>
      withConnectors(async (connectors) => {
        const [page] = connectors.pages as readonly [Page]
        const [pid = 0] = connectors.findChildren('sandbox')
        process.kill(pid, 'SIGSTOP')
        const ms = await until(15_000, 'there is another sandbox', async () => {
          const { value } = await within(5000, '/v3/readers', () => page.ask('/v3/readers'))
          check([200, 503].includes(value.status), `${value.status} ${value.text}`)
          return !connectors.findChildren('sandbox').includes(pid)
        })
        const after = await until(10_000, 'readers are listed', () => lists(page))
        return `replaced after ${ms} ms, the readers listed ${after} ms later`
      }),
  },
  {
    program: 'connector',
    fault: 'pcscd says nothing',
    holds: 'listings report it within 15 s, and are right within 10 s when it goes on',
    run: () =>
      withConnectors(async (connectors) => {
        const [page] = connectors.pages as readonly [Page]
        // pcscd ends the line with a zero.
        const pid = Number.parseInt(await readFile('/run/pcscd/pcscd.pid', 'utf8'), 10)
        const reason = await whileStopped(pid, async () => {
          // What asks it once more is the recheck of the sandbox, or a new sandbox.
          for (const sandbox of connectors.findChildren('sandbox')) process.kill(sandbox, 'SIGKILL')
          return waitForReason(page, 15_000)
        })
        const ms = await until(10_000, 'readers are listed', () => areServed(connectors))
        return `${reason}; right ${ms} ms after it goes on`
      }),
  },
  {
    program: 'connector',
    fault: 'its registry says nothing',
    holds: 'the API answers; another registry is there within 30 s',
    run: () =>
      withConnectors(async (connectors) => {
        const [page] = connectors.pages as readonly [Page]
        const [pid = 0] = connectors.findChildren('registry')
        process.kill(pid, 'SIGSTOP')
        const { ms } = await within(1000, '/v3/readers', () => page.ask('/v3/readers'))
        const back = await until(30_000, 'another registry is there', async () => {
          const { value } = await within(2000, 'the registry', () => areServed(connectors))
          return value
        })
        return `the API answers within ${ms} ms; another registry after ${back} ms`
      }),
  },
  {
    program: 'connector',
    fault: 'the server of CARDWIRE_JWKS says nothing',
    holds: 'a page learns within 6 s that the keys cannot be fetched; others are answered',
    run: checkSilentKeys,
  },
  {
    program: 'connector',
    fault: 'its distribution service says nothing',
    holds: 'the API answers; a sync says so within 20 s, and succeeds when the service continues',
    run: () => withService(checkSilentService),
  },
]
async function checkSilentService(service: DistributionService): Promise<string> {
  const { installationApiKey } = await service.registerVersion('4.0.0')
  const settings = {
    CARDWIRE_DS_URL: service.url,
    CARDWIRE_INSTALLATION_KEY: installationApiKey,
  }
  const connector = await startConnector(settings)
  const synchronize = () =>
    spawnSync(connectorProgram, ['sync'], {
      env: createEnvironment(connector.home, settings),
      encoding: 'utf8',
    })
  try {
    check(synchronize().status === 0, 'a sync before it')
    const [ms, output] = await whileStopped(service.pid(), async () => {
      const from = performance.now()
      const { status, stdout, stderr } = synchronize()
      const lasted = Math.round(performance.now() - from)
      check(status !== 0 && lasted < 20_000, `it ended with ${status} after ${lasted} ms`)
      await within(1000, '/v3/version', () => connector.request('/v3/version'))
      const lines = `${stdout}${stderr}`.split('\n')
      return [lasted, lines.find((line) => line.startsWith('✗')) ?? lines.join(' ')] as const
    })
    const { status, stdout } = synchronize()
    check(status === 0, `a sync after it: ${stdout}`)
    return `"${output}" after ${ms} ms; syncs afterward`
  } finally {
    await connector.stop()
  }
}

async function checkSilentKeys(): Promise<string> {
  const silent = await startSilentServer()
  const origin = 'https://shop.example'
  const connector = await startConnector({
    CARDWIRE_JWKS: `https://127.0.0.1:${silent.port}/keys`,
    CARDWIRE_CORS: origin,
  })
  try {
    const signer = await createTokenSigner(connector.home)
    const page = within(6000, 'a page', () =>
      connector.request('/v3/readers', { token: signer.token(), headers: { origin } }),
    )
    const others = await within(1000, '/v3/version', () => connector.request('/v3/version'))
    check(others.value.status === 200, others.value.text)
    const { ms, value } = await page
    check(value.status === 401, `a page: ${value.status}`)
    check(/keys cannot be fetched/.test(value.json.description), value.json.description)
    return `"${value.json.description}" after ${ms} ms; others after ${others.ms} ms`
  } finally {
    await connector.stop()
    await silent.close()
  }
}
