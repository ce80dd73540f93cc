/** When sites can no longer use the card readers of devices that are blocked or removed. */
import type { Device } from '@cardwire/protocol'
import type { Child } from 'hono/jsx'
import type { Services } from '../../services.ts'
import { Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'

const dayMs = 86_400_000

/** A device that gets no signed refusal follows its last policy. */
export const EndOfAccess = ({
  services: { settings, clock },
  device: { lastSeenAt },
  texts,
}: {
  readonly services: Pick<Services, 'settings' | 'clock'>
  readonly device: Pick<Device, 'lastSeenAt'>
  readonly texts: { readonly until: (at: Child) => Child; readonly forever: string }
}) => {
  if (settings.policyMaxAgeS === undefined) return <>{texts.forever}</>
  // The service knows the day of the last sync, so it may have been at its end.
  const seenBefore = (Math.floor(Date.parse(lastSeenAt) / dayMs) + 1) * dayMs
  const end = seenBefore + settings.policyMaxAgeS * 1000
  if (end <= clock()) return <>{readTexts().devices.access.ended}</>
  return <>{texts.until(<Time at={new Date(end).toISOString()} />)}</>
}
