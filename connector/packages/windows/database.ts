/** The database of an MSI package: its tables, as archive files that msibuild imports (Windows Installer, "Text Archive Files"). */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** Columns with their types, as Windows Installer's "Column Definition Format" has them; the first `keys` are the key. */
const schemas = {
  Binary: { keys: 1, columns: { Name: 's72', Data: 'v0' } },
  Component: {
    keys: 1,
    columns: {
      Component: 's72',
      ComponentId: 'S38',
      Directory_: 's72',
      Attributes: 'i2',
      Condition: 'S255',
      KeyPath: 'S72',
    },
  },
  CustomAction: {
    keys: 1,
    columns: { Action: 's72', Type: 'i2', Source: 'S72', Target: 'S255' },
  },
  Directory: {
    keys: 1,
    columns: { Directory: 's72', Directory_Parent: 'S72', DefaultDir: 'l255' },
  },
  Feature: {
    keys: 1,
    columns: {
      Feature: 's38',
      Feature_Parent: 'S38',
      Title: 'L64',
      Description: 'L255',
      Display: 'I2',
      Level: 'i2',
      Directory_: 'S72',
      Attributes: 'i2',
    },
  },
  FeatureComponents: { keys: 2, columns: { Feature_: 's38', Component_: 's72' } },
  File: {
    keys: 1,
    columns: {
      File: 's72',
      Component_: 's72',
      FileName: 'l255',
      FileSize: 'i4',
      Version: 'S72',
      Language: 'S20',
      Attributes: 'I2',
      Sequence: 'i2',
    },
  },
  Icon: { keys: 1, columns: { Name: 's72', Data: 'v0' } },
  InstallExecuteSequence: {
    keys: 1,
    columns: { Action: 's72', Condition: 'S255', Sequence: 'I2' },
  },
  InstallUISequence: { keys: 1, columns: { Action: 's72', Condition: 'S255', Sequence: 'I2' } },
  LaunchCondition: { keys: 1, columns: { Condition: 's255', Description: 'l255' } },
  Media: {
    keys: 1,
    columns: {
      DiskId: 'i2',
      LastSequence: 'i2',
      DiskPrompt: 'L64',
      Cabinet: 'S255',
      VolumeLabel: 'S32',
      Source: 'S72',
    },
  },
  Property: { keys: 1, columns: { Property: 's72', Value: 'l0' } },
  Registry: {
    keys: 1,
    columns: {
      Registry: 's72',
      Root: 'i2',
      Key: 'l255',
      Name: 'L255',
      Value: 'L0',
      Component_: 's72',
    },
  },
  ServiceControl: {
    keys: 1,
    columns: {
      ServiceControl: 's72',
      Name: 'l255',
      Event: 'i2',
      Arguments: 'S255',
      Wait: 'I2',
      Component_: 's72',
    },
  },
  ServiceInstall: {
    keys: 1,
    columns: {
      ServiceInstall: 's72',
      Name: 's255',
      DisplayName: 'L255',
      ServiceType: 'i4',
      StartType: 'i4',
      ErrorControl: 'i4',
      LoadOrderGroup: 'S255',
      Dependencies: 'S255',
      StartName: 'S255',
      Password: 'S255',
      Arguments: 'S255',
      Component_: 's72',
      Description: 'L255',
    },
  },
  Shortcut: {
    keys: 1,
    columns: {
      Shortcut: 's72',
      Directory_: 's72',
      Name: 'l128',
      Component_: 's72',
      Target: 's72',
      Arguments: 'S255',
      Description: 'L255',
      Hotkey: 'I2',
      Icon_: 'S72',
      IconIndex: 'I2',
      ShowCmd: 'I2',
      WkDir: 'S72',
    },
  },
  Upgrade: {
    keys: 5,
    columns: {
      UpgradeCode: 's38',
      VersionMin: 'S20',
      VersionMax: 'S20',
      Language: 'S255',
      Attributes: 'i4',
      Remove: 'S255',
      ActionProperty: 's72',
    },
  },
  _SummaryInformation: { keys: 1, columns: { PropertyId: 'i2', Value: 'l255' } },
} as const satisfies Record<string, TableSchema>

interface TableSchema {
  readonly keys: number
  readonly columns: Readonly<Record<string, string>>
}

type TableName = keyof typeof schemas

/** A row by its columns; what is left out is null. A binary value is the name of a file in a folder of the table's name. */
type Row<T extends TableName> = {
  readonly [C in keyof (typeof schemas)[T]['columns']]?: string | number
}

export type Tables = { readonly [T in TableName]?: readonly Row<T>[] }

/** The text of one table. Throws on a value that the format cannot hold. */
export function formatTable(name: string, rows: readonly Record<string, unknown>[]): string {
  const found = Object.entries<TableSchema>(schemas).find(([known]) => known === name)
  if (found === undefined) throw new Error(`Cannot write table "${name}": no such table`)
  const { keys, columns } = found[1]
  const names = Object.keys(columns)
  const lines = [
    names,
    Object.values(columns),
    [name, ...names.slice(0, keys)],
    ...rows.map((row) => names.map((column) => formatValue(row[column]))),
  ]
  return lines.map((line) => `${line.join('\t')}\r\n`).join('')
}

function formatValue(value: unknown): string {
  const text = value === undefined ? '' : String(value)
  // Without a code page; and a tab or a line's end would begin another value.
  if (/[^ -~]/.test(text)) throw new Error(`Cannot write "${text}" into a table: expected ASCII`)
  return text
}

/** Streams of the package, by their names: paths of files. */
type Streams = Readonly<Record<string, string>>

/** Writes a package with these tables and streams, by files in `work`. `writtenAt`: seconds since 1970. */
export function writeDatabase(
  file: string,
  tables: Tables,
  streams: Streams,
  work: string,
  writtenAt: number,
): void {
  mkdirSync(work, { recursive: true })
  const imports = Object.entries(tables).flatMap(([name, rows]) => {
    const path = join(work, `${name}.idt`)
    writeFileSync(path, formatTable(name, rows))
    return ['-i', path]
  })
  const added = Object.entries(streams).flatMap(([name, path]) => ['-a', name, path])
  // The storage has the time of each stream in it.
  const time = new Date(writtenAt * 1000).toISOString().replace('T', ' ').slice(0, 19)
  execFileSync('faketime', ['-f', time, 'msibuild', file, ...imports, ...added], {
    // It looks for binary values in the folder where it runs.
    cwd: work,
    env: { ...process.env, TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
