/** What the state of a device means, in words, and what to do about it. */
import type { Verdict } from '@cardwire/protocol'
import { readTexts } from '../frame/texts.ts'

/** Why a connector of `version` has to do that; `target` is the version that it can update to. */
export const explainVerdict = (
  action: Verdict['action'],
  version: string,
  target?: string,
): string => readTexts().devices.updateReasons[action](version, target)

/** The kinds that connectors report, to choose from in a filter. Newer connectors may know others. */
export const faultKinds = [
  'keystore-refused',
  'keystore-missing',
  'digest-mismatch',
  'digests-refused',
  'reply-refused',
  'counters-failed',
] as const

const isKnown = (kind: string): kind is (typeof faultKinds)[number] =>
  faultKinds.some((known) => known === kind)

/** In words; a kind that is not known has itself. */
export function describeFault(kind: string): { readonly what: string; readonly remedy: string } {
  const { errorKinds, unknownError } = readTexts().devices
  if (!isKnown(kind)) return { what: kind, remedy: unknownError }
  const { what, remedy } = errorKinds[kind]
  return { what, remedy: remedy('CARDWIRE_DS_FINGERPRINTS') }
}

/** What to call a device: its host name, or its id where it has none. */
export const nameDevice = ({
  id,
  device,
}: {
  readonly id: string
  readonly device: { readonly hostname?: string | undefined }
}): string => device.hostname?.trim() || id
