/** What the benchmarks write past the API works as what the API writes: a load that is refused measures nothing. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { stopAll } from '../bench/child-process.ts'
import type { Engine } from '../bench/engine.ts'
import { startNodes } from '../bench/nodes.ts'
import { openEngine } from '../bench/open-engine.ts'
import { installer } from '../bench/service.ts'

let folder: string
let engine: Engine

afterEach(async () => {
  await stopAll()
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

test.each([
  ['SQLite', undefined],
  ['PostgreSQL', 'postgres'],
])('the API keys of stored applications get tokens on %s', async (_, database) => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-benchmarks-'))
  const packages = join(folder, 'packages')
  await mkdir(packages)
  await writeFile(join(packages, installer), '')
  engine = await openEngine(database ?? join(folder, 'ds.sqlite'))
  const { service } = await startNodes(folder, packages, engine, 1)
  const [apikey = ''] = await engine.storeLabels(1)
  const url = `${service.url}/v3/tokens/application`
  expect((await fetch(url, { headers: { apikey } })).status).toBe(200)
})
