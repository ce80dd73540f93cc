/** What a page without consent may know: how to go on, and nothing of the person. */
import type { Info } from '@cardwire/client/protocol'

export const shortInfo = (about: {
  readonly version: string
  readonly hostName: string
}): Info => ({
  t1CInfoAPI: {
    service: { deviceType: 'PROXY', dsRegistryActivated: false },
    version: about.version,
    status: 'ACTIVATED',
    optionalConsent: false,
  },
  t1CInfoUser: { hostName: about.hostName },
})
