/** Pages that watch the readers of the virtual card: many at once, and a sandbox that is killed under them. */
import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { Tab } from './browser.ts'
import {
  browsersOf,
  openUserSession,
  readReaders,
  type UserSession,
  waitForState,
} from './user-session.ts'
import { becomes } from './wait.ts'

const atr = '3B951381018073FF01000B'
const empty = 'Cardwire Virtual Reader: no card'
const full = `Cardwire Virtual Reader: ${atr}`

describe.each(browsersOf('watch'))('%s', (name, openBrowser) => {
  let desk: UserSession
  beforeAll(async () => {
    desk = await openUserSession(openBrowser)
  })
  afterAll(() => desk?.close())

  test('a page that watches does not notice a killed sandbox', async () => {
    proves('journey-sandbox-killed')
    const { tab } = await desk.visit()
    const sandbox = await sandboxOf(desk.connector.pid())
    process.kill(sandbox, 'SIGKILL')
    await becomes(async () => (await sandboxOf(desk.connector.pid())) !== sandbox, true)
    await desk.connector.insert(atr)
    await becomes(() => readReaders(tab), full)
    await desk.connector.remove()
    await becomes(() => readReaders(tab), empty)
    expect(await tab.text('#state')).toBe('watching')
    await tab.close()
  })

  test('/info answers while seven tabs watch', async () => {
    proves('journey-seven-tabs')
    const { page, tab } = await desk.visit()
    const tabs: Tab[] = [tab]
    while (tabs.length < 7) {
      const next = await desk.browser.open(page.address(desk.connector.registryPort))
      await waitForState(next, 'watching')
      tabs.push(next)
    }
    const times = [await tab.read(infoTimes)].flat().map(Number)
    const [p50, p95] = [0.5, 0.95].map((part) => at(times, part))
    process.stderr.write(`${name}, /info with seven tabs: p50 ${p50} ms, p95 ${p95} ms\n`)
    expect(times).toHaveLength(30)
    // 50 ms on a machine with nothing else to do.
    expect(p50).toBeLessThan(1000)

    await desk.connector.insert(atr)
    for (const one of tabs) await becomes(() => readReaders(one), full)
    // Whoever reads the stream for the others goes, and another tab goes on with it.
    await tabs.shift()?.close()
    await desk.connector.remove()
    for (const one of tabs) await becomes(() => readReaders(one), empty)
    for (const one of tabs) await one.close()
  })
})

/** Milliseconds of thirty answers, one after another. */
const infoTimes = `(async () => {
  const times = []
  while (times.length < 30) {
    const begun = performance.now()
    await shop.client.info()
    times.push(performance.now() - begun)
  }
  return times
})()`

const at = (values: readonly number[], part: number): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN)

/** The process that talks to the readers, child of `cardwire run` (proc_pid_stat(5)). */
async function sandboxOf(parent: number): Promise<number> {
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const read = (file: string): Promise<string> =>
      readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
    const [, after = ''] = (await read('stat')).split(') ')
    if (Number(after.split(' ')[1]) !== parent) continue
    if ((await read('cmdline')).includes('sandbox')) return Number(pid)
  }
  return 0
}
