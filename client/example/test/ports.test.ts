/** A port that another program has: npm start says which, whose, and what to set instead. */
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExampleEnvironment, startExample } from './example-start.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardwire-ports-'))
const server = createServer()
let taken: number
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('Cannot learn the port')
  taken = address.port
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

test.each(['DS_PORT', 'EXAMPLE_PORT', 'CARDWIRE_REGISTRY_PORT'])(
  'a port that is taken is reported with its program and the setting %s, before anything starts',
  async (setting) => {
    const environment = await createExampleEnvironment(folder, { [setting]: String(taken) })
    const started = startExample(environment)
    await expect(started).rejects.toThrow(
      new RegExp(
        `ended with 1:\\nCannot start: port ${taken} is taken by node \\(process ${process.pid}\\); .* set ${setting} `,
      ),
    )
    expect(existsSync(join(folder, 'data'))).toBe(false)
  },
)
