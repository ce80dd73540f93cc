/** The second factor on the page of the own account. */
import type { ApiProblem } from '../frame/api.ts'
import { Field, findError, ProblemNote } from '../frame/fields.tsx'
import { Copyable } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import { QrCode } from './qr-code.tsx'

/** The part of the page that begins and removes it. */
export const SecondFactor = ({
  isOn,
  problem,
}: {
  readonly isOn: boolean
  readonly problem: ApiProblem | undefined
}) => {
  const texts = readTexts().account.secondFactor
  return (
    <>
      <h2>{texts.title}</h2>
      <ProblemNote problem={problem} />
      {isOn ? (
        <>
          <p>
            <span class="tag good">{texts.on}</span> {texts.onAbout(<code>totp</code>)}
          </p>
          <Recovery />
        </>
      ) : (
        <p>
          <span class="tag">{texts.off}</span> {texts.offAbout}
        </p>
      )}
      <PostForm
        to={isOn ? 'account/second-factor/remove' : 'account/second-factor'}
        button={isOn ? texts.turnOff : texts.setUp}
        isDangerous={isOn}
      >
        <Field
          name="factor-password"
          label={texts.password}
          type="password"
          autocomplete="current-password"
          required
        />
      </PostForm>
    </>
  )
}

interface ConfirmFormProps {
  readonly problem: ApiProblem | undefined
  /** Where the form goes. */
  readonly to: string
  readonly cancel?: string
  /** The page that comes after it. */
  readonly next?: string
}

/** The secret for the app, which is shown once, and the form for its first code. */
export const Enrolment = ({
  secret,
  uri,
  ...form
}: { readonly secret: string; readonly uri: string } & Omit<ConfirmFormProps, 'problem'>) => {
  const texts = readTexts().account.secondFactor
  return (
    <>
      <p>{texts.scan}</p>
      <QrCode text={uri} label={texts.qrCode} />
      <p>
        <Copyable id="totp-secret" text={secret} label={texts.copySecret} />
      </p>
      <p class="soft">{texts.parameters}</p>
      <ConfirmForm problem={undefined} {...form} />
      <Recovery />
    </>
  )
}

/** The form for the first code, without which logins need none. */
export const ConfirmForm = ({ problem, to, cancel, next }: ConfirmFormProps) => {
  const texts = readTexts().account.secondFactor
  return (
    <>
      <ProblemNote problem={problem} fields={['code']} />
      <PostForm to={to} button={texts.turnOn} {...(cancel !== undefined && { cancel })}>
        {next !== undefined && <input type="hidden" name="to" value={next} />}
        <Field
          name="code"
          label={texts.code}
          error={findError(problem, 'code')}
          autocomplete="one-time-code"
          maxlength={12}
          required
        />
      </PostForm>
    </>
  )
}

const Recovery = () => (
  <p class="soft">
    {readTexts().account.secondFactor.recovery(
      <code>cardwire-ds-admin reset-second-factor NAME</code>,
    )}
  </p>
)
