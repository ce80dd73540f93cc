/** A new key, in the form that asks for it: a browser that sends the form again gets the same key, and the first one stays valid. */
import type { Random } from '../../ports.ts'
import { HiddenFields } from './fields.tsx'
import type { Form } from './form.ts'

const field = 'key'

export const NewKey = ({
  form,
  random,
}: {
  /** The form that was refused. */
  readonly form: Form | undefined
  readonly random: Random
}) => <HiddenFields values={[[field, readNewKey(form) || random.uuid()]]} />

/** Empty where a form has none: the operation makes one then. */
export const readNewKey = (form: Form | undefined): string => form?.text(field) ?? ''
