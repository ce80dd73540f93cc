/** A form that changes what is stored. If another user was faster, it shows both values. */
import { ApiProblem } from './api.ts'
import { attempt, findWrongName } from './change.tsx'
import { type Conflict, isConflict, showConflict } from './conflict.tsx'
import { showDone } from './done.tsx'
import { isOtherEffect } from './effect.ts'
import { type Form, readForm } from './form.ts'
import { type PageApp, type PageContext, readOwnAddress, showNext } from './page-env.ts'
import { isEditedFurther } from './post-form.tsx'
import type { ReviewState } from './reviewed-change.ts'

interface Stored {
  readonly id: string
  readonly etag: string | undefined
}

interface Edit<S extends Stored, Typed> {
  /** What is stored now. Throws `ApiProblem` when it does not exist. */
  find(context: PageContext): Promise<S>
  /** The page instead of the form, for what the form cannot change. */
  refuse?(context: PageContext, stored: S): Promise<Response> | undefined
  /** Where its page is, below `/admin/`. */
  toAddress(id: string): string
  /** The form as it is before anything was typed. */
  toTyped(stored: S): Typed
  read(form: Form, stored: S): Typed
  /** The form with what was typed, and why it was refused. */
  show(context: PageContext, stored: S, typed: Typed, problem?: ApiProblem): Promise<Response>
  /** The form again, where what was typed is what is stored: nothing is saved then, and there is nothing to review. */
  refuseUnchanged?(context: PageContext, stored: S, typed: Typed): Promise<Response> | undefined
  /** Throws `ApiProblem` with `revision-mismatch` when what is stored has another ETag than `ifMatch`. */
  store(
    context: PageContext,
    stored: S,
    typed: Typed,
    ifMatch: string,
    form: Form,
  ): Promise<unknown>
  /** The page that says whom the change reaches, for a change that is refused until that was shown. */
  readonly review?: {
    /** What has to be typed, where the page asks for it. */
    name(stored: S): string
    show(context: PageContext, stored: S, typed: Typed, state: ReviewState): Promise<Response>
    /** The digest of what the change does, where changes to others may alter it. */
    readEffect?(context: PageContext, stored: S, typed: Typed): Promise<string>
  }
  /** The page after the change; that of the resource when absent, which says that `operation` is done. */
  toNext?(stored: S, saved: unknown): string
  readonly operation?: Parameters<typeof showDone>[2]
  describeConflict(stored: S, typed: Typed): Omit<Conflict, 'id' | 'to' | 'page' | 'etag' | 'saved'>
}

/** Adds the form and what it sends at `path`. */
export function editForm<S extends Stored, Typed>(
  pages: PageApp,
  path: string,
  edit: Edit<S, Typed>,
): void {
  pages.get(path, async (context) => {
    const stored = await edit.find(context)
    return edit.refuse?.(context, stored) ?? edit.show(context, stored, edit.toTyped(stored))
  })

  pages.post(path, async (context) => {
    const stored = await edit.find(context)
    return edit.refuse?.(context, stored) ?? save(context, stored, edit)
  })
}

async function save<S extends Stored, Typed>(
  context: PageContext,
  stored: S,
  {
    find,
    toAddress,
    read,
    show,
    refuseUnchanged,
    store,
    review,
    toNext,
    operation,
    describeConflict,
  }: Edit<S, Typed>,
): Promise<Response> {
  const form = await readForm(context)
  const typed = read(form, stored)
  const seen = form.text('etag')
  const showBoth = (current: S) => {
    const { id, etag } = current
    const to = readOwnAddress(context)
    const page = toAddress(id)
    const saved = () => showSaved(current, { data: current })
    return showConflict(context, { ...describeConflict(current, typed), id, to, page, etag, saved })
  }
  const showSaved = (current: S, saved: unknown) => {
    const page = toAddress(current.id)
    if (operation) return showDone(context, page, operation)
    return showNext(context, toNext?.(current, saved) ?? page)
  }
  if (isEditedFurther(form))
    return seen === stored.etag ? show(context, stored, typed) : showBoth(stored)
  const same = seen === stored.etag ? refuseUnchanged?.(context, stored, typed) : undefined
  if (same) return same
  const wrongName =
    review && form.has('confirm') ? findWrongName(form, review.name(stored)) : undefined
  if (review && wrongName !== undefined)
    return review.show(context, stored, typed, { typed: wrongName })
  if (review?.readEffect && seen === stored.etag) {
    const effect = await review.readEffect(context, stored, typed)
    if (isOtherEffect(form, effect)) return review.show(context, stored, typed, { isOther: true })
  }
  const changed = await attempt(store(context, stored, typed, seen, form))
  if (!(changed instanceof ApiProblem)) return showSaved(stored, changed)
  const isUnseen = changed.problem === 'reach-exceeded' && seen === stored.etag
  if (review && isUnseen)
    return review.show(context, stored, typed, {
      problem: form.has('maxReach') ? changed : undefined,
      certificate: changed.certificate,
    })
  if (!isConflict(changed) && changed.problem !== 'reach-exceeded')
    return show(context, stored, typed, changed)
  return showBoth(await find(context))
}
