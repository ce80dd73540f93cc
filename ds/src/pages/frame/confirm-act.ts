/** A change that is explained before it is made: the page that asks, and the form that makes it. */
import { ApiProblem } from './api.ts'
import { attempt, type Confirmation, findWrongName, showConfirmation } from './change.tsx'
import { type Form, readForm } from './form.ts'
import type { PageApp, PageContext } from './page-env.ts'

interface Act<Target> {
  /** What it happens to. Throws `ApiProblem` when it does not exist. */
  find(context: PageContext): Promise<Target>
  /** What has to be typed to confirm it. */
  name(target: Target): string
  /** What will happen; `refused`: the form that was sent before, and the problem with it. */
  describe(
    context: PageContext,
    target: Target,
    refused?: { readonly form: Form; readonly problem?: ApiProblem },
  ): ActDescription | Promise<ActDescription>
  /** Makes the change, and shows the next page. When it throws `ApiProblem`, the page asks again. */
  perform(context: PageContext, target: Target, form: Form): Promise<Response>
}

type ActDescription = Omit<Confirmation, 'name' | 'problem' | 'typed'>

/** Adds both at `path`. */
export function confirmAct<Target>(
  pages: PageApp,
  path: string,
  { find, name, describe, perform }: Act<Target>,
): void {
  pages.get(path, async (context) => {
    const target = await find(context)
    const description = await describe(context, target)
    return showConfirmation(context, { ...description, name: name(target) })
  })

  pages.post(path, async (context) => {
    const target = await find(context)
    const form = await readForm(context)
    const typed = findWrongName(form, name(target))
    const done = typed === undefined ? await attempt(perform(context, target, form)) : undefined
    if (done !== undefined && !(done instanceof ApiProblem)) return done
    const description = await describe(context, target, { form, ...(done && { problem: done }) })
    return showConfirmation(context, { ...description, name: name(target), problem: done, typed })
  })
}
