/** Why a registration was rejected, in words, and what to do about it. */
import { problems, type RefusedRegistration } from '@cardwire/protocol'
import { findLimitSetting } from '../../rules/new-device-limits.ts'
import { readTexts } from '../frame/texts.ts'

/** Of the connector. */
const keySetting = 'CARDWIRE_INSTALLATION_KEY'

interface RefusalWords {
  readonly what: string
  readonly remedy: string
}

type Facts = Pick<RefusedRegistration, 'reason' | 'detail' | 'version' | 'keyVersion'>

/** For a reason that has no words of its own: the title of its problem. */
export function explainRefusal({ reason, detail, version, keyVersion }: Facts): RefusalWords {
  const texts = readTexts().refusals.reasons
  switch (reason) {
    case 'api-key-refused':
      return { ...texts.key, remedy: texts.key.remedy(keySetting) }
    case 'version-unknown':
      return version === undefined
        ? texts.unnamedVersion
        : { what: texts.version.what(version), remedy: texts.version.remedy(version) }
    case 'device-blocked':
      return texts.blocked
    case 'clock-skewed':
      return texts.clock
    case 'assertion-refused':
      return { ...texts.signature, remedy: texts.signature.remedy('DS_URL') }
    case 'too-many-requests':
      return explainLimit(detail, keyVersion)
    case 'input-invalid':
      return texts.input
    case 'page-refused':
      return texts.page
    default:
      return { what: `${problems[reason].title}.`, remedy: texts.other }
  }
}

/** Which limit it was: the message names its setting, unless the key was wrong. */
function explainLimit(detail: string, keyVersion: string | undefined): RefusalWords {
  const { tooMany, key, other } = readTexts().refusals.reasons
  const setting = findLimitSetting(detail)
  switch (setting) {
    case 'DS_DEVICES_PER_ADDRESS':
      return { ...tooMany.perAddress, remedy: tooMany.remedy(setting) }
    case 'DS_DEVICES_PER_KEY':
      return { ...tooMany.perKey, remedy: tooMany.remedy(setting) }
    case undefined:
      return keyVersion === undefined
        ? { ...tooMany.wrongKeys, remedy: key.remedy(keySetting) }
        : { what: `${problems['too-many-requests'].title}.`, remedy: other }
    default:
      return { ...tooMany.perMinute, remedy: tooMany.remedy(setting) }
  }
}
