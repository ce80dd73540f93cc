/** A change that is saved only after its review: the page that says whom it reaches, and for a large reach asks for a name. */
import type { KeystoreCertificate } from '@cardwire/protocol'
import { ApiProblem } from './api.ts'
import { attempt, findWrongName } from './change.tsx'
import { isOtherEffect } from './effect.ts'
import type { Form } from './form.ts'

/** Why the review is shown again: what was refused, the wrong name, or that the change does something else by now. */
export interface ReviewState {
  readonly problem?: ApiProblem | undefined
  readonly typed?: string | undefined
  readonly isOther?: boolean | undefined
  /** Of the keystore that would be saved. */
  readonly certificate?: KeystoreCertificate | undefined
}

interface ReviewedChange<T> {
  /** What has to be typed, where the review asks for it. */
  readonly name: string
  /** Makes the change, unless it reaches more than `maxReach`, the number that the review has shown: 0 before there was one. */
  save(maxReach: string): Promise<T>
  review(state: ReviewState): Promise<Response>
  /** The digest of what the change does, where other changes may alter it. */
  readEffect?(): Promise<string>
}

/** What was saved, the problem of a change that is refused for another reason than its reach, or the review. */
export async function saveReviewed<T>(
  form: Form,
  { name, save, review, readEffect }: ReviewedChange<T>,
): Promise<T | ApiProblem | Response> {
  const typed = form.has('confirm') ? findWrongName(form, name) : undefined
  if (typed !== undefined) return review({ typed })
  if (isOtherEffect(form, await readEffect?.())) return review({ isOther: true })
  const saved = await attempt(save(form.text('maxReach') || '0'))
  if (!(saved instanceof ApiProblem) || saved.problem !== 'reach-exceeded') return saved
  const { certificate } = saved
  return review({ problem: form.has('maxReach') ? saved : undefined, certificate })
}
