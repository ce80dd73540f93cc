/** The extra names of the leaf: which are valid, and which the root may sign for. */
import { Problem } from '@cardwire/protocol/problem'
import { type Constraints, permitsName } from '../pki/constraints.ts'
import { localNames, type Name, readName } from '../pki/names.ts'

/** Reads extra names, the local ones and repetitions left out. Throws `input-invalid` that names each invalid one. */
export function readHosts(texts: readonly string[]): readonly Name[] {
  const errors = texts.flatMap((text, at) => {
    const message = findHostError(text)
    return message === undefined ? [] : [{ path: `hosts[${at}]`, message }]
  })
  if (errors.length > 0)
    throw new Problem('input-invalid', `Cannot use the hosts: ${errors[0]?.message}`, { errors })
  return removeDuplicates(texts)
}

/** The same for lists that were written by hand: invalid entries are left out. */
export const readValidHosts = (texts: readonly string[]): readonly Name[] =>
  removeDuplicates(texts.filter((text) => findHostError(text) === undefined))

/** Names that the root may sign for, and those that need another root. */
export function splitByConstraints(constraints: Constraints, names: readonly Name[]) {
  return {
    inside: names.filter((name) => permitsName(constraints, name)),
    outside: names.filter((name) => !permitsName(constraints, name)),
  }
}

function findHostError(text: string): string | undefined {
  const name = readName(text)
  if (name === undefined) return `"${text}" is neither a host name nor an address`
  // A constraint permits a name and everything below it: `com` would be half of the web.
  if (name.kind === 'dns' && name.value !== 'localhost' && !name.value.includes('.'))
    return `"${text}" has one label, and a root for it could sign for every name below it`
  return undefined
}

function removeDuplicates(texts: readonly string[]): readonly Name[] {
  const names = new Map<string, Name>()
  for (const name of texts.flatMap((text) => readName(text) ?? [])) names.set(name.value, name)
  for (const local of localNames) names.delete(local)
  return [...names.values()]
}
