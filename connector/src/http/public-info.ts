/** The answer to /info for a page without consent: how to continue, and nothing about the person. */
import type { Info } from '@cardwire/client/protocol'

export const createPublicInfo = (connector: {
  readonly version: string
  readonly hostName: string
}): Info => ({
  t1CInfoAPI: {
    service: { deviceType: 'PROXY', dsRegistryActivated: false },
    version: connector.version,
    status: 'ACTIVATED',
    optionalConsent: false,
  },
  t1CInfoUser: { hostName: connector.hostName },
})
