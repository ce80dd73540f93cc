/** What an account has to do before it gets to any other page: a page for each step, without the way to the screens. */
import { beginSecondFactor, confirmSecondFactor, type FirstStep } from '@cardwire/protocol'
import type { MiddlewareHandler } from 'hono'
import type { Child } from 'hono/jsx'
import { ApiProblem } from '../frame/api.ts'
import { attempt, toPageStatus } from '../frame/change.tsx'
import { Field, ProblemNote } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPlainPage } from '../frame/layout.tsx'
import {
  type PageApp,
  type PageContext,
  type PageEnv,
  readOwnAddress,
  showNext,
} from '../frame/page-env.ts'
import { PostForm } from '../frame/post-form.tsx'
import { readTarget } from '../frame/target.ts'
import { readTexts } from '../frame/texts.ts'
import { applyPasswordForm, PasswordForm } from './password-form.tsx'
import { NewRecoveryCodes } from './recovery-codes.tsx'
import { ConfirmForm, Enrolment } from './second-factor.tsx'

/** Below `/admin/`. */
export const firstStepAddress = 'first-step'
const here = firstStepAddress

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

  pages.post(`/${here}/second-factor`, async (context) => {
    const form = await readForm(context)
    const to = readTarget(form.text('to'))
    const body = { password: form.secret('factor-password') }
    const begun = await attempt(context.var.api.call(beginSecondFactor, { body }))
    if (begun instanceof ApiProblem)
      return showStep(context, 'second-factor-setup-required', { to, problem: begun })
    return showSetUp(context, <Enrolment {...begun.data} to={confirmAddress} next={to} />)
  })

  pages.post(`/${here}/second-factor/confirm`, async (context) => {
    const form = await readForm(context)
    const to = readTarget(form.text('to'))
    const body = { code: form.text('code').replaceAll(' ', '') }
    const confirmed = await attempt(context.var.api.call(confirmSecondFactor, { body }))
    if (confirmed instanceof ApiProblem)
      return showSetUp(
        context,
        <ConfirmForm problem={confirmed} to={confirmAddress} next={to} />,
        confirmed,
      )
    return showPlainPage(context, {
      title: readTexts().account.recoveryCodes.title,
      children: <NewRecoveryCodes codes={confirmed.data.recoveryCodes} next={to || './'} />,
    })
  })

  pages.use(leadToStep)
}

const confirmAddress = `${here}/second-factor/confirm`

const showSetUp = (context: PageContext, children: Child, problem?: ApiProblem) =>
  showPlainPage(context, {
    title: readTexts().account.firstSteps.secondFactor.title,
    status: toPageStatus(problem),
    children,
  })

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
  'second-factor-setup-required': ({ to, problem }) => {
    const { firstSteps, secondFactor } = readTexts().account
    return (
      <>
        <p>{firstSteps.secondFactor.about}</p>
        <ProblemNote problem={problem} />
        <PostForm to={`${here}/second-factor`} button={firstSteps.secondFactor.button}>
          <input type="hidden" name="to" value={to} />
          <Field
            name="factor-password"
            label={secondFactor.password}
            type="password"
            autocomplete="current-password"
            required
          />
        </PostForm>
      </>
    )
  },
}

const SignOut = () => (
  <form method="post" action="logout">
    <button type="submit" class="second">
      {readTexts().frame.signOut}
    </button>
  </form>
)

const showStep = (context: PageContext, step: FirstStep, props: StepProps): Promise<Response> =>
  showPlainPage(context, {
    title: readTexts().account.firstSteps[titles[step]].title,
    status: toPageStatus(props.problem),
    children: (
      <>
        {steps[step](props)}
        <SignOut />
      </>
    ),
  })

const titles = {
  'password-change-required': 'password',
  'second-factor-setup-required': 'secondFactor',
} as const satisfies Record<FirstStep, string>
