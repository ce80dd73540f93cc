/** The policy's verdict on this version, and the message that the user sees. */
import type { Message } from '../../desktop/desktop.ts'
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

/** `offersUpdates`: false where an administrator installs them. */
export function toMessage({ action, version, offer }: Verdict, offersUpdates: boolean): Message {
  const link =
    offer && offersUpdates ? { label: `Install ${offer.version}`, url: offer.url } : undefined
  const next = link
    ? `Version ${offer?.version} can be installed now. The system asks for an administrator.`
    : 'Ask your administrator for another version.'
  const texts = {
    none: '',
    recommend: `Version ${version} of Cardwire runs on this machine, and another one is recommended.`,
    require: `Version ${version} of Cardwire is too old to be used, and ends now.`,
    stop: `Version ${version} of Cardwire may not be used any more, and ends now.`,
  }
  const title = action === 'recommend' ? 'Cardwire can be updated' : 'Cardwire has to be updated'
  return { title, text: `${texts[action]}\n${next}`, ...(link && { link }) }
}
