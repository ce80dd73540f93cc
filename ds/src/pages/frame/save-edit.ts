/** Stores what was typed in a form. If another user was faster, it shows both values. */
import { ApiProblem } from './api.ts'
import { attempt } from './change.tsx'
import { type Conflict, isConflict, isEditedFurther, showConflict } from './conflict.tsx'
import { type Form, readForm } from './form.ts'
import { type PageContext, showNext } from './page-env.ts'

interface Stored {
  readonly id: string
  readonly etag: string | undefined
}

interface Edit<S extends Stored, Typed> {
  /** What is stored now. */
  find(context: PageContext): Promise<S>
  /** Where its page is, below `/admin/`. */
  toAddress(id: string): string
  read(form: Form, stored: S): Typed
  /** The form with what was typed, and why it was refused. */
  show(context: PageContext, stored: S, typed: Typed, problem?: ApiProblem): Promise<Response>
  /** Throws `ApiProblem` with `revision-mismatch` when what is stored has another ETag than `ifMatch`. */
  store(context: PageContext, stored: S, typed: Typed, ifMatch: string): Promise<unknown>
  describeConflict(stored: S, typed: Typed): Omit<Conflict, 'id' | 'to' | 'page' | 'etag'>
}

/** `stored`: what the form is about; `to`: where the form goes, its page when absent. */
export async function saveEdit<S extends Stored, Typed>(
  context: PageContext,
  stored: S,
  { find, toAddress, read, show, store, describeConflict }: Edit<S, Typed>,
  to = toAddress(stored.id),
): Promise<Response> {
  const form = await readForm(context)
  const typed = read(form, stored)
  if (isEditedFurther(form)) return show(context, stored, typed)
  const changed = await attempt(store(context, stored, typed, form.text('etag')))
  const page = toAddress(stored.id)
  if (!(changed instanceof ApiProblem)) return showNext(context, page)
  if (!isConflict(changed)) return show(context, stored, typed, changed)
  const current = await find(context)
  const { id, etag } = current
  return showConflict(context, { ...describeConflict(current, typed), id, to, page, etag })
}
