/** Why a registration was refused, in words, and what to do about it. */
import { type ProblemName, problems, type RefusedRegistration } from '@cardwire/client/protocol'

interface RefusalWords {
  readonly what: string
  readonly remedy: string
}

type Facts = Pick<RefusedRegistration, 'reason' | 'version' | 'keyVersion'>

const words: Partial<Record<ProblemName, (facts: Facts) => RefusalWords>> = {
  'api-key-refused': () => ({
    what: 'Its installation key is missing, wrong, or was replaced.',
    remedy:
      'Give it the key of its version: with a package that carries the key, or as CARDWIRE_INSTALLATION_KEY on the device.',
  }),
  'version-unknown': ({ version = 'of the connector' }) => ({
    what: `Version ${version} is not registered with this service.`,
    remedy: `Register version ${version}, or install a version that is registered.`,
  }),
  'device-blocked': () => ({
    what: 'The device is blocked, and its key with it.',
    remedy: 'Search the devices for the fingerprint, and unblock it if that was a mistake.',
  }),
  'clock-skewed': () => ({
    what: 'Its clock and that of this service are more than a minute apart.',
    remedy:
      'Set the clock of the device right; if many devices say so, look at that of the service.',
  }),
  'assertion-refused': () => ({
    what: 'What it signed does not fit its request.',
    remedy:
      'It was set up for another address of this service, or something between changes its requests. Its setting of the address has to be the DS_URL of this service.',
  }),
  'too-many-requests': ({ keyVersion }) => ({
    what: 'Too many new devices have registered today, or too many attempts came from its address.',
    remedy: `It tries again by itself. If so many devices are meant to come, raise DS_DEVICES_PER_ADDRESS${keyVersion === undefined ? '' : ' or DS_DEVICES_PER_KEY'}; else look who uses the installation key.`,
  }),
  'input-invalid': () => ({
    what: 'It sends what this service does not understand.',
    remedy: 'Install a version of the connector that fits this service.',
  }),
  'page-refused': () => ({
    what: 'A web page tried to register, and no connector.',
    remedy: 'Nothing has to be done: pages are never let in.',
  }),
}

/** For a reason that has no words of its own: the title of its problem. */
export function explainRefusal(facts: Facts): RefusalWords {
  const explain = words[facts.reason]
  if (explain) return explain(facts)
  return {
    what: `${problems[facts.reason].title}.`,
    remedy: 'The answer and the request id below lead to more in the log of the service.',
  }
}
