/** A change that is explained before it is made: the page that asks, and the form that makes it. */
import { ApiProblem } from './api.ts'
import { attempt, type Confirmation, findWrongName, showConfirmation } from './change.tsx'
import { effectField, isOtherEffect } from './effect.ts'
import { type Form, readForm } from './form.ts'
import { type PageApp, type PageContext, readOwnAddress } from './page-env.ts'

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

/** Why it asks again, with the form that was sent. */
interface Refused {
  readonly form: Form
  readonly problem?: ApiProblem
  readonly typed?: string
  readonly isOther?: boolean
}

type ActDescription = Omit<Confirmation, 'to' | 'name' | 'problem' | 'typed' | 'isOther'>

/** Adds both at `path`. */
export function confirmAct<Target>(
  pages: PageApp,
  path: string,
  { find, name, describe, perform }: Act<Target>,
): void {
  const ask = async (context: PageContext, target: Target, refused?: Refused) =>
    showConfirmation(context, {
      ...(await describe(context, target, refused)),
      to: readOwnAddress(context),
      name: name(target),
      problem: refused?.problem,
      typed: refused?.typed,
      isOther: refused?.isOther,
    })

  pages.get(path, async (context) => ask(context, await find(context)))

  pages.post(path, async (context) => {
    const target = await find(context)
    const form = await readForm(context)
    const typed = findWrongName(form, name(target))
    if (typed !== undefined) return ask(context, target, { form, typed })
    if (form.has(effectField) && isOtherEffect(form, (await describe(context, target)).effect))
      return ask(context, target, { form, isOther: true })
    const done = await attempt(perform(context, target, form))
    return done instanceof ApiProblem ? ask(context, target, { form, problem: done }) : done
  })
}
