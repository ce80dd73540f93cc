/** The end of a session whose page has lost its access before the session is watched. */
import { expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createRawSession } from './raw-session.ts'

test('a session that has to end when it begins is over, and nothing watches it any more', async () => {
  proves('consent-given-again')
  const [unwatch, kill, transmit] = [vi.fn(), vi.fn(), vi.fn()]
  const session = createRawSession({
    channel: {
      protocol: 'T=1',
      transmit,
      kill,
      close: async () => undefined,
      ended: new Promise(() => undefined),
    },
    idleMs: 1000,
    timers: { after: () => () => undefined },
    requireAllowed: () => undefined,
    watch(_, end) {
      end('access')
      return unwatch
    },
    onEnd: () => undefined,
  })
  expect(await session.ended).toBe('access')
  expect([unwatch.mock.calls.length, kill.mock.calls.length]).toEqual([1, 1])
  await expect(session.transmit([Uint8Array.of(0, 0xb0, 0, 0)])).rejects.toMatchObject({
    name: 'card-session-unknown',
  })
  expect(transmit).not.toHaveBeenCalled()
})
