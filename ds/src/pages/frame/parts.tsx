/** @jsxImportSource hono/jsx */
/** What pages are made of: times, texts to copy, fields with their errors, lists with their page links. */
import type { Child, PropsWithChildren } from 'hono/jsx'
import type { ApiProblem } from './api.ts'

/** A time, ISO 8601: in UTC, and by the script in the zone of the reader with the exact one on hover. */
export const Time = ({ at }: { readonly at: string }) => (
  <time datetime={at} data-local="">
    {`${at.slice(0, 16).replace('T', ' ')} UTC`}
  </time>
)

/** A text that is there to be copied, with a button where scripts run. `id`: unique in the page. */
export const Copyable = ({
  id,
  text,
  name,
}: {
  readonly id: string
  readonly text: string
  readonly name: string
}) => (
  <span>
    <code id={id}>{text}</code>
    <button type="button" class="copy second" data-copy={id} hidden>
      Copy<span class="unseen"> {name}</span>
    </button>
    <span class="soft" role="status"></span>
  </span>
)

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  readonly type?: 'text' | 'password' | 'search' | 'url' | 'number' | 'date'
  readonly hint?: string
  /** What is wrong with what was typed. */
  readonly error?: string | undefined
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
  checked = false,
  hint,
}: {
  readonly name: string
  readonly label: string
  readonly checked?: boolean
  readonly hint?: string
}) => (
  <div class="choice">
    <input
      type="checkbox"
      id={name}
      name={name}
      value="yes"
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
  readonly error?: string | undefined
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
export function describe(name: string, hint: string | undefined, error: string | undefined) {
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
  readonly problem: ApiProblem | undefined
  readonly fields?: readonly string[]
}) =>
  problem ? (
    <div class="error" role="alert">
      <p>{problem.message}</p>
      <ul>
        {problem.errors
          .filter(({ path }) => !fields.includes(path))
          .map(({ path, message }) => (
            <li>
              {path}: {message}
            </li>
          ))}
      </ul>
    </div>
  ) : null

/** The error of a field in a problem. */
export const findError = (problem: ApiProblem | undefined, path: string): string | undefined =>
  problem?.errors.find((error) => error.path === path)?.message

/** A list that has nothing to show: why, and what to do next. */
export const Empty = ({ children }: PropsWithChildren) => <div class="empty">{children}</div>

/** A table that scrolls by itself where it is wider than the page. @public */
export const Table = ({
  caption,
  head,
  numbers = [],
  children,
}: PropsWithChildren<{
  readonly caption: string
  readonly head: readonly Child[]
  /** The columns that hold numbers, from 0; their cells have the class `number`. */
  readonly numbers?: readonly number[]
}>) => (
  // Focusable, so that the keyboard can scroll it (WCAG 2.1.1).
  <section class="scroll" aria-label={caption} tabindex={0}>
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {head.map((cell, column) => (
            <th scope="col" class={numbers.includes(column) ? 'number' : undefined}>
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
)

/** The links between the pages of a list. `query`: what the list is filtered by; `to`: its address below `/admin/`. @public */
export const PageLinks = ({
  to,
  query,
  page,
  size,
  total,
  more = false,
}: {
  readonly to: string
  readonly query: Readonly<Record<string, string | undefined>>
  readonly page: number
  readonly size: number
  readonly total: number
  /** Whether there are more than `total`. */
  readonly more?: boolean
}) => {
  // The page says itself why its list is empty.
  if (total === 0) return null
  const all = `${more ? 'more than ' : ''}${formatCount(total)} in all`
  const last = Math.max(1, Math.ceil(total / size))
  const createLink = (number: number) => createHref(to, { ...query, page: String(number) })
  return (
    <nav class="pages" aria-label="Pages of the list">
      {page > 1 && (
        <a href={createLink(page - 1)} rel="prev">
          Previous
        </a>
      )}
      <span>{`Page ${page} of ${last}, ${all}`}</span>
      {page < last && (
        <a href={createLink(page + 1)} rel="next">
          Next
        </a>
      )}
    </nav>
  )
}

/** An address with a query; values that are undefined or empty are left out. */
export function createHref(
  to: string,
  query: Readonly<Record<string, string | undefined>>,
): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value] as [string, string]],
    ),
  ).toString()
  return (to || './') + (search && `?${search}`)
}

/** A number for people: `1,204`. */
export const formatCount = (count: number): string => count.toLocaleString('en')

/** The search of a list by one text. `to`: its address below `/admin/`; `name`: of its parameter. */
export const SearchForm = ({
  to,
  label,
  name = 'name',
  value,
}: {
  readonly to: string
  readonly label: string
  readonly name?: string
  readonly value: string | undefined
}) => (
  <search>
    <form class="filters" method="get" action={to}>
      <div class="field">
        <label for="search">{label}</label>
        <input id="search" name={name} type="search" value={value} maxlength={200} />
      </div>
      <button type="submit">Search</button>
      {value && <a href={to}>Show all</a>}
    </form>
  </search>
)
