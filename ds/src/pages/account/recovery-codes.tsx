/** The recovery codes: how many are left, the form for new ones, and the page that shows them once. */
import type { Account } from '@cardwire/protocol'
import type { ApiProblem } from '../frame/api.ts'
import { Field, ProblemNote } from '../frame/fields.tsx'
import { Copyable, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'

/** The part of the page of the own account. */
export const RecoveryCodes = ({
  left,
  used,
  problem,
}: NonNullable<Account['recoveryCodes']> & { readonly problem: ApiProblem | undefined }) => {
  const texts = readTexts().account.recoveryCodes
  return (
    <>
      <h3>{texts.title}</h3>
      <ProblemNote problem={problem} />
      <p>{texts.left(left)}</p>
      {used.length > 0 && (
        <ul>
          {used.map(({ at, address }) => (
            <li>{texts.used(<Time at={at} />, address)}</li>
          ))}
        </ul>
      )}
      <p class="soft">{texts.renewAbout}</p>
      <PostForm to="account/recovery-codes" button={texts.renew}>
        <Field
          name="codes-password"
          label={texts.password}
          type="password"
          autocomplete="current-password"
          required
        />
        <Field
          name="codes-code"
          label={texts.code}
          autocomplete="one-time-code"
          maxlength={12}
          required
        />
      </PostForm>
    </>
  )
}

/** The codes, for the only time; `next`: the page that comes after it. */
export const NewRecoveryCodes = ({
  codes,
  next,
}: {
  readonly codes: readonly string[]
  readonly next: string
}) => {
  const texts = readTexts().account.recoveryCodes
  return (
    <>
      <div class="warning">
        <p>{texts.warning}</p>
      </div>
      <p>
        <Copyable id="recovery-codes" text={codes.join('\n')} label={texts.copy} />
      </p>
      <p>
        <a class="button" href={next}>
          {texts.done}
        </a>
      </p>
    </>
  )
}
