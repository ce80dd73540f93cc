/** A sandbox with nothing to do asks nothing: what is counted are its calls, of which it makes none. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { waitForReaders } from '../../src/sandbox/readers/wait-for.ts'
import { haveNames, registerScriptedCardServices } from './scripted-sandbox.ts'

const start = registerScriptedCardServices()

/** How long nothing happens, in milliseconds. Whoever polls has polled by then. */
const idleMs = 3000

// A connection that was let go of tells that a second look, or the question about key pads, is over.
test.each([
  { what: 'without readers', count: 0, releases: 2 },
  { what: 'with a reader and a card', count: 1, releases: 3 },
  // All that there can be: nobody looks for a seventeenth.
  { what: 'with sixteen readers and cards', count: 16, releases: 1 },
])('$what makes no call while nothing happens', async ({ count, releases }) => {
  proves('idle-sandbox')
  const { service, supervise } = await start()
  const readers = Array.from({ length: count }, (_, at) => ({ name: `Reader ${at}`, atr: '3B00' }))
  service.plug(...readers)
  const { waitFor } = supervise()
  expect(await waitFor(haveNames(...readers.map(({ name }) => name)))).not.toBeNull()
  const released = () => service.calls.filter(({ name }) => name === 'release').length
  await service.waitForCall(() => released() >= releases)
  const before = service.calls.length

  await pass(idleMs)

  expect(service.calls.slice(before)).toEqual([])
})

/** Lets an interval pass. */
const pass = (ms: number) =>
  waitForReaders({ snapshot: () => nobody, subscribe: () => () => undefined }, () => undefined, ms)
const nobody = { sequence: 0, pcsc: { kind: 'up' }, readers: [] } as const
