/** The form of what pages may do with cards: rows that are there, and an empty one of each kind. */
import { Grant, type Platform, platforms } from '@cardwire/client/protocol'
import { platformNames } from '../../rules/platform-names.ts'
import type { ApiProblem } from '../frame/api.ts'
import { Checkbox, Field, Select, TextField } from '../frame/fields.tsx'
import type { CardRows, FolderRow, GrantRow, LibraryRow } from './card-rows.ts'
import { explainLines } from './draft.ts'

const grantWords: Readonly<Record<Grant, string>> = {
  raw: 'send commands to the card',
  'page-pin': 'give PINs of its own form',
  pan: 'read whole card numbers',
  bulk: 'make several signatures with one PIN',
  print: 'send raw data to printers',
  'raw-authenticate': 'have any digest signed by a key to authenticate with',
}

const emptyGrant = { origin: '', allow: [], aids: '' }
const emptyLibrary = { os: 'UNIX', path: '', sha256: '', atrs: '', ownReaders: false }
const emptyFolder = { origin: '', entity: '', type: '', path: '' }

interface RowProps<R> {
  readonly row: R
  readonly at: number
  /** The error of a field of this row. */
  readonly explain: (field: string) => string | undefined
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
  const explain = (list: string, at: number) => (field: string) =>
    explainLines(problem, `config.cards.${list}[${at}].${field}`)
  return (
    <>
      <h2>What pages may do with cards beyond the usual</h2>
      <p>
        Every page with the consent of the user reads certificates, and signs with a dialog each
        time. Fill the last row of a list to add one; empty a row to remove it. Storing brings
        another empty row.
      </p>
      <h3>Grants</h3>
      {[...grants, emptyGrant].map((row, at) => (
        <GrantFields row={row} at={at} explain={explain('grants', at)} />
      ))}
      <h3>PKCS #11 libraries</h3>
      {[...libraries, emptyLibrary].map((row, at) => (
        <LibraryFields row={row} at={at} explain={explain('libraries', at)} />
      ))}
      <h3>Folders for files</h3>
      {[...folders, emptyFolder].map((row, at) => (
        <FolderFields row={row} at={at} explain={explain('folders', at)} />
      ))}
    </>
  )
}

const GrantFields = ({ row, at, explain }: RowProps<GrantRow>) => (
  <fieldset>
    <legend>{row.origin === '' ? 'Another grant' : `Grant ${at + 1}`}</legend>
    <Field
      name={`grant-${at}-origin`}
      label="Origin"
      hint="One origin, without *"
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
          {grantWords[grant]} <code>{grant}</code>
        </label>
      </div>
    ))}
    <TextField
      name={`grant-${at}-aids`}
      label="Applications of cards"
      hint="For raw: a page may select these alone. Whole identifiers as hex digits, one in a line; none: no command is sent"
      value={row.aids}
      rows={3}
      error={explain('aids')}
    />
  </fieldset>
)

const LibraryFields = ({ row, at, explain }: RowProps<LibraryRow>) => (
  <fieldset>
    <legend>{row.path === '' ? 'Another library' : `Library ${at + 1}`}</legend>
    <Select
      name={`library-${at}-os`}
      label="System"
      value={row.os}
      options={(Object.keys(platforms) as Platform[]).map((os) => ({
        value: os,
        text: platformNames[os],
      }))}
      error={explain('os')}
    />
    <Field
      name={`library-${at}-path`}
      label="Path"
      hint="Absolute, as the system writes it"
      value={row.path}
      error={explain('path')}
    />
    <Field
      name={`library-${at}-sha256`}
      label="SHA-256 of the file"
      value={row.sha256}
      error={explain('sha256')}
    />
    <TextField
      name={`library-${at}-atrs`}
      label="ATRs of the cards it is for"
      hint="Hex digits, one in a line"
      value={row.atrs}
      rows={3}
      error={explain('atrs')}
    />
    <Checkbox
      name={`library-${at}-ownReaders`}
      label="Its tokens lie in no reader of the system"
      checked={row.ownReaders}
    />
  </fieldset>
)

const FolderFields = ({ row, at, explain }: RowProps<FolderRow>) => (
  <fieldset>
    <legend>{row.path === '' ? 'Another folder' : `Folder ${at + 1}`}</legend>
    <Field
      name={`folder-${at}-origin`}
      label="Origin"
      value={row.origin}
      error={explain('origin')}
    />
    <Field
      name={`folder-${at}-entity`}
      label="Entity"
      hint="As pages name it"
      value={row.entity}
      error={explain('entity')}
    />
    <Field
      name={`folder-${at}-type`}
      label="Type"
      hint="As pages name it"
      value={row.type}
      error={explain('type')}
    />
    <Field
      name={`folder-${at}-path`}
      label="Path of the folder"
      hint="Absolute; one with a drive is for Windows alone"
      value={row.path}
      error={explain('path')}
    />
  </fieldset>
)
