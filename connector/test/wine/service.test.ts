/** cardwire-service.exe under Wine, with a program in the place of the connector that ends as the test says. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { compiler, compileShim } from '../../packages/windows/native.ts'
import { names } from '../../packages/windows/places.ts'
import { openWine, type Wine, windowsPath } from './wine.ts'

let folder = ''
let wine: Wine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-shim-'))
  wine = await openWine(join(folder, 'prefix'))
  mkdirSync(at(''))
  const source = fileURLToPath(new URL('./scripted-connector.c', import.meta.url))
  execFileSync(compiler, ['-O2', '-static', source, '-o', at(names.program)])
  compileShim(at(names.shim))
  await control('create', names.service, 'binPath=', `"${windowsPath(at(names.shim))}" service`)
})
afterEach(() => {
  rmSync(at('runs.txt'), { force: true })
})
afterAll(async () => {
  await wine.stop()
  await rm(folder, { recursive: true })
})

const at = (name: string) => join(folder, 'program with a space', name)
const endWith = (...codes: readonly number[]) => writeFileSync(at('codes.txt'), codes.join(' '))

function readRuns(): readonly string[] {
  try {
    return readFileSync(at('runs.txt'), 'utf8').split(/\r?\n/).slice(0, -1)
  } catch {
    return []
  }
}

const startAgent = () => wine.start(windowsPath(at(names.shim)), ['agent'])

async function control(...args: readonly string[]): Promise<string> {
  const { stdout } = wine.start('sc', args)
  return stdout ? await text(stdout) : ''
}

/** Until none of its processes is left. */
const waitForEnd = () =>
  expect
    .poll(() => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }))
    .not.toContain(windowsPath(at('')))
const waitForRuns = (count: number) => expect.poll(readRuns).toHaveLength(count)

test.each([78, 3])(
  'agent starts a connector again that crashes, and not after %i',
  async (code) => {
    endWith(1, 137, code)
    const agent = startAgent()
    await once(agent, 'exit')

    expect(readRuns()).toEqual(['run', 'run', 'run'])
    expect(agent.exitCode).toBe(code)
  },
)

test('agent ends with a connector that was stopped', async () => {
  endWith(0)
  const agent = startAgent()
  await once(agent, 'exit')

  expect([readRuns(), agent.exitCode]).toEqual([['run'], 0])
})

test('there is one agent in a session', async () => {
  endWith()
  const first = startAgent()
  await waitForRuns(1)
  const second = startAgent()
  await once(second, 'exit')

  expect([readRuns(), second.exitCode, first.exitCode]).toEqual([['run'], 0, null])
  first.kill('SIGKILL')
  await once(first, 'exit')
})

test('the menu opens the page of the connector', async () => {
  endWith(0)
  const open = wine.start(windowsPath(at(names.shim)), ['open'])
  await once(open, 'exit')
  await waitForRuns(1)

  expect([readRuns(), open.exitCode]).toEqual([['open'], 0])
})

test.each([
  ['open', ''],
  ['agent', 'C:\\ProgramData\\Cardwire'],
])('what %s starts has settings in its environment: "%s"', async (role, machineFolder) => {
  endWith(0)
  const shim = wine.start(windowsPath(at(names.shim)), [role])
  await once(shim, 'exit')
  await waitForRuns(1)
  await waitForEnd()

  expect(readFileSync(at('folder.txt'), 'utf8')).toBe(machineFolder)
})

test('the service starts a registry again that crashes, and stays stopped after 78', async () => {
  endWith(1, 78)
  await control('start', names.service)
  await waitForRuns(2)
  await waitForEnd()

  expect(await control('query', names.service)).toContain('STOPPED')
  expect(readRuns()).toEqual(['registry --service', 'registry --service'])
})

test('the service ends its registry when it is stopped', async () => {
  endWith()
  await control('start', names.service)
  await waitForRuns(1)
  const begin = performance.now()
  expect(await control('stop', names.service)).toMatch(/STOP_PENDING|STOPPED/)
  await waitForEnd()

  expect(performance.now() - begin).toBeLessThan(15_000)
})
