/** The audit entries of each operation by which administrators change something. */
import { dsOperations } from '@cardwire/protocol'
import { expect, test } from 'vitest'
import { administrator } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { serviceAccess, serviceRoles } from '../../../test/bed/service-access.ts'
import type { Json, ServiceResponse } from '../../../test/bed/service-request.ts'
import { getData, nextAddress } from '../harness/arrange.ts'
import { type ManagementRequest, management } from '../harness/management.ts'
import { readContent, withDatabase } from '../harness/stored-data.ts'

/** What a request writes whether it changes something or not. */
const incidental = ['audit', 'login_delays', 'sessions', 'browser_sessions']

/** The entries that a request left, oldest first. */
export async function readEntries(
  service: DistributionService,
  { headers }: ServiceResponse,
): Promise<Json[]> {
  const token = await service.login()
  const { items } = getData(await service.request('GET', '/v3/audit?size=100', { token }))
  const requestId = headers.get('x-request-id')
  return items.filter((item: Json) => item.requestId === requestId).toReversed()
}

async function createRequest(
  service: DistributionService,
  name: string,
): Promise<ManagementRequest & { readonly sender: NonNullable<ManagementRequest['sender']> }> {
  const token = await service.login()
  const request = await management[name]?.(service, token)
  if (!request) throw new Error(`Cannot try "${name}": it is not in harness/management.ts`)
  return { sender: { name: administrator.name, token }, ...request }
}

/** Sends the request of an operation while the database takes no audit entry, and once more when it does. */
export async function checkUndone(service: DistributionService, name: string): Promise<void> {
  const act = await createRequest(service, name)
  const send = () => service.request(act.method, act.path, { ...act, token: act.sender.token })
  const content = () => withDatabase(service, (database) => readContent(database, incidental))
  const before = await content()
  const answer = await withDatabase(service, async ({ refuseAuditEntries }) => {
    const acceptEntries = await refuseAuditEntries()
    return send().finally(acceptEntries)
  })
  expect(answer.status).toBe(500)
  expect(await content()).toEqual(before)
  expect([200, 201]).toContain((await send()).status)
}

export function auditedOperationSuite(service: () => DistributionService): void {
  const names = serviceAccess.flatMap(([method, path, access]) => {
    if (method === 'GET' || !serviceRoles.some((role) => role === access)) return []
    const operation = dsOperations.find((each) => each.method === method && each.path === path)
    return [operation?.name ?? `${method} ${path}`]
  })

  test('every operation by which administrators change something is in this suite', () => {
    proves('audit-not-omitted')
    expect(Object.keys(management).toSorted()).toEqual(names.toSorted())
  })

  test.each(names)('%s records who changed what, when and from where', async (name) => {
    proves('changes-audited')
    const act = await createRequest(service(), name)
    const { sender } = act
    const from = nextAddress()
    const before = Date.now()
    const request = { ...act, token: sender.token, from }
    const answer = await service().request(act.method, act.path, request)
    const changes = act.changes(getData(answer))
    const entries = await readEntries(service(), answer)
    expect(entries).toEqual(
      changes.map((change) => ({
        sequence: expect.any(Number),
        at: expect.any(String),
        who: {
          subject: sender.name,
          issuer: `${service().url}/auth/realms/cardwire`,
          name: sender.name,
        },
        operation: name,
        ...change,
        address: from,
        requestId: answer.headers.get('x-request-id'),
      })),
    )
    for (const { at } of entries) {
      expect(Date.parse(at)).toBeGreaterThan(before - 1000)
      expect(Date.parse(at)).toBeLessThan(Date.now() + 1000)
    }
  })

  test.each(names)('%s changes nothing when its audit entry cannot be written', async (name) => {
    proves('audit-atomic')
    await checkUndone(service(), name)
  })
}
