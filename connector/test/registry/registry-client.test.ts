/** The client of the registry over TLS: its requests leave no listeners behind. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { proves } from '../../../test/bed/proves.ts'
import {
  createRegistryClient,
  type RegistryClient,
} from '../../src/api/registry-connection/registry-client.ts'
import { pollAgent, registerAgent } from '../../src/system/ipc/registry-messages.ts'
import { createCertificate, serveRegistry, toRegistryCertificate } from './network.ts'
import { createRegistration } from './registrations.ts'

let client: RegistryClient
const closing: (() => unknown)[] = []

beforeEach(async () => {
  const [port, certificate] = [await findFreePort(), await createCertificate()]
  const server = serveRegistry(port, certificate)
  client = createRegistryClient(port, async () => [toRegistryCertificate(certificate)])
  closing.push(() => server.stop(), client.close)
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
  proves('registry-listeners-removed')
  const held = heldListeners()
  for (let count = 0; count < 5; count += 1) await client.post(registerAgent, createRegistration())
  await expect(client.post(pollAgent, { session: 'unknown' })).rejects.toThrow()
  expect([...held]).toEqual([])
  expect(vi.mocked(AbortSignal.prototype.addEventListener)).toHaveBeenCalled()
})

test('request under way ends when the client is closed, and leaves no listener behind', async () => {
  const { session } = await client.post(registerAgent, createRegistration())
  const held = heldListeners()
  const poll = client.post(pollAgent, { session })
  client.close()
  await expect(poll).rejects.toThrow('the client was closed')
  expect([...held]).toEqual([])
  await expect(client.post(pollAgent, { session })).rejects.toThrow('the client is closed')
})
