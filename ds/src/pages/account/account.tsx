/** The own account: who one is, password, second factor, sessions. */
import { getAccount, listSessions } from '@cardwire/protocol'
import { findChosenLanguage, isLanguage, rememberLanguage } from '../../http/language.ts'
import { ApiProblem } from '../frame/api.ts'
import { toPageStatus } from '../frame/change.tsx'
import { FactList } from '../frame/facts.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { LanguageForm } from './language-form.tsx'
import { applyPasswordForm, PasswordForm } from './password-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

/** What a form has just done, or why it was refused. */
interface Outcome {
  readonly form: 'password' | 'second-factor' | 'recovery-codes' | 'sessions'
  readonly done?: string
  readonly problem?: ApiProblem
}

export function addAccount(pages: PageApp): void {
  pages.get('/account', (context) => showAccount(context))

  pages.post('/account/language', async (context) => {
    const chosen = (await readForm(context)).text('language')
    rememberLanguage(context, isLanguage(chosen) ? chosen : undefined)
    return showNext(context, 'account')
  })

  pages.post('/account/password', async (context) => {
    const changed = await applyPasswordForm(context, await readForm(context))
    return changed instanceof ApiProblem
      ? showAccount(context, { form: 'password', problem: changed })
      : showAccount(context, {
          form: 'password',
          done: readTexts().account.password.done(changed),
        })
  })
}

/** Shows the page, with the outcome of one of its forms. */
export async function showAccount(context: PageContext, outcome?: Outcome): Promise<Response> {
  const { api } = context.var
  const { data: account } = await api.call(getAccount, {})
  const { data: sessions } = await api.call(listSessions, {})
  const problem = (form: Outcome['form']) => (outcome?.form === form ? outcome.problem : undefined)
  const texts = readTexts()
  return showPage(context, {
    title: texts.account.title,
    screen: 'account',
    status: toPageStatus(outcome?.problem),
    children: (
      <>
        {outcome?.done !== undefined && (
          <div class="done" role="status">
            <p>{outcome.done}</p>
          </div>
        )}
        <FactList
          facts={{
            [texts.account.name]: account.name,
            [texts.account.role]: texts.administrators.roles[account.role],
          }}
        />
        {account.secondFactor === undefined ? (
          <p>{texts.account.external}</p>
        ) : (
          <>
            <h2>{texts.account.password.title}</h2>
            <PasswordForm
              problem={problem('password')}
              to="account/password"
              button={texts.account.password.button}
            />
            <SecondFactor isOn={account.secondFactor} problem={problem('second-factor')} />
            {account.recoveryCodes && (
              <RecoveryCodes {...account.recoveryCodes} problem={problem('recovery-codes')} />
            )}
          </>
        )}
        <LanguageForm chosen={findChosenLanguage(context) ?? ''} />
        <Sessions sessions={sessions} problem={problem('sessions')} />
      </>
    ),
  })
}
