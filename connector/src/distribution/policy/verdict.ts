/** The policy's verdict on this version, and the message that the user sees. */
import { findCatalog } from '../../languages/catalogs.ts'
import type { Message } from '../../system/desktop/desktop.ts'
import type { Policy } from '../client/verify-reply.ts'

type Verdict = Policy['verdict']
type VerdictPolicy = Pick<Policy, 'verdict'> | undefined

/** The verdict by which this version must not run; undefined: it may run. */
export function findBlockingVerdict(policy: VerdictPolicy, version: string): Verdict | undefined {
  const verdict = getVerdict(policy, version)
  return verdict?.action === 'require' || verdict?.action === 'stop' ? verdict : undefined
}

/** The verdict that recommends another version. */
export function findRecommendation(policy: VerdictPolicy, version: string): Verdict | undefined {
  const verdict = getVerdict(policy, version)
  return verdict?.action === 'recommend' ? verdict : undefined
}

/** A verdict applies only to the version that it names. */
const getVerdict = (policy: VerdictPolicy, version: string) =>
  policy?.verdict.version === version ? policy.verdict : undefined

/** How a user is told. */
export interface MessageOptions {
  /** False where an administrator installs updates. */
  readonly offersUpdates: boolean
  /** Of the user, a tag of BCP 47; may be empty. */
  readonly language: string
}

export function toMessage(
  { action, version, offer }: Verdict,
  { offersUpdates, language }: MessageOptions,
): Message {
  const { close, verdict: texts } = findCatalog(language).dialogs
  const link =
    offer && offersUpdates ? { label: texts.install(offer.version), url: offer.url } : undefined
  const next = offer && link ? texts.canBeInstalled(offer.version) : texts.askAdministrator
  const title = action === 'recommend' ? texts.canBeUpdated : texts.mustBeUpdated
  const reason = action === 'none' ? '' : texts[action](version)
  return { title, text: `${reason}\n${next}`, close, ...(link && { link }) }
}
