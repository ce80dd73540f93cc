/** The problems that more than one route answers with. */
import { Problem } from '@cardwire/protocol'
import { toPrecedence } from './latest-version.ts'

export const createVersionUnknownProblem = (id: string) =>
  new Problem('version-unknown', `Cannot find version "${id}": it is not registered`)

export const createOrganizationUnknownProblem = (id: string) =>
  new Problem('organization-unknown', `Cannot find organization "${id}": it does not exist`)

export const createConfigurationUnknownProblem = (id: string) =>
  new Problem('configuration-unknown', `Cannot find configuration "${id}": it does not exist`)

export const createLabelUnknownProblem = (id: string) =>
  new Problem('label-unknown', `Cannot find label "${id}": it does not exist`)

export const createDeviceUnknownProblem = (id: string) =>
  new Problem('device-unknown', `Cannot find device "${id}": it is not registered`)

export const createChangeUnknownProblem = (id: string) =>
  new Problem('change-unknown', `Cannot find change "${id}": it does not exist, or is too old`)

/** `refusal`: the statement that ends the access of pages at once; a device that only registers has none to end. */
export const createDeviceBlockedProblem = (refusal?: string) =>
  new Problem('device-blocked', 'Cannot serve this device: an administrator has blocked it', {
    ...(refusal !== undefined && { refusal }),
  })

export const createReplayedProblem = () =>
  new Problem(
    'assertion-replayed',
    'Cannot accept the assertion: the device sent a later one already, ask again with a later iat',
  )

/** A defect: the log has the reason under the request's id. */
export const createInternalProblem = (requestId: string) =>
  new Problem('internal', `Cannot respond: the service failed, report request ${requestId}`)

/** The precedence of a version; throws `input-invalid` for one that cannot be compared. */
export function requirePrecedence(id: string): string {
  const precedence = toPrecedence(id)
  if (precedence !== undefined) return precedence
  throw new Problem('input-invalid', `Cannot register version "${id}": its numbers are too large`, {
    errors: [{ path: 'id', message: 'expected numbers of at most 2^53 - 1' }],
  })
}
