/** The page of the second of two editors: what is stored by now beside what was typed, and the choice between them. */
import { type AuditKind, listAudit } from '@cardwire/protocol'
import type { ApiProblem } from './api.ts'
import { HiddenFields } from './fields.tsx'
import { type PageContent, showPage } from './layout.tsx'
import type { PageContext } from './page-env.ts'
import { Table, Time } from './parts.tsx'
import { KeepEditing } from './post-form.tsx'
import { readTexts } from './texts.ts'

/** A field with both values, as people read them; several lines are shown as such. */
export interface ConflictRow {
  readonly label: string
  readonly stored: string
  readonly mine: string
}

export interface Conflict extends Pick<PageContent, 'title' | 'trail'> {
  /** What was changed by both. */
  readonly kind: AuditKind
  readonly id: string
  /** Where its form goes, and its page. */
  readonly to: string
  readonly page: string
  readonly rows: readonly ConflictRow[]
  /** What was typed, by field; sent again with the choice. */
  readonly typed: readonly (readonly [name: string, value: string])[]
  /** Whether mine can be stored as it is; not when a secret has to be typed again. */
  readonly mayStore?: boolean
  /** The ETag of what is stored. */
  readonly etag: string | undefined
  /** The page that says that it is saved: where what is stored by now is what was typed, as after a form that was sent twice. */
  saved(): Response
}

/** Whether a change was refused because another user was faster. */
export const isConflict = ({ problem }: ApiProblem): boolean => problem === 'revision-mismatch'

export async function showConflict(
  context: PageContext,
  { title, trail, kind, id, to, page, rows, typed, mayStore = true, etag, saved }: Conflict,
): Promise<Response> {
  // Whether a secret is the same, no page knows.
  if (mayStore && rows.every(({ stored, mine }) => stored === mine)) return saved()
  const { data } = await context.var.api.call(listAudit, { query: { kind, id, size: '1' } })
  const [last] = data.items
  const texts = readTexts().frame.conflict
  return showPage(context, {
    title,
    ...(trail && { trail }),
    status: 412,
    children: (
      <>
        <div class="warning" role="alert">
          <p>
            <strong>{texts.title}</strong> {texts.kept}
          </p>
          {last && <p>{texts.last(last.who.name, <Time at={last.at} />)}</p>}
        </div>
        <Table
          caption={texts.caption}
          head={[texts.field, texts.stored, texts.mine]}
          rows={rows.map(({ label, stored, mine }) => [
            <>
              {label} {stored === mine && <span class="tag">{texts.same}</span>}
            </>,
            <pre>{stored || texts.empty}</pre>,
            <pre>{mine || texts.empty}</pre>,
          ])}
        />
        <form method="post" action={to}>
          <HiddenFields values={typed} />
          <input type="hidden" name="etag" value={etag} />
          <div class="actions">
            {mayStore && (
              <button type="submit" name="choice" value="mine">
                {texts.overwrite}
              </button>
            )}
            <KeepEditing />
            <a href={page}>{texts.discard}</a>
          </div>
        </form>
      </>
    ),
  })
}
