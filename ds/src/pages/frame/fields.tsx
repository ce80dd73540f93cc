/** The fields of forms, with their labels, hints and errors. */
import type { Problem } from '@cardwire/protocol'
import type { Child, PropsWithChildren } from 'hono/jsx'
import { ApiProblem } from './api.ts'
import { describeProblem } from './problem-words.ts'
import { readTexts } from './texts.ts'

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  readonly type?: 'text' | 'password' | 'search' | 'url' | 'number' | 'date'
  readonly hint?: string
  /** What is wrong with what was typed. */
  readonly error?: Child | undefined
  readonly required?: boolean
  readonly autocomplete?: string
  readonly maxlength?: number
  readonly autofocus?: boolean
  /** The id of a `datalist` with values to choose from. */
  readonly list?: string
}

/** A labelled field of one line. */
export const Field = ({
  name,
  label,
  hint,
  error,
  value,
  autocomplete = 'off',
  type = 'text',
  ...input
}: FieldProps) => (
  <Labelled {...{ name, label, hint, error }}>
    <input
      id={name}
      name={name}
      type={type}
      value={value}
      autocomplete={autocomplete}
      spellcheck={false}
      {...describe(name, hint, error)}
      {...input}
    />
  </Labelled>
)

/** A labelled field of several lines. */
export const TextField = ({
  name,
  label,
  hint,
  error,
  value = '',
  rows = 8,
}: Pick<FieldProps, 'name' | 'label' | 'hint' | 'error' | 'value'> & {
  readonly rows?: number
}) => (
  <Labelled {...{ name, label, hint, error }}>
    <textarea id={name} name={name} rows={rows} spellcheck={false} {...describe(name, hint, error)}>
      {value}
    </textarea>
  </Labelled>
)

/** A labelled choice of one. @public */
export const Select = ({
  name,
  label,
  hint,
  error,
  value,
  options,
}: Pick<FieldProps, 'name' | 'label' | 'hint' | 'error' | 'value'> & {
  readonly options: readonly { readonly value: string; readonly text: string }[]
}) => (
  <Labelled {...{ name, label, hint, error }}>
    <select id={name} name={name} {...describe(name, hint, error)}>
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.text}
        </option>
      ))}
    </select>
  </Labelled>
)

/** A box to tick. @public */
export const Checkbox = ({
  name,
  label,
  value = 'yes',
  checked = false,
  hint,
}: {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly checked?: boolean
  readonly hint?: string
}) => (
  <div class="choice">
    <input
      type="checkbox"
      id={name}
      name={name}
      value={value}
      checked={checked}
      {...describe(name, hint, undefined)}
    />
    <label for={name}>
      {label}
      {hint !== undefined && (
        <span class="hint" id={`${name}-hint`}>
          {' '}
          {hint}
        </span>
      )}
    </label>
  </div>
)

/** Fields that are sent again as they are, by name. */
export const HiddenFields = ({
  values,
}: {
  readonly values: readonly (readonly [name: string, value: string])[]
}) => (
  <>
    {values.map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
)

/** A field with its label, hint and error. */
export const Labelled = ({
  name,
  label,
  hint,
  error,
  children,
}: PropsWithChildren<{
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: Child | undefined
}>) => (
  <div class="field">
    <label for={name}>{label}</label>
    {hint !== undefined && (
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    )}
    {children}
    {error !== undefined && (
      <p class="error" id={`${name}-error`}>
        {error}
      </p>
    )}
  </div>
)

/** What tells a screen reader of the hint and the error of a field. */
export function describe(name: string, hint: string | undefined, error: Child | undefined) {
  const ids = [...(hint === undefined ? [] : ['hint']), ...(error === undefined ? [] : ['error'])]
  return {
    ...(ids.length > 0 && { 'aria-describedby': ids.map((id) => `${name}-${id}`).join(' ') }),
    ...(error !== undefined && { 'aria-invalid': 'true' as const }),
  }
}

/** What was wrong with a change, above its form; `fields` are the names whose errors the form shows itself. */
export const ProblemNote = ({
  problem,
  fields = [],
}: {
  readonly problem: ApiProblem | Problem | undefined
  readonly fields?: readonly string[]
}) => {
  if (!problem) return null
  const { sentence, detail } = describeProblem(problem)
  const errors = problem instanceof ApiProblem ? problem.errors : []
  const elsewhere = errors.filter(({ path }) => !fields.includes(path))
  // What is said next to each field is all that the detail has.
  const hasDetail = errors.length === 0 || elsewhere.length > 0
  return (
    <div class="error" role="alert">
      <p>{sentence}</p>
      {hasDetail && detail !== undefined && (
        <p class="soft" lang="en">
          {detail}
        </p>
      )}
      {elsewhere.length > 0 && (
        <ul lang="en">
          {elsewhere.map(({ path, message }) => (
            <li>
              {path}: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The error of a field in a problem. */
export function findError(problem: ApiProblem | undefined, path: string): Child | undefined {
  const message = problem?.errors.find((error) => error.path === path)?.message
  // In problems it follows the name of the field.
  return message && inEnglish(message.charAt(0).toUpperCase() + message.slice(1))
}

/** What the operations say is in English, and a screen reader has to know it on a page in another language. */
export const inEnglish = (text: string): Child =>
  readTexts().locale === 'en' ? text : <span lang="en">{text}</span>
