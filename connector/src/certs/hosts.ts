/** The extra names of the leaf: who may ask for which, and which the root may sign for. */
import { Problem } from '@cardwire/client/protocol'
import { type Constraints, permits } from '../pki/constraints.ts'
import { localNames, type Name, readName } from '../pki/names.ts'

/** Reads extra names, the local ones and repetitions left out. Throws `input-invalid` that names each wrong one. */
export function readHosts(texts: readonly string[]): readonly Name[] {
  const errors = texts.flatMap((text, at) => {
    const message = wrong(text)
    return message === undefined ? [] : [{ path: `hosts[${at}]`, message }]
  })
  if (errors.length > 0)
    throw new Problem('input-invalid', `Cannot use the hosts: ${errors[0]?.message}`, { errors })
  return distinct(texts)
}

/** The same for lists that were written by hand: wrong entries are left out. */
export const readableHosts = (texts: readonly string[]): readonly Name[] =>
  distinct(texts.filter((text) => wrong(text) === undefined))

/** Names that the root may sign for, and those for which it takes another root. */
export function splitByConstraints(constraints: Constraints, names: readonly Name[]) {
  return {
    inside: names.filter((name) => permits(constraints, name)),
    outside: names.filter((name) => !permits(constraints, name)),
  }
}

function wrong(text: string): string | undefined {
  const name = readName(text)
  if (name === undefined) return `"${text}" is neither a host name nor an address`
  // A constraint permits a name and everything below it: `com` would be half of the web.
  if (name.kind === 'dns' && name.value !== 'localhost' && !name.value.includes('.'))
    return `"${text}" has one label, and a root for it would be one for everything below it`
  return undefined
}

function distinct(texts: readonly string[]): readonly Name[] {
  const names = new Map<string, Name>()
  for (const name of texts.flatMap((text) => readName(text) ?? [])) names.set(name.value, name)
  for (const local of localNames) names.delete(local)
  return [...names.values()]
}
