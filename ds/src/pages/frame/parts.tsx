/** What pages are made of: times, texts to copy, lists with their page links. */
import type { AuditKind } from '@cardwire/protocol'
import type { Child, PropsWithChildren } from 'hono/jsx'
import { readTexts } from './texts.ts'

/** A time, ISO 8601: in UTC, and by the script in the zone of the reader with the exact one on hover. */
export const Time = ({ at }: { readonly at: string }) => (
  <time datetime={at} data-local="">
    {readTexts().numbers.time(at)}
  </time>
)

/** A text that is there to be copied, with a button where scripts run. `id`: unique in the page; `label`: of the button, for screen readers. */
export const Copyable = ({
  id,
  text,
  label,
}: {
  readonly id: string
  readonly text: string
  readonly label: string
}) => {
  const { copy, copied, notCopied } = readTexts().frame
  return (
    <span>
      <code id={id}>{text}</code>
      <button
        type="button"
        class="copy second"
        aria-label={label}
        data-copy={id}
        data-copied={copied}
        data-not-copied={notCopied}
        hidden
      >
        {copy}
      </button>
      <span class="soft" role="status"></span>
    </span>
  )
}

/** The changes that the audit has about it. */
export const HistoryLink = ({ kind, id }: { readonly kind: AuditKind; readonly id: string }) => (
  <p>
    <a href={createHref('audit', { kind, id })}>{readTexts().frame.history}</a>
  </p>
)

/** A list that has nothing to show: why, and what to do next. */
export const Empty = ({ children }: PropsWithChildren) => <div class="empty">{children}</div>

/** A table that scrolls by itself where it is wider than the page. @public */
export const Table = ({
  caption,
  of,
  head,
  numbers = [],
  headings = 0,
  sorted,
  rows,
}: {
  readonly caption: string
  /** What it is about, where a page has several with this caption. */
  readonly of?: string | undefined
  readonly head: readonly Child[]
  /** The columns that hold numbers, from 0; their cells have the class `number`. */
  readonly numbers?: readonly number[]
  /** The column that says what a row is about, from 0. */
  readonly headings?: number
  /** The column that the rows are ordered by, from 0. */
  readonly sorted?: { readonly column: number; readonly direction: 'ascending' | 'descending' }
  /** The cells of each row. */
  readonly rows: readonly (readonly Child[])[]
}) => (
  // Focusable, so that the keyboard can scroll it (WCAG 2.1.1).
  <section
    class="scroll"
    aria-label={of === undefined ? caption : `${caption} (${of})`}
    tabindex={0}
  >
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {head.map((cell, column) => (
            <th
              scope="col"
              class={numbers.includes(column) ? 'number' : undefined}
              aria-sort={sorted?.column === column ? sorted.direction : undefined}
            >
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell, column) =>
              column === headings ? (
                <th scope="row">{cell}</th>
              ) : (
                <td class={numbers.includes(column) ? 'number' : undefined}>{cell}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
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
  const texts = readTexts().frame
  const last = Math.max(1, Math.ceil(total / size))
  const createLink = (number: number) => createHref(to, { ...query, page: String(number) })
  return (
    <nav class="pages" aria-label={texts.pages}>
      {page > 1 && (
        <a href={createLink(page - 1)} rel="prev">
          {texts.previous}
        </a>
      )}
      <span>{texts.page(page, last, total, more)}</span>
      {page < last && (
        <a href={createLink(page + 1)} rel="next">
          {texts.next}
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
export const formatCount = (count: number): string => readTexts().numbers.format(count)

/** The search of a list by one text. `to`: its address below `/admin/`; `name`: of its parameter. */
export const SearchForm = ({
  to,
  label,
  name = 'name',
  value,
  list,
}: {
  readonly to: string
  readonly label: string
  readonly name?: string
  readonly value: string | undefined
  /** The id of a `datalist` with values to choose from. */
  readonly list?: string
}) => (
  <search>
    <form class="filters" method="get" action={to}>
      <div class="field">
        <label for="search">{label}</label>
        <input id="search" name={name} type="search" value={value} list={list} maxlength={200} />
      </div>
      <button type="submit">{readTexts().frame.search}</button>
      {value && <a href={to}>{readTexts().frame.showAll}</a>}
    </form>
  </search>
)
