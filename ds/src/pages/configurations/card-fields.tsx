/** The form of what pages may do with cards: rows that are there, and an empty one of each kind. */
import { Grant, type Platform, platforms } from '@cardwire/protocol'
import type { Child } from 'hono/jsx'
import { DocumentLinks } from '../documents/document-links.tsx'
import type { ApiProblem } from '../frame/api.ts'
import { Checkbox, Field, Select, TextField } from '../frame/fields.tsx'
import { readTexts } from '../frame/texts.ts'
import type { CardRows, FolderRow, GrantRow, LibraryRow } from './card-rows.ts'
import { explainLines } from './draft.ts'

const emptyGrant = { origin: '', allow: [], aids: '' }
const emptyLibrary = { os: 'UNIX', path: '', sha256: '', atrs: '', ownReaders: false }
const emptyFolder = { origin: '', entity: '', type: '', path: '' }

interface RowProps<R> {
  readonly row: R
  readonly at: number
  /** The error of a field of this row. */
  readonly explain: (field: string) => Child | undefined
}

const fieldsOfRows = 'origin|aids|os|path|sha256|atrs|entity|type'
const shownPath = new RegExp(
  `^config\\.cards\\.(grants|libraries|folders)\\[\\d+\\]\\.(${fieldsOfRows})(\\[\\d+\\])?$`,
)

/** Whether an error of this path stands at a field of the rows. */
export const showsCardError = (path: string): boolean => shownPath.test(path)

export const CardFields = ({
  rows: { grants, libraries, folders },
  problem,
}: {
  readonly rows: CardRows
  readonly problem: ApiProblem | undefined
}) => {
  const texts = readTexts().configurations.cards
  const explain = (list: string, at: number) => (field: string) =>
    explainLines(problem, `config.cards.${list}[${at}].${field}`)
  return (
    <>
      <h2>{texts.title}</h2>
      <p>{texts.about}</p>
      <DocumentLinks to={['cardPermissions', 'browserPolicies']} />
      <h3>{texts.grants.title}</h3>
      {[...grants, emptyGrant].map((row, at) => (
        <GrantFields row={row} at={at} explain={explain('grants', at)} />
      ))}
      <h3>{texts.libraries.title}</h3>
      {[...libraries, emptyLibrary].map((row, at) => (
        <LibraryFields row={row} at={at} explain={explain('libraries', at)} />
      ))}
      <h3>{texts.folders.title}</h3>
      {[...folders, emptyFolder].map((row, at) => (
        <FolderFields row={row} at={at} explain={explain('folders', at)} />
      ))}
    </>
  )
}

const GrantFields = ({ row, at, explain }: RowProps<GrantRow>) => {
  const texts = readTexts().configurations.cards.grants
  return (
    <fieldset>
      <legend>{row.origin === '' ? texts.another : texts.entry(at + 1)}</legend>
      <Field
        name={`grant-${at}-origin`}
        label={texts.origin}
        hint={texts.originHint}
        value={row.origin}
        error={explain('origin')}
      />
      {Grant.options.map((grant) => (
        <div class="choice">
          <input
            type="checkbox"
            id={`grant-${at}-${grant}`}
            name={`grant-${at}-allow`}
            value={grant}
            checked={row.allow.includes(grant)}
          />
          <label for={`grant-${at}-${grant}`}>
            {texts.allow[grant]} <code>{grant}</code>
          </label>
        </div>
      ))}
      <TextField
        name={`grant-${at}-aids`}
        label={texts.aids}
        hint={texts.aidsHint}
        value={row.aids}
        rows={3}
        error={explain('aids')}
      />
    </fieldset>
  )
}

const LibraryFields = ({ row, at, explain }: RowProps<LibraryRow>) => {
  const texts = readTexts().configurations.cards.libraries
  return (
    <fieldset>
      <legend>{row.path === '' ? texts.another : texts.entry(at + 1)}</legend>
      <Select
        name={`library-${at}-os`}
        label={texts.system}
        value={row.os}
        options={(Object.keys(platforms) as Platform[]).map((os) => ({
          value: os,
          text: readTexts().systems[os],
        }))}
        error={explain('os')}
      />
      <Field
        name={`library-${at}-path`}
        label={texts.path}
        hint={texts.pathHint}
        value={row.path}
        error={explain('path')}
      />
      <Field
        name={`library-${at}-sha256`}
        label={texts.hash}
        value={row.sha256}
        error={explain('sha256')}
      />
      <TextField
        name={`library-${at}-atrs`}
        label={texts.atrs}
        hint={texts.atrsHint}
        value={row.atrs}
        rows={3}
        error={explain('atrs')}
      />
      <Checkbox
        name={`library-${at}-ownReaders`}
        label={texts.ownReaders}
        checked={row.ownReaders}
      />
    </fieldset>
  )
}

const FolderFields = ({ row, at, explain }: RowProps<FolderRow>) => {
  const texts = readTexts().configurations.cards.folders
  return (
    <fieldset>
      <legend>{row.path === '' ? texts.another : texts.entry(at + 1)}</legend>
      <Field
        name={`folder-${at}-origin`}
        label={texts.origin}
        value={row.origin}
        error={explain('origin')}
      />
      <Field
        name={`folder-${at}-entity`}
        label={texts.entity}
        hint={texts.nameHint}
        value={row.entity}
        error={explain('entity')}
      />
      <Field
        name={`folder-${at}-type`}
        label={texts.type}
        hint={texts.nameHint}
        value={row.type}
        error={explain('type')}
      />
      <Field
        name={`folder-${at}-path`}
        label={texts.path}
        hint={texts.pathHint}
        value={row.path}
        error={explain('path')}
      />
    </fieldset>
  )
}
