/** Changes that a page makes: what the administrator may do, why one was refused, and the page before one that hurts. */
import { includesRole, Problem, type ProblemName, type Role } from '@cardwire/protocol'
import type { MiddlewareHandler } from 'hono'
import type { Child } from 'hono/jsx'
import { ApiProblem } from './api.ts'
import { effectField } from './effect.ts'
import { Field, findError, HiddenFields, ProblemNote } from './fields.tsx'
import type { Form } from './form.ts'
import { type PageContent, showPage } from './layout.tsx'
import type { PageContext, PageEnv } from './page-env.ts'
import { PostForm } from './post-form.tsx'
import { describeProblem } from './problem-words.ts'
import { readTexts } from './texts.ts'

/** Whether the user may call an operation. Others do not see its form, and the operation refuses them itself. */
export const mayCall = (context: PageContext, { access }: { readonly access: Role }): boolean =>
  includesRole(context.var.identity.role, access)

/** For a form that may be answered without calling its operation: users who may not call it get 403 here. */
export const requireRole =
  (operation: { readonly access: Role }): MiddlewareHandler<PageEnv> =>
  (context, next) => {
    if (mayCall(context, operation)) return next()
    throw new Problem('role-missing', `Cannot allow this: it needs the role "${operation.access}"`)
  }

/** The result of a change, or the problem with which its operation refused it. */
export async function attempt<T>(change: Promise<T>): Promise<T | ApiProblem> {
  try {
    return await change
  } catch (error) {
    // Without a session there is nothing to correct: the login comes first.
    if (error instanceof ApiProblem && error.status !== 401) return error
    throw error
  }
}

/** The status of the page that shows a problem. */
export const toPageStatus = (
  problem: ApiProblem | Problem | undefined,
): NonNullable<PageContent['status']> =>
  (problem?.status ?? 200) as NonNullable<PageContent['status']>

/** What is wrong with a field: its error in the problem, or the problem itself where it is one of `about`. */
export const explainField = (
  problem: ApiProblem | undefined,
  path: string,
  about: readonly ProblemName[] = [],
): Child | undefined =>
  problem?.problem !== undefined && about.includes(problem.problem)
    ? describeProblem(problem).sentence
    : findError(problem, path)

/** A button that asks first: what happens, and the name of what it happens to, which has to be typed. */
export interface Confirmation extends Pick<PageContent, 'title' | 'trail' | 'screen'> {
  /** What it does: users who may not call it get no form. */
  readonly operation: { readonly access: Role }
  /** Where the form goes, below `/admin/`. */
  readonly to: string
  /** What has to be typed; nothing when absent. */
  readonly name?: string
  /** The same for a number, as `formatCount` writes it. */
  readonly isNumber?: boolean
  /** The text of the button, such as `Remove application`. */
  readonly button: string
  readonly problem?: ApiProblem | undefined
  /** The digest of what the change does, which its form has to repeat (`effect.ts`). */
  readonly effect?: string | undefined
  /** Whether it does something else than when it was confirmed. */
  readonly isOther?: boolean | undefined
  /** What was typed and is not the name. */
  readonly typed?: string | undefined
  /** What will happen. */
  readonly children: Child
  /** Whether it can be undone: none or undo, or another sentence. */
  readonly wayBack: 'none' | 'undo' | { readonly sentence: string }
  /** Whether something else has to be done first, as `children` says: there is no form. */
  readonly isRefused?: boolean
  /** Whether it takes something away, or cannot be undone: its button stands out. */
  readonly isDangerous?: boolean
  /** More fields. */
  readonly fields?: Child
  /** Whether `fields` repeats what another form has: a second button leads back to that one. */
  readonly mayEdit?: boolean
}

export const showConfirmation = (
  context: PageContext,
  {
    title,
    trail,
    screen,
    operation,
    to,
    name,
    isNumber = false,
    button,
    problem,
    effect,
    isOther = false,
    typed,
    children,
    wayBack,
    isRefused = false,
    isDangerous = true,
    fields,
    mayEdit = false,
  }: Confirmation,
): Promise<Response> => {
  const { wrongName, wrongNumber } = readTexts().frame
  const explainTyped = isNumber ? wrongNumber : wrongName
  return showPage(context, {
    title,
    ...(trail && { trail }),
    ...(screen !== undefined && { screen }),
    status: isOther ? 409 : typed === undefined ? toPageStatus(problem) : 422,
    children: (
      <>
        <ProblemNote problem={problem} />
        {isOther && (
          <div class="error" role="alert">
            <p>{readTexts().frame.otherEffect}</p>
          </div>
        )}
        {children}
        {!isRefused && (
          <p>
            {typeof wayBack === 'string' ? readTexts().frame.wayBack[wayBack] : wayBack.sentence}
          </p>
        )}
        {isRefused ? null : mayCall(context, operation) ? (
          <PostForm {...{ to, button, mayEdit, isDangerous }} cancel={trail?.at(-1)?.to || './'}>
            {fields}
            {effect !== undefined && <HiddenFields values={[[effectField, effect]]} />}
            {name !== undefined && (
              <Field
                name="confirm"
                label={readTexts().frame.confirmName(name)}
                value={typed}
                error={typed === undefined ? undefined : explainTyped(name)}
                required
              />
            )}
          </PostForm>
        ) : (
          <p>{readTexts().frame.noPermission}</p>
        )}
      </>
    ),
  })
}

/** What was typed in place of `name`; undefined when it was the name. */
export function findWrongName(form: Form, name: string): string | undefined {
  const typed = form.text('confirm')
  return typed === name ? undefined : typed
}

/** The same for a number, with or without the marks between its thousands. */
export function findWrongNumber(form: Form, number: string): string | undefined {
  const typed = form.text('confirm')
  return typed.replaceAll(/[\s.,'’]/g, '') === number ? undefined : typed
}
