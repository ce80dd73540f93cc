/** The answer to /info for a page without consent: how to continue, and nothing about the user or the computer. */
import type { Info } from '@cardwire/protocol/connector-system'

export const createPublicInfo = (version: string): Info => ({
  t1CInfoAPI: {
    service: { deviceType: 'PROXY', dsRegistryActivated: false },
    version,
    status: 'ACTIVATED',
    optionalConsent: false,
  },
  // Legacy clients expect a name, and use it only with a service that has a registry of agents.
  t1CInfoUser: { hostName: 'localhost' },
})
