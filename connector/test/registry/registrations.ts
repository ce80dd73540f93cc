/** What an API tells of itself, with everything that a test does not care about. */
import { protocolVersion, type Registration } from '../../src/system/ipc/registry-messages.ts'

export const agentIds = {
  ada: '11111111-1111-4111-8111-111111111111',
  bob: '22222222-2222-4222-8222-222222222222',
} as const

export const createRegistration = (changes: Partial<Registration> = {}): Registration => ({
  protocol: protocolVersion,
  agentId: agentIds.ada,
  username: 'ada',
  hostname: 'desk-7',
  port: 25_100,
  pid: 100,
  pageKey: 'key of ada',
  allowlist: ['https://shop.example'],
  ...changes,
})
