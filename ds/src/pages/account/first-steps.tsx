/** What an account has to do before it gets to any other page: a page for each step, without the way to the screens. */
import type { FirstStep } from '@cardwire/client/protocol'
import type { MiddlewareHandler } from 'hono'
import type { Child } from 'hono/jsx'
import { ApiProblem } from '../frame/api.ts'
import { toPageStatus } from '../frame/change.tsx'
import { readForm } from '../frame/form.ts'
import { showPlainPage } from '../frame/layout.tsx'
import {
  type PageApp,
  type PageContext,
  type PageEnv,
  readOwnAddress,
  showNext,
} from '../frame/page-env.ts'
import { readTarget } from '../frame/target.ts'
import { readTexts } from '../frame/texts.ts'
import { applyPasswordForm, PasswordForm } from './password-form.tsx'

const here = 'first-step'

interface StepProps {
  readonly to: string
  readonly problem?: ApiProblem | undefined
}

export function addFirstSteps(pages: PageApp): void {
  pages.get(`/${here}`, (context) => {
    const to = readTarget(context.req.query('to') ?? '')
    const { firstStep } = context.var.identity
    return firstStep === undefined ? showNext(context, to) : showStep(context, firstStep, { to })
  })

  pages.post(`/${here}/password`, async (context) => {
    const form = await readForm(context)
    const to = readTarget(form.text('to'))
    const changed = await applyPasswordForm(context, form)
    return changed instanceof ApiProblem
      ? showStep(context, 'password-change-required', { to, problem: changed })
      : showNext(context, toStepAddress(to))
  })

  pages.use(leadToStep)
}

const toStepAddress = (to: string): string =>
  to === '' ? here : `${here}?to=${encodeURIComponent(to)}`

/** Leads from all pages to the step that comes first. */
const leadToStep: MiddlewareHandler<PageEnv> = (context, next) => {
  if (context.var.identity.firstStep === undefined) return next()
  const isRead = context.req.method === 'GET'
  const { search } = new URL(context.req.url)
  return Promise.resolve(
    showNext(context, toStepAddress(isRead ? readTarget(readOwnAddress(context) + search) : '')),
  )
}

const steps: Readonly<Record<FirstStep, (props: StepProps) => Child>> = {
  'password-change-required': ({ to, problem }) => {
    const texts = readTexts().account.firstSteps.password
    return (
      <>
        <p>{texts.about}</p>
        <PasswordForm problem={problem} to={`${here}/password`} button={texts.button} next={to} />
      </>
    )
  },
}

const showStep = (context: PageContext, step: FirstStep, props: StepProps): Promise<Response> =>
  showPlainPage(context, {
    title: readTexts().account.firstSteps[titles[step]].title,
    status: toPageStatus(props.problem),
    children: (
      <>
        {steps[step](props)}
        <form method="post" action="logout">
          <button type="submit" class="second">
            {readTexts().frame.signOut}
          </button>
        </form>
      </>
    ),
  })

const titles = { 'password-change-required': 'password' } as const satisfies Record<
  FirstStep,
  string
>
