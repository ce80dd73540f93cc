/** What an entry of the audit log says was done. */
import { readTexts } from '../frame/texts.ts'

/** Of an operation that took its change back. */
const undone = ':undone'

/** In words; an operation of another version of the service has its name. */
export function nameOperation(operation: string): string {
  const texts = readTexts().audit
  if (operation.endsWith(undone))
    return texts.undone(nameOperation(operation.slice(0, -undone.length)))
  return isKnown(texts.operations, operation) ? texts.operations[operation] : operation
}

/** The field that an entry names, such as `config.cors`; one of another version of the service has its name. */
export function nameField(field: string): string {
  const { fieldNames } = readTexts().audit
  const name = field.split('.').at(-1) ?? ''
  return isKnown(fieldNames, name) ? fieldNames[name] : field
}

const isKnown = <T extends object>(texts: T, name: string): name is Extract<keyof T, string> =>
  Object.hasOwn(texts, name)
