/** `gateway sync`: compares the copies of the keys at other gateways with the database, and brings them up to date. */
import process from 'node:process'
import type { Command } from 'commander'
import { createCopies, webRandom } from '../assemble.ts'
import { createVault } from '../auth/keys/vault.ts'
import { openBetterSqlite3 } from '../db/better-sqlite3.ts'
import { createDatabase } from '../db/database.ts'
import type { CopyStep } from '../gateway/mirror.ts'
import type { Log } from '../ports.ts'
import { digestWithNode } from '../self-hosted/digest.ts'
import { applyMigrations } from '../self-hosted/migrations.ts'
import { openDatabase } from '../self-hosted/open-database.ts'
import { readSecret } from '../self-hosted/prepare.ts'
import { StartError } from '../self-hosted/start-error.ts'
import { readSettings, type Settings } from '../settings.ts'

export function addGatewayCommand(
  program: Command,
  print: (line: string) => void,
  requireDatabase: (settings: Settings) => void,
): void {
  program
    .command('gateway')
    .description('look after the copies of API keys at gateways')
    .command('sync')
    .description(
      'compare the keys at the gateways of DS_GATEWAY with the database, add what is missing there, and remove what is too much',
    )
    .option('--yes', 'do it; without this, only print what would change')
    .action(async ({ yes = false }: { readonly yes?: boolean }) => {
      const settings = readSettings(process.env)
      requireDatabase(settings)
      for (const line of await syncGateways(settings, yes)) print(line)
    })
}

const silent = () => undefined
const log: Log = { info: silent, warn: silent, error: silent }

async function syncGateways(settings: Settings, isConfirmed: boolean): Promise<readonly string[]> {
  const { driver, close } = await openDatabase(settings.database, openBetterSqlite3)
  try {
    await applyMigrations(driver)
    const copies = createCopies({
      ...{ settings, log, db: createDatabase(driver), clock: Date.now, digest: digestWithNode },
      vault: await createVault(await readSecret(settings, driver), webRandom),
    })
    if (copies === undefined)
      throw new StartError('Cannot compare: DS_GATEWAY names no other gateway than the service')
    const plans = await copies.plan().catch(fail)
    const lines = [...plans].flatMap(([gateway, steps]) =>
      steps.map((step) => `${gateway}\t${describeStep(step)}`),
    )
    const count = [...plans.values()].flat().filter(({ kind }) => kind !== 'missing-key').length
    if (count === 0) return [...lines, 'Nothing to change.']
    if (!isConfirmed) return [...lines, 'Nothing was changed. To do it, run this again with --yes']
    await copies.sync().catch(fail)
    return [...lines, `Changed ${count}.`]
  } finally {
    await close()
  }
}

/** What a gateway or the network says is for the administrator at the terminal. */
function fail(error: unknown): never {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  throw new StartError(
    `Cannot compare with the gateway: ${cause instanceof Error ? cause.message : String(cause)}`,
  )
}

const words: Readonly<Record<CopyStep['kind'], string>> = {
  'add-consumer': 'add consumer',
  'remove-consumer': 'remove consumer',
  'add-key': 'add key',
  'replace-key': 'replace key',
  'remove-key': 'remove key',
  'missing-key': 'cannot add key',
}

function describeStep({ kind, consumer, key }: CopyStep): string {
  const about = [words[kind], consumer, ...(key ? [key.id] : [])].join('\t')
  return kind === 'missing-key' ? `${about}\tcreate a new key for it` : about
}
