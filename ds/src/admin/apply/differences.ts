/** How what a file says differs from what there is, in one line for each field. */

/** A value in a line has this length at most. */
const maxLength = 200

/** Whether two values are the same as JSON, in whatever order their members are. */
export const isSame = (one: unknown, other: unknown): boolean => toText(one) === toText(other)

/** `before`: undefined where it is added. */
export function describeFields(before: object | undefined, after: object): readonly string[] {
  const old: Readonly<Record<string, unknown>> = { ...before }
  const names = new Set([...Object.keys(old), ...Object.keys(after)])
  return [...names].flatMap((name) => {
    const value: unknown = (after as Readonly<Record<string, unknown>>)[name]
    if (isSame(old[name], value)) return []
    if (Array.isArray(value) && Array.isArray(old[name]))
      return [`${name}: ${describeList(old[name], value)}`]
    if (before === undefined || old[name] === undefined) return [`${name}: ${shorten(value)}`]
    return [`${name}: ${shorten(old[name])} → ${value === undefined ? 'none' : shorten(value)}`]
  })
}

/** What is added to a list and removed from it. */
function describeList(before: readonly unknown[], after: readonly unknown[]): string {
  const has = (list: readonly unknown[], value: unknown) => list.some((one) => isSame(one, value))
  const added = after.filter((one) => !has(before, one)).map((one) => `+ ${shorten(one)}`)
  const removed = before.filter((one) => !has(after, one)).map((one) => `- ${shorten(one)}`)
  const parts = [...added, ...removed]
  if (parts.length === 0) return 'another order'
  const shown = parts.slice(0, 10).join(', ')
  return parts.length > 10 ? `${shown}, and ${parts.length - 10} more` : shown
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : toText(value)
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`
}

const toText = (value: unknown): string => JSON.stringify(sortMembers(value)) ?? 'none'

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sortMembers(member)]),
  )
}
