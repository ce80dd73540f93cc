/** The service on workerd with D1, as `wrangler dev --local` starts it. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { administrator } from '../../test/bed/administrator.ts'
import { findFreePort } from '../../test/bed/free-port.ts'
import { root } from '../../test/bed/repository.ts'
import { output, start } from './child-process.ts'
import { columns, createRestOfRow, type StoreDevices } from './devices-rows.ts'
import { registerBenchData } from './service.ts'

interface Worker {
  readonly url: string
  readonly store: StoreDevices
}

const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')
const config = ['--config', join(root, 'wrangler.toml')]

/** `folder`: gets the database. */
export async function startWorker(folder: string): Promise<Worker> {
  await mkdir(folder)
  const local = [...config, '--local', '--persist-to', join(folder, 'state')]
  await output(process.execPath, [wrangler, 'd1', 'migrations', 'apply', 'cardwire', ...local])
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const variables = {
    DS_URL: url,
    DS_SECRET: randomBytes(32).toString('base64'),
    DS_ADMIN_PASSWORD: administrator.password,
  }
  const options = [
    ...['dev', ...local, '--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0'],
    ...['--log-level', 'log', '--show-interactive-dev-session', 'false'],
    ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ]
  const quiet = { WRANGLER_SEND_METRICS: 'false', CI: 'true' }
  await start(folder, process.execPath, [wrangler, ...options], quiet).waitForOutput(
    /Ready on (http:\S+)/,
  )
  await registerBenchData(url)
  return {
    url,
    async store(rows) {
      const file = join(folder, 'devices.sql')
      const end = createRestOfRow(Date.now())
      const values = rows.map(
        ({ id, fingerprint, key, device = '{}' }) =>
          `('${id}', '${fingerprint}', '${key}', '${device}', ${end})`,
      )
      const lines = values.map((row) => `insert into devices (${columns}) values ${row};`)
      writeFileSync(file, lines.join('\n'))
      await output(process.execPath, [
        ...[wrangler, 'd1', 'execute', 'cardwire', ...local, '--yes', '--file', file],
      ])
    },
  }
}
