/** The two settings that a user gets from an administrator in a letter: where each comes from, and writing them. */
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import writeFileAtomic from 'write-file-atomic'
import type { FieldView, FormFaults, ServiceForm } from '../../../page/view.ts'
import { listSettingValues, readSettings, SettingsError } from '../../settings.ts'
import type { SettingsPlace } from '../../system/settings-places.ts'

/** The fields of the form, by the settings that they become. */
const fieldNames = {
  address: 'CARDWIRE_DS_URL',
  installationKey: 'CARDWIRE_INSTALLATION_KEY',
} as const
type Field = keyof typeof fieldNames
const fields = Object.keys(fieldNames) as readonly Field[]

export type Fields = Readonly<Record<Field, FieldView>>

/** `sources` from the weakest; `settingsFile` is the name of the one that the form writes. */
export function readFields(sources: readonly SettingsPlace[], settingsFile: string): Fields {
  const found = listSettingValues(sources)
  const read = (field: Field): FieldView => {
    const { value, source, isSecret } = found.find(({ name }) => name === fieldNames[field]) ?? none
    const fixedBy = findFixedBy(source, settingsFile)
    return {
      value: isSecret ? '' : value,
      isSet: value !== '',
      ...(fixedBy !== undefined && { fixedBy }),
    }
  }
  return { address: read('address'), installationKey: read('installationKey') }
}

const none = { value: '', source: 'default', isSecret: true }

function findFixedBy(source: string, settingsFile: string): FieldView['fixedBy'] {
  if (source === 'default' || source === settingsFile) return undefined
  return source === 'environment' || source === 'flag' ? 'environment' : 'administrator'
}

/** What is wrong with what was typed, before anybody is asked about it. */
export function checkForm(form: ServiceForm, current: Fields): FormFaults {
  const faults = fields.flatMap((field) => {
    if (current[field].fixedBy !== undefined) return []
    // A key that is there already is not shown, and stays when nothing is typed.
    if (form[field] === '') return current[field].isSet ? [] : [[field, 'missing']]
    return isValid(field, form[field]) ? [] : [[field, 'invalid']]
  })
  return Object.fromEntries(faults)
}

function isValid(field: Field, value: string): boolean {
  const values = { [fieldNames[field]]: value }
  try {
    readSettings([{ name: 'form', values }])
    // What a file of settings cannot say, such as a #, would come back as something else.
    return parseEnv(formatLines(values))[fieldNames[field]] === value
  } catch (error) {
    if (error instanceof SettingsError) return false
    throw error
  }
}

/** Writes what may be changed into the settings file, which this account alone may read; its other lines stay. */
export function writeFields(settingsFile: string, form: ServiceForm, current: Fields): void {
  const changed = fields.filter(
    (field) => current[field].fixedBy === undefined && form[field] !== '',
  )
  const values = Object.fromEntries(changed.map((field) => [fieldNames[field], form[field]]))
  const before = readText(settingsFile)
  const text = replaceLines(before, values)
  if (!Bun.deepEquals(parseEnv(text), { ...parseEnv(before), ...values })) {
    throw new Error(
      `Cannot change "${settingsFile}": it has lines that this page does not understand`,
    )
  }
  mkdirSync(dirname(settingsFile), { recursive: true, mode: 0o700 })
  writeFileAtomic.sync(settingsFile, text, { mode: 0o600 })
}

/** The text with these values in place of the lines that have their names. */
export function replaceLines(text: string, values: Readonly<Record<string, string>>): string {
  const names = Object.keys(values).join('|')
  const kept = text
    .split('\n')
    .filter((line) => !new RegExp(`^\\s*(export\\s+)?(${names})\\s*=`).test(line))
    .join('\n')
    .replace(/\n*$/, '')
  return `${kept === '' ? '' : `${kept}\n`}${formatLines(values)}`
}

const formatLines = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

const readText = (path: string) =>
  statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, 'utf8') : ''
