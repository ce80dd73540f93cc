/** The forms of the own account's second factor and sessions. */
import {
  beginSecondFactor,
  confirmSecondFactor,
  createRecoveryCodes,
  endOtherSessions,
  endOwnSession,
  removeSecondFactor,
} from '@cardwire/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, toPageStatus } from '../frame/change.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { showAccount } from './account.tsx'
import { firstStepAddress } from './first-steps.tsx'
import { NewRecoveryCodes } from './recovery-codes.tsx'
import { ConfirmForm, Enrolment } from './second-factor.tsx'

const ofAccount = { to: 'account/second-factor/confirm', cancel: 'account' } as const

function describeEnrolment() {
  const { title, secondFactor } = readTexts().account
  return { title: secondFactor.setUp, screen: 'account', trail: [{ to: 'account', text: title }] }
}

export function addAccountChanges(pages: PageApp): void {
  pages.post('/account/second-factor', async (context) => {
    const body = { password: (await readForm(context)).secret('factor-password') }
    const begun = await attempt(context.var.api.call(beginSecondFactor, { body }))
    if (begun instanceof ApiProblem) return refuseFactor(context, begun)
    return showPage(context, {
      ...describeEnrolment(),
      children: <Enrolment {...begun.data} {...ofAccount} />,
    })
  })

  pages.post('/account/second-factor/confirm', async (context) => {
    const body = { code: (await readForm(context)).text('code').replaceAll(' ', '') }
    const confirmed = await attempt(context.var.api.call(confirmSecondFactor, { body }))
    if (confirmed instanceof ApiProblem) {
      const status = toPageStatus(confirmed)
      const children = <ConfirmForm problem={confirmed} {...ofAccount} />
      return showPage(context, { ...describeEnrolment(), status, children })
    }
    const { ended, recoveryCodes } = confirmed.data
    return showCodes(context, recoveryCodes, readTexts().account.secondFactor.turnedOn(ended))
  })

  pages.post('/account/recovery-codes', async (context) => {
    const form = await readForm(context)
    const body = {
      password: form.secret('codes-password'),
      code: form.text('codes-code').replaceAll(' ', ''),
    }
    const renewed = await attempt(context.var.api.call(createRecoveryCodes, { body }))
    return renewed instanceof ApiProblem
      ? showAccount(context, { form: 'recovery-codes', problem: renewed })
      : showCodes(context, renewed.data.recoveryCodes)
  })

  pages.post('/account/second-factor/remove', async (context) => {
    const body = { password: (await readForm(context)).secret('factor-password') }
    const removed = await attempt(context.var.api.call(removeSecondFactor, { body }))
    if (removed instanceof ApiProblem) return refuseFactor(context, removed)
    if (removed.data.firstStep !== undefined) return showNext(context, firstStepAddress)
    const done = readTexts().account.secondFactor.turnedOff
    return showAccount(context, { form: 'second-factor', done })
  })

  pages.post('/account/sessions/end-others', async (context) => {
    const { data } = await context.var.api.call(endOtherSessions, {})
    const done = readTexts().account.sessions.othersEnded(data.ended)
    return showAccount(context, { form: 'sessions', done })
  })

  pages.post('/account/sessions/:id/end', async (context) => {
    const params = { id: context.req.param('id') }
    const ended = await attempt(context.var.api.call(endOwnSession, { params }))
    return ended instanceof ApiProblem
      ? showAccount(context, { form: 'sessions', problem: ended })
      : showAccount(context, { form: 'sessions', done: readTexts().account.sessions.ended })
  })
}

/** Shows the codes for the only time. */
const showCodes = (
  context: PageContext,
  codes: readonly string[],
  done?: string,
): Promise<Response> =>
  showPage(context, {
    ...describeEnrolment(),
    title: readTexts().account.recoveryCodes.title,
    children: (
      <>
        {done !== undefined && (
          <div class="done" role="status">
            <p>{done}</p>
          </div>
        )}
        <NewRecoveryCodes codes={codes} next="account" />
      </>
    ),
  })

const refuseFactor = (context: PageContext, problem: ApiProblem): Promise<Response> =>
  showAccount(context, { form: 'second-factor', problem })
