/** A form that changes what is stored. If another user was faster, it shows both values. */
import { ApiProblem } from './api.ts'
import { attempt } from './change.tsx'
import { type Conflict, isConflict, isEditedFurther, showConflict } from './conflict.tsx'
import { type Form, readForm } from './form.ts'
import { type PageApp, type PageContext, readOwnAddress, showNext } from './page-env.ts'

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
  /** Throws `ApiProblem` with `revision-mismatch` when what is stored has another ETag than `ifMatch`. */
  store(context: PageContext, stored: S, typed: Typed, ifMatch: string): Promise<unknown>
  describeConflict(stored: S, typed: Typed): Omit<Conflict, 'id' | 'to' | 'page' | 'etag'>
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
  { find, toAddress, read, show, store, describeConflict }: Edit<S, Typed>,
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
  const to = readOwnAddress(context)
  return showConflict(context, { ...describeConflict(current, typed), id, to, page, etag })
}
