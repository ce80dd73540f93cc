/** The own account: who one is, password, second factor, sessions. */
import { changePassword, getAccount, listSessions } from '@cardwire/client/protocol'
import { findChosenLanguage, isLanguage, rememberLanguage } from '../../http/language.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, toPageStatus } from '../frame/change.tsx'
import { FactList } from '../frame/facts.tsx'
import { Field, ProblemNote } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import { LanguageForm } from './language-form.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

/** What a form has just done, or why it was refused. */
interface Outcome {
  readonly form: 'password' | 'second-factor' | 'sessions'
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
    const form = await readForm(context)
    const [password, newPassword] = [form.secret('password'), form.secret('newPassword')]
    if (newPassword !== form.secret('again')) {
      const description = readTexts().account.password.differs
      const problem = new ApiProblem(422, { description }, null)
      return showAccount(context, { form: 'password', problem })
    }
    const body = { password, newPassword }
    const changed = await attempt(context.var.api.call(changePassword, { body }))
    return changed instanceof ApiProblem
      ? showAccount(context, { form: 'password', problem: changed })
      : showAccount(context, {
          form: 'password',
          done: readTexts().account.password.done(changed.data.ended),
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
            <PasswordForm problem={problem('password')} />
            <SecondFactor isOn={account.secondFactor} problem={problem('second-factor')} />
          </>
        )}
        <LanguageForm chosen={findChosenLanguage(context) ?? ''} />
        <Sessions sessions={sessions} problem={problem('sessions')} />
      </>
    ),
  })
}

const PasswordForm = ({ problem }: { readonly problem: ApiProblem | undefined }) => {
  const texts = readTexts().account.password
  return (
    <>
      <h2>{texts.title}</h2>
      <ProblemNote problem={problem} fields={['password', 'newPassword']} />
      <PostForm to="account/password" button={texts.button}>
        <Field
          name="password"
          label={texts.current}
          type="password"
          autocomplete="current-password"
          required
        />
        <Field
          name="newPassword"
          label={texts.new}
          type="password"
          hint={texts.newHint}
          error={explainField(problem, 'newPassword')}
          autocomplete="new-password"
          required
        />
        <Field
          name="again"
          label={texts.again}
          type="password"
          autocomplete="new-password"
          required
        />
      </PostForm>
    </>
  )
}
