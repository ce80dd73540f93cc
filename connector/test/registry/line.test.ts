/** The line to the registry over TLS: what a request leaves behind. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Line, openLine } from '../../src/agent/pinned.ts'
import { pollAgent, registerAgent } from '../../src/agent/protocol.ts'
import { freePort, newCertificate, pinOf, serveRegistry } from './network.ts'
import { registrationOf } from './registrations.ts'

let line: Line
const closing: (() => unknown)[] = []

beforeEach(async () => {
  const [port, certificate] = [await freePort(), await newCertificate()]
  const server = serveRegistry(port, certificate)
  line = openLine(port, async () => [pinOf(certificate)])
  closing.push(() => server.stop(), line.close)
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0).toReversed()) await close()
})

/** Listeners that are added to the end of anything and not removed again. */
function heldListeners() {
  const held = new Set<unknown>()
  const { addEventListener, removeEventListener } = AbortSignal.prototype
  vi.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (
    this: AbortSignal,
    ...[type, listener, options]: Parameters<typeof addEventListener>
  ) {
    held.add(listener)
    addEventListener.call(this, type, listener, options)
  })
  vi.spyOn(AbortSignal.prototype, 'removeEventListener').mockImplementation(function (
    this: AbortSignal,
    ...[type, listener, options]: Parameters<typeof removeEventListener>
  ) {
    held.delete(listener)
    removeEventListener.call(this, type, listener, options)
  })
  return held
}

test('requests leave no listener behind, answered or refused', async () => {
  const held = heldListeners()
  for (let count = 0; count < 5; count += 1) await line.post(registerAgent, registrationOf())
  await expect(line.post(pollAgent, { session: 'unknown' })).rejects.toThrow()
  expect([...held]).toEqual([])
  expect(vi.mocked(AbortSignal.prototype.addEventListener)).toHaveBeenCalled()
})

test('request under way ends when the line is closed, and leaves no listener behind', async () => {
  const { session } = await line.post(registerAgent, registrationOf())
  const held = heldListeners()
  const poll = line.post(pollAgent, { session })
  line.close()
  await expect(poll).rejects.toThrow('the line was closed')
  expect([...held]).toEqual([])
  await expect(line.post(pollAgent, { session })).rejects.toThrow('the line is closed')
})
