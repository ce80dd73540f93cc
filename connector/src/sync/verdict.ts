/** What the person is told of a verdict. */
import type { Message } from '../desktop/desktop.ts'
import type { Policy } from './state.ts'

type Verdict = Policy['verdict']

/** A verdict counts for the version that was judged, and is forgotten with it. */
const judged = (policy: Pick<Policy, 'verdict'> | undefined, version: string) =>
  policy?.verdict.version === version ? policy.verdict : undefined

/** The verdict by which this version must not run on; undefined: it may. */
export function forbidding(
  policy: Pick<Policy, 'verdict'> | undefined,
  version: string,
): Verdict | undefined {
  const verdict = judged(policy, version)
  return verdict?.action === 'require' || verdict?.action === 'stop' ? verdict : undefined
}

/** The verdict that recommends another version. */
export function recommending(
  policy: Pick<Policy, 'verdict'> | undefined,
  version: string,
): Verdict | undefined {
  const verdict = judged(policy, version)
  return verdict?.action === 'recommend' ? verdict : undefined
}

export function messageOf({ action, version, offer }: Verdict): Message {
  const link = offer && { label: `Download ${offer.version}`, url: offer.url }
  const next = offer
    ? `Install version ${offer.version}.`
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
