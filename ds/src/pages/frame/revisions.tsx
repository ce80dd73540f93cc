/** What the histories of configurations and versions share: the list of revisions, and the note after a change. */
import type { ConfigurationRevisionEntry, VersionRevisionEntry } from '@cardwire/protocol'
import { nameOperation } from '../audit/audit-words.ts'
import { createHref, PageLinks, Table, Time } from './parts.tsx'
import { readTexts } from './texts.ts'

type Entry = VersionRevisionEntry & Pick<ConfigurationRevisionEntry, 'removed'>

/** Above a form that was sent as it was shown. */
export const UnchangedNote = () => (
  <div class="note" role="status">
    <p>{readTexts().history.unchanged}</p>
  </div>
)

/** `to`: the address of the history, below `/admin/`. `mayRestore`: whether the user may. */
export const RevisionList = ({
  to,
  kind,
  id,
  list,
  mayRestore,
}: {
  readonly to: string
  readonly kind: 'configuration' | 'version'
  readonly id: string
  readonly list: {
    readonly items: readonly Entry[]
    readonly page: number
    readonly size: number
    readonly total: number
  }
  readonly mayRestore: boolean
}) => {
  const texts = readTexts().history
  const { columns } = texts
  return (
    <>
      <p>
        {texts.about}{' '}
        {texts.audit((words) => (
          <a href={createHref('audit', { kind, id })}>{words}</a>
        ))}
      </p>
      <Table
        caption={texts.caption}
        head={[columns.revision, columns.time, columns.who, columns.action, columns.actions]}
        rows={list.items.map(({ revision, at, who, operation, removed }, row) => {
          const isCurrent = list.page === 1 && row === 0
          return [
            <a href={`${to}/${revision}`}>{texts.numbered(revision)}</a>,
            <Time at={at} />,
            who.name,
            nameOperation(operation),
            removed ? (
              <span class="tag">{texts.removed}</span>
            ) : isCurrent ? (
              <span class="tag">{texts.current}</span>
            ) : (
              mayRestore && (
                <a href={`${to}/${revision}/restore`}>
                  {texts.restore}
                  <span class="unseen"> {texts.numbered(revision)}</span>
                </a>
              )
            ),
          ]
        })}
      />
      <PageLinks to={to} query={{}} {...list} />
    </>
  )
}

/** Milliseconds between the entry of a change in the audit and its revision, which are one batch. */
const sameChangeMs = 1000

/** The revision that a change at `at` has made; undefined: it is no longer kept, or the change made none. */
export function findRevisionAt(entries: readonly Entry[], at: string): number | undefined {
  const distance = (entry: Entry) => Math.abs(Date.parse(entry.at) - Date.parse(at))
  const [nearest] = entries.toSorted((a, b) => distance(a) - distance(b))
  return nearest && distance(nearest) <= sameChangeMs ? nearest.revision : undefined
}

/** Says that a change was saved, with the way back. `undo`: the address of the page that takes it back. */
export const SavedNote = ({
  text,
  undo = [],
}: {
  readonly text: string
  /** Where it is taken back; of several parts each by itself. */
  readonly undo?: string | readonly { readonly to: string; readonly text: string }[]
}) => {
  const links = typeof undo === 'string' ? [{ to: undo, text: readTexts().history.undo }] : undo
  return (
    <div class="done" role="status">
      <p>
        {text}
        {links.map(({ to, text: name }) => (
          <>
            {' '}
            <a href={to}>{name}</a>
          </>
        ))}
      </p>
    </div>
  )
}

/** In place of the form: a revision names files that no longer exist. `to`: where they are uploaded. */
export const MissingFiles = ({
  uris,
  to,
}: {
  readonly uris: readonly string[]
  readonly to: string
}) => (
  <div class="error" role="alert">
    <p>
      {readTexts().history.missingFiles((words) => (
        <a href={to}>{words}</a>
      ))}
    </p>
    <ul>
      {uris.map((uri) => (
        <li>{uri}</li>
      ))}
    </ul>
  </div>
)
