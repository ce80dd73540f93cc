/** What the state of a device means, in words, and what to do about it. */
import type { DeviceStanding, Verdict } from '@cardwire/client/protocol'

export const statusWords: Readonly<Record<DeviceStanding, string>> = {
  active: 'Active',
  silent: 'Silent',
  waiting: 'Waits for approval',
  blocked: 'Blocked',
}

/** Beside the word: what follows from it. */
export const statusMeanings: Readonly<Record<DeviceStanding, string>> = {
  active: 'It synchronizes, and gets everything that its version has.',
  silent:
    'It has not synchronized for a week or more: it is switched off, was replaced, or does not reach this service.',
  waiting: 'It synchronizes, and gets no keystore until an administrator approves it.',
  blocked: 'Every request of it is refused until an administrator unblocks it.',
}

type Action = Verdict['action']

export const verdictWords: Readonly<Record<Action, string>> = {
  none: 'Nothing to do',
  recommend: 'Update recommended',
  require: 'Update required',
  stop: 'Stopped',
}

/** Why a connector of `version` has to do that; `target` is the version that it can update to. */
export function explainVerdict(action: Action, version: string, target?: string): string {
  const next = target === undefined ? '' : ` It is offered version ${target}.`
  const nothing = ' No newer version has an installer for its system.'
  switch (action) {
    case 'none':
      return `No rule asks anything of version ${version}.`
    case 'recommend':
      return `A version newer than ${version} is recommended.${next}`
    case 'require':
      return `A version newer than ${version} is mandatory: the connector notifies the user and stops.${next || nothing}`
    case 'stop':
      return `Version ${version} is not allowed: the connector shuts down.${next || nothing}`
  }
}

interface FaultWords {
  readonly what: string
  readonly remedy: string
}

/** The faults that connectors report. Newer ones may know others. */
const faultWords: Readonly<Record<string, FaultWords>> = {
  'keystore-refused': {
    what: 'It cannot use the keystore',
    remedy:
      'Check the password, the digest and the dates of the keystore in the configuration of its version.',
  },
  'keystore-missing': {
    what: 'It could not fetch the keystore',
    remedy:
      'Check that the address in the configuration of its version can be reached from the device.',
  },
  'digest-mismatch': {
    what: 'Files of the connector are not those of its version',
    remedy:
      'Install the connector again, or correct the digests in the configuration of its version.',
  },
  'digests-refused': {
    what: 'It cannot compare its files with the digests',
    remedy: 'If the list is wrong, correct the digests in the configuration of its version.',
  },
  'reply-refused': {
    what: 'It does not trust the reply of this service',
    remedy:
      'If the service lost its reply keys, name the new one in CARDWIRE_DS_FINGERPRINTS on the device. Otherwise something between alters replies.',
  },
  'counters-failed': {
    what: 'It cannot store what it counts',
    remedy: 'Look for a full disk or a read-only folder on the device.',
  },
}

/** The kinds that can be chosen in a filter. */
export const faultKinds = Object.keys(faultWords)

/** In words; a kind that is not known has itself. */
export const describeFault = (kind: string): FaultWords =>
  (Object.hasOwn(faultWords, kind) ? faultWords[kind] : undefined) ?? {
    what: kind,
    remedy: 'A newer connector than this service reports it.',
  }

/** What to call a device: its host name, or its id where it has none. */
export const nameDevice = ({
  id,
  device,
}: {
  readonly id: string
  readonly device: { readonly hostname?: string | undefined }
}): string => device.hostname?.trim() || id
