/** Why a registration was rejected, in words, and what to do about it. */
import { problems, type RefusedRegistration } from '@cardwire/client/protocol'
import { readTexts } from '../frame/texts.ts'

interface RefusalWords {
  readonly what: string
  readonly remedy: string
}

type Facts = Pick<RefusedRegistration, 'reason' | 'version' | 'keyVersion'>

/** For a reason that has no words of its own: the title of its problem. */
export function explainRefusal({ reason, version, keyVersion }: Facts): RefusalWords {
  const texts = readTexts().refusals.reasons
  switch (reason) {
    case 'api-key-refused':
      return { ...texts.key, remedy: texts.key.remedy('CARDWIRE_INSTALLATION_KEY') }
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
      return {
        what: texts.tooMany.what,
        remedy:
          keyVersion === undefined
            ? texts.tooMany.remedy('DS_DEVICES_PER_ADDRESS')
            : texts.tooMany.remedyWithKey('DS_DEVICES_PER_ADDRESS', 'DS_DEVICES_PER_KEY'),
      }
    case 'input-invalid':
      return texts.input
    case 'page-refused':
      return texts.page
    default:
      return { what: `${problems[reason].title}.`, remedy: texts.other }
  }
}
