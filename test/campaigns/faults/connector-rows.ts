/** What befalls the machine of the connector: its disk, its descriptors, its memory, its clock, and clients that are slow. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Connector,
  type ConnectorOptions,
  createHome,
  homePaths,
  startConnector,
} from '../../bed/connector.ts'
import { requestHttps } from '../../bed/https-client.ts'
import type { Settings } from '../../bed/program.ts'
import {
  createFakeClock,
  createMemoryLimit,
  limitFileSize,
  remount,
  withDescriptors,
  withDisk,
} from './machine.ts'
import { startCrowd } from './peers.ts'
import { check, type Row, until, within } from './row.ts'

interface ConnectorChoices extends ConnectorOptions {
  readonly settings?: Settings
  readonly home?: string
}

async function withConnector<T>(
  work: (connector: Connector) => Promise<T>,
  { settings = {}, home, ...options }: ConnectorChoices = {},
): Promise<T> {
  const folder = home ?? (await createHome())
  const card = { CARDWIRE_VIRTUAL_READER: join(folder, 'card') }
  try {
    const connector = await startConnector({ ...card, ...settings }, folder, options)
    try {
      return await work(connector)
    } finally {
      await connector.stop()
    }
  } finally {
    if (home === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** What needs no disk and no time; the longest of the responses, in milliseconds. */
async function checkAnswers(connector: Connector, maxMs = 3000): Promise<number> {
  const times: number[] = []
  for (const path of ['/info', '/v3/version', '/v3/readers', '/v3/modules', '/v3/certmgr/status']) {
    const { ms, value } = await within(maxMs, path, () => connector.request(path))
    check(value.status === 200, `${path}: ${value.status} ${value.text}`)
    times.push(ms)
  }
  return Math.max(...times)
}

async function renew(connector: Connector): Promise<{ renewed: boolean; reason?: string }> {
  const headers = { 'content-type': 'application/json' }
  const options = { method: 'POST', headers, body: '{}' }
  return (await connector.request('/v3/certmgr/renew', options)).json.data
}

/** The certificates cannot be renewed for a reason that is said; they are as soon as the fault is over. */
async function checkRenewal(
  connector: Connector,
  { begin, end, reason }: { begin: () => void; end: () => void; reason: RegExp },
): Promise<string> {
  await until(20_000, 'the readers are listed', async () => (await checkAnswers(connector)) >= 0)
  begin()
  const refused = await renew(connector)
  check(!refused.renewed && reason.test(refused.reason ?? ''), `a renewal: ${refused.reason}`)
  await checkAnswers(connector)
  end()
  const ms = await until(5000, 'it renews', async () => (await renew(connector)).renewed)
  await until(3000, 'it answers', async () => (await checkAnswers(connector)) >= 0)
  return `answers; a renewal says "${refused.reason}"; renews after ${ms} ms`
}

export const connectorRows: readonly Row[] = [
  {
    program: 'connector',
    fault: 'the disk is full',
    holds: 'answers what it need not store, says so in words, stores again without a restart',
    isQuick: true,
    run: () =>
      withDisk('4m', ({ path, fill, free }) =>
        withConnector(
          (connector) =>
            checkRenewal(connector, { begin: fill, end: free, reason: /disk is full \(ENOSPC\)/ }),
          { home: path },
        ),
      ),
  },
  {
    program: 'connector',
    fault: 'its files may not grow (RLIMIT_FSIZE)',
    holds: 'the same',
    isQuick: true,
    run: () =>
      withConnector((connector) => {
        const pid = connector.child.pid ?? 0
        return checkRenewal(connector, {
          begin: () => limitFileSize(pid, 0),
          end: () => limitFileSize(pid, 'unlimited'),
          reason: /larger than the limit .*\(EFBIG\)/,
        })
      }),
  },
  {
    program: 'connector',
    fault: 'its home is read-only',
    holds: 'does not start, in a sentence and with status 1; starts when it can be written again',
    run: () =>
      withDisk('4m', async ({ path }) => {
        await withConnector(checkAnswers, { home: path })
        remount(path, 'ro')
        const reason = await withConnector(async () => 'it has started', { home: path }).catch(
          (error: Error) => error.message,
        )
        check(/ended with 1 .*(EROFS|read-only)/s.test(reason), reason)
        check(!/\n\s+at /.test(reason), `a stack: ${reason}`)
        remount(path, 'rw')
        await withConnector((connector) => checkAnswers(connector), { home: path })
        return `"${reason.trim().split('\n').at(-1)}"; starts again`
      }),
  },
  {
    program: 'connector',
    fault: '64 descriptors, and 100 clients that say nothing',
    holds: 'does not end; answers again as soon as they have gone',
    run: () =>
      withConnector(
        async (connector) => {
          await checkAnswers(connector)
          const crowd = await startCrowd(connector.port, 100, ['silent'])
          const meanwhile = await until(20_000, 'it answers beside them', async () => {
            return (await checkAnswers(connector)) >= 0
          })
          crowd.end()
          const after = await until(3000, 'it answers after them', async () => {
            return (await checkAnswers(connector)) >= 0
          })
          return `answers after ${meanwhile} ms beside them, after ${after} ms without them`
        },
        { commandPrefix: withDescriptors(64) },
      ),
  },
  {
    program: 'connector',
    fault: '512 MiB of memory for it, its sandbox and its registry, and 2,000 requests',
    holds: 'is not killed; answers all of them',
    run: async () => {
      const limit = createMemoryLimit(512 * 1024 * 1024)
      try {
        return await withConnector(
          async (connector) => {
            for (let round = 0; round < 20; round += 1)
              await Promise.all(Array.from({ length: 20 }, () => checkAnswers(connector, 15_000)))
            return `2,000 requests answered; the longest of the last ones ${await checkAnswers(connector)} ms`
          },
          { commandPrefix: limit.prefix },
        )
      } finally {
        limit.remove()
      }
    },
  },
  ...['-6y', '+13y'].map(
    (offset): Row => ({
      program: 'connector',
      fault: `the clock jumps by ${offset} and back`,
      holds: 'answers; makes no other root; all as before when the clock is right',
      run: async () => {
        const folder = await mkdtemp(join(tmpdir(), 'cardwire-faults-'))
        const clock = createFakeClock(folder)
        try {
          return await withConnector((connector) => checkClock(connector, clock.set, offset), {
            settings: clock.settings,
          })
        } finally {
          await rm(folder, { recursive: true, force: true })
        }
      },
    }),
  ),
  {
    program: 'connector',
    fault: 'clients of the API and of the registry that are slow or say nothing, 60 each',
    holds: 'others are answered within a second',
    isQuick: true,
    run: () =>
      withConnector(async (connector) => {
        await until(
          20_000,
          'the readers are listed',
          async () => (await checkAnswers(connector)) >= 0,
        )
        const registry = await findRegistryPort(connector)
        const askRegistry = () => requestHttps(registry, connector.ca, '/info', {})
        await until(
          20_000,
          'the registry answers',
          async () => (await askRegistry()).status === 200,
        )
        const manners = ['silent', 'slow', 'silent after its handshake'] as const
        const crowds = [
          await startCrowd(connector.port, 60, manners, connector.ca),
          await startCrowd(registry, 60, manners, connector.ca),
        ]
        const api = await checkAnswers(connector, 1000)
        const info = await within(1000, '/info of the registry', askRegistry)
        for (const crowd of crowds) crowd.end()
        return `the API answers within ${api} ms, the registry within ${info.ms} ms`
      }),
  },
]

async function findRegistryPort(connector: Connector): Promise<number> {
  const environment = await readFile(`/proc/${connector.child.pid}/environ`, 'utf8')
  return Number(/CARDWIRE_REGISTRY_PORT=(\d+)/.exec(environment)?.[1])
}

async function checkClock(
  connector: Connector,
  set: (offset: string) => void,
  offset: string,
): Promise<string> {
  await until(20_000, 'the readers are listed', async () => (await checkAnswers(connector)) >= 0)
  const root = () => readFile(join(homePaths(connector.home).certificates, 'rootCA.pem'), 'utf8')
  const before = await root()
  set(offset)
  const meanwhile = await checkAnswers(connector)
  const renewal = await renew(connector)
  check((await root()) === before, 'there is another root')
  await until(5000, 'it answers', async () => (await checkAnswers(connector)) >= 0)
  set('+0')
  await until(5000, 'it answers afterwards', async () => (await checkAnswers(connector)) >= 0)
  check((await root()) === before, 'there is another root afterwards')
  const { renewed, reason } = await renew(connector)
  check(renewed, `a renewal afterwards: ${reason}`)
  await until(5000, 'it answers', async () => (await checkAnswers(connector)) >= 0)
  return `answers within ${meanwhile} ms; a renewal ${renewal.renewed ? 'succeeds' : `says "${renewal.reason}"`}; the root is the same`
}
