/** The access of every operation, compared with tables that were written by hand: changing only the contract fails here. */
import { describe, expect, test } from 'vitest'
import { type ConnectorAccess, connectorAccess } from '../../../test/bed/connector-access.ts'
import { proves } from '../../../test/bed/proves.ts'
import {
  getNeededRole,
  roleIncludes,
  serviceAccess,
  serviceRoles,
} from '../../../test/bed/service-access.ts'
import { connectorOperations, dsOperations, getLeastRole, includesRole, roles } from './index.ts'

/** The contract has no word for grants: the routes ask for them. */
const toContract = {
  anyone: 'anyone',
  consent: 'consented',
  'grant raw': 'consented',
  'grant print': 'consented',
  management: 'management',
} as const satisfies Readonly<Record<ConnectorAccess, string>>

describe('access of operations', () => {
  test('of the distribution service is the one of the table', () => {
    proves('stranger-manages', 'page-manages')
    expect(
      dsOperations.map(({ method, path, access, pages }) => [
        ...[method, path, access],
        ...(pages ? [`pages ${pages}`] : []),
      ]),
    ).toEqual(serviceAccess)
  })

  test('of the connector is the one of the table', () => {
    proves('api-needs-jwt', 'api-needs-consent', 'page-without-consent', 'management-called')
    expect(connectorOperations.map(({ method, path, access }) => [method, path, access])).toEqual(
      connectorAccess.map(([method, path, access]) => [method, path, toContract[access]]),
    )
  })
})

describe('roles', () => {
  test('are the least that each operation takes, as the table says', () => {
    proves('least-role', 'role-exceeded')
    expect(dsOperations.map((each) => [each.method, each.path, getLeastRole(each)])).toEqual(
      serviceAccess.map(([method, path, access]) => [method, path, getNeededRole(access)]),
    )
  })

  test('include those before them, and no role includes none', () => {
    proves('least-role', 'role-exceeded')
    expect(roles).toEqual(serviceRoles)
    for (const role of serviceRoles) {
      expect(roles.filter((needed) => includesRole(role, needed))).toEqual(roleIncludes[role])
      expect(includesRole(undefined, role)).toBe(false)
    }
  })
})
