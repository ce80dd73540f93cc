/** The form that changes the own password. */
import { changePassword } from '@cardwire/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField } from '../frame/change.tsx'
import { Field, ProblemNote } from '../frame/fields.tsx'
import type { Form } from '../frame/form.ts'
import type { PageContext } from '../frame/page-env.ts'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'

/** `to`: where it goes; `next`: the page that comes after it. */
export const PasswordForm = ({
  problem,
  to,
  button,
  next,
}: {
  readonly problem: ApiProblem | undefined
  readonly to: string
  readonly button: string
  readonly next?: string
}) => {
  const texts = readTexts().account.password
  return (
    <>
      <ProblemNote problem={problem} fields={['password', 'newPassword']} />
      <PostForm to={to} button={button}>
        {next !== undefined && <input type="hidden" name="to" value={next} />}
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

/** Changes the password as the form says; resolves with the number of sessions that ended, or with the problem. */
export async function applyPasswordForm(
  { var: { api } }: PageContext,
  form: Form,
): Promise<number | ApiProblem> {
  const texts = readTexts().account.password
  const [password, newPassword] = [form.secret('password'), form.secret('newPassword')]
  const refuse = (description: string) => new ApiProblem(422, { description }, null)
  if (newPassword !== form.secret('again')) return refuse(texts.differs)
  if (newPassword === password) return refuse(texts.same)
  const changed = await attempt(api.call(changePassword, { body: { password, newPassword } }))
  return changed instanceof ApiProblem ? changed : changed.data.ended
}
