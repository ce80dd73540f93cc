/** The second factor on the page of the own account. */
import type { ApiProblem } from '../frame/api.ts'
import { Field, ProblemNote } from '../frame/fields.tsx'
import { Copyable } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { QrCode } from './qr-code.tsx'

/** The part of the page that begins and removes it. */
export const SecondFactor = ({
  isOn,
  problem,
}: {
  readonly isOn: boolean
  readonly problem: ApiProblem | undefined
}) => (
  <>
    <h2>Second factor</h2>
    <ProblemNote problem={problem} />
    {isOn ? (
      <>
        <p>
          <span class="tag good">On</span> Each log-in needs a code of your app, also that of
          programs (<code>totp</code>).
        </p>
        <Recovery />
      </>
    ) : (
      <p>
        <span class="tag">Off</span> With one, a log-in needs a code of an app on your telephone,
        too: your password alone is worth nothing to others.
      </p>
    )}
    <PostForm
      to={isOn ? 'account/second-factor/remove' : 'account/second-factor'}
      button={isOn ? 'Remove the second factor' : 'Set up a second factor'}
      isDangerous={isOn}
    >
      <Field
        name="factor-password"
        label="Your password"
        type="password"
        autocomplete="current-password"
        required
      />
    </PostForm>
  </>
)

/** The secret for the app, which is shown once, and the form for its first code. */
export const Enrolment = ({ secret, uri }: { readonly secret: string; readonly uri: string }) => (
  <>
    <p>
      Scan this with an authenticator app, or copy the text into it. It is shown this once: nobody
      can read it afterwards.
    </p>
    <QrCode text={uri} label="QR code of the secret for an authenticator app" />
    <p>
      <Copyable id="totp-secret" text={secret} name="the secret" />
    </p>
    <p class="soft">Time-based, six digits, 30 seconds, SHA-1.</p>
    <ConfirmForm problem={undefined} />
    <Recovery />
  </>
)

/** The form for the first code, without which logins need none. */
export const ConfirmForm = ({ problem }: { readonly problem: ApiProblem | undefined }) => (
  <>
    <ProblemNote problem={problem} fields={['code']} />
    <PostForm
      to="account/second-factor/confirm"
      button="Turn the second factor on"
      cancel="account"
    >
      <Field
        name="code"
        label="The code that the app shows"
        error={problem?.errors.find(({ path }) => path === 'code')?.message}
        autocomplete="one-time-code"
        maxlength={12}
        required
      />
    </PostForm>
  </>
)

const Recovery = () => (
  <p class="soft">
    If the telephone is lost: another administrator resets your second factor, or somebody at the
    machine of the service runs <code>npm run admin -- reset-second-factor NAME</code>.
  </p>
)
