/** What an account has to do before anything else, such as to change a password that someone else set. */
import {
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  type FirstStep,
  getAccount,
  type Operation,
  Problem,
} from '@cardwire/protocol'

/** What it may call until then. */
const allowed: Readonly<Record<FirstStep, readonly Operation[]>> = {
  'password-change-required': [getAccount, changePassword],
  'second-factor-setup-required': [getAccount, beginSecondFactor, confirmSecondFactor],
}

const messages: Readonly<Record<FirstStep, string>> = {
  'password-change-required': `someone else set your password, change it first with ${changePassword.method} ${changePassword.path}, or at /admin`,
  'second-factor-setup-required': `this service requires a second factor, set it up first with ${beginSecondFactor.method} ${beginSecondFactor.path}, or at /admin`,
}

/** Throws the problem of the step that an account has not done yet. */
export function requireFirstStep(
  { firstStep }: { readonly firstStep?: FirstStep | undefined },
  { name }: Operation,
): void {
  if (firstStep === undefined || allowed[firstStep].some((operation) => operation.name === name))
    return
  throw new Problem(firstStep, `Cannot allow this: ${messages[firstStep]}`)
}
