/** A port that another program has: npm start says which, whose, and what to set instead, or uses the next one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { root } from '../start/paths.ts'
import { findServiceHere, startOnPort } from '../start/ports.ts'
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

test('two settings with one port are named before anything starts', async () => {
  const environment = await createExampleEnvironment(folder, { DS_PORT: '9', EXAMPLE_PORT: '9' })
  await expect(startExample(environment)).rejects.toThrow(
    'ended with 1:\nCannot start: DS_PORT and EXAMPLE_PORT are both 9. Give each its own port\n',
  )
})

test('where no port is named, a program starts on the next free one', async () => {
  proves('start-second')
  const used = await startOnPort(getSetting(undefined), async (port) => port)
  expect(used).toBeGreaterThan(taken)
})

test('a port that is taken between the choice and the start costs one more attempt', async () => {
  proves('start-second')
  const ports: number[] = []
  const thief = createServer()
  const start = async (port: number) => {
    ports.push(port)
    if (ports.length > 1) return port
    await once(thief.listen(port, '127.0.0.1'), 'listening')
    throw new Error('Cannot listen')
  }
  const used = await startOnPort(getSetting(undefined), start)
  thief.close()
  expect(ports).toEqual([expect.any(Number), used])
  expect(used).toBeGreaterThan(ports[0] ?? 0)
})

test('a program that fails on a free port is not started again, nor on another port than the named one', async () => {
  let starts = 0
  const fail = async () => {
    starts += 1
    throw new Error('It has no keys')
  }
  await expect(startOnPort(getSetting(0), fail)).rejects.toThrow('It has no keys')
  await expect(startOnPort(getSetting(taken), fail)).rejects.toThrow('It has no keys')
  expect(starts).toBe(2)
})

test('the service of this repository is recognized by its port, and another program is not', async () => {
  const script =
    "require('node:net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })"
  const start = async (cwd: string) => {
    const child = spawn(process.execPath, ['-e', script, 'ds/dist/node.js'], { cwd })
    const [line] = await once(child.stdout, 'data')
    return { child, port: Number(line) }
  }
  const [here, elsewhere] = [await start(root), await start(folder)]
  expect(findServiceHere(here.port)).toBe(String(here.child.pid))
  expect(findServiceHere(elsewhere.port)).toBeUndefined()
  expect(findServiceHere(taken)).toBeUndefined()
  for (const { child } of [here, elsewhere]) child.kill()
})

const getSetting = (given: number | undefined) => ({
  setting: 'EXAMPLE_PORT',
  given,
  usual: taken,
  host: '127.0.0.1',
})
