/** Which groups a device is in, and which group's configuration it gets. */
import type { GroupRule, Platform } from '@cardwire/protocol'
import { toLowerAscii } from './lower-ascii.ts'

/** What rules look at. All but `tags` is what the device says of itself. */
export interface GroupFacts {
  /** From administrators. */
  readonly tags: readonly string[]
  readonly reportedTags: readonly string[]
  /** In lower case as far as ASCII goes: as the database compares host names. */
  readonly hostname: string | undefined
  readonly platform: Platform
  readonly version: string
}

interface Ranked {
  readonly id: string
  readonly priority: number
  readonly createdAt: number
}

/** How a pattern of host names reads: what the name starts with, ends with, or has within. */
export type HostnameMatch =
  | { readonly kind: 'is'; readonly text: string }
  | { readonly kind: 'contains'; readonly text: string }
  | { readonly kind: 'around'; readonly start: string; readonly end: string }

export function readHostnamePattern(pattern: string): HostnameMatch {
  const low = toLowerAscii(pattern)
  const [start = '', ...others] = low.split('*')
  if (others.length === 0) return { kind: 'is', text: start }
  if (others.length === 2) return { kind: 'contains', text: others[0] ?? '' }
  return { kind: 'around', start, end: others[0] ?? '' }
}

type Condition = (facts: GroupFacts) => boolean

function readHostnames(patterns: readonly string[]): Condition {
  const tests = patterns.map(readHostnamePattern).map((match) => {
    if (match.kind === 'is') return (low: string) => low === match.text
    if (match.kind === 'contains') return (low: string) => low.includes(match.text)
    const { start, end } = match
    return (low: string) =>
      low.length >= start.length + end.length && low.startsWith(start) && low.endsWith(end)
  })
  return ({ hostname }) => hostname !== undefined && tests.some((test) => test(hostname))
}

function readRule({ tags, reportedTags, hostnames, platforms, versions }: GroupRule): Condition {
  const conditions: Condition[] = []
  if (tags) conditions.push((facts) => tags.some((tag) => facts.tags.includes(tag)))
  if (reportedTags)
    conditions.push((facts) => reportedTags.some((tag) => facts.reportedTags.includes(tag)))
  if (platforms) conditions.push((facts) => platforms.includes(facts.platform))
  if (versions) conditions.push((facts) => versions.includes(facts.version))
  if (hostnames) conditions.push(readHostnames(hostnames))
  return (facts) => conditions.every((fits) => fits(facts))
}

/** Prepares what each sync asks: the first rule that a device fits; undefined: it is not in the group. */
export function prepareRules(
  rules: readonly GroupRule[],
): (facts: GroupFacts) => GroupRule | undefined {
  const prepared = rules.map((rule) => ({ rule, fits: readRule(rule) }))
  return (facts) => prepared.find(({ fits }) => fits(facts))?.rule
}

/** The group that decides comes first. */
export const sortGroups = <G extends Ranked>(groups: readonly G[]): readonly G[] =>
  groups.toSorted(
    (one, other) =>
      other.priority - one.priority ||
      one.createdAt - other.createdAt ||
      (one.id < other.id ? -1 : 1),
  )

/** Whether a device gets into the group only by what an administrator gave it. */
export const isTrusted = (rules: readonly GroupRule[]): boolean =>
  rules.every(({ tags }) => tags !== undefined)

interface GroupConfiguration {
  readonly type: string
  /** Empty: for all devices with the version. */
  readonly groupId: string
}

/** A keystore may have been saved for a group whose rules were changed at the same moment: no device gets that one. */
export const leaveOutUntrusted = <C extends GroupConfiguration>(
  rows: readonly C[],
  groups: readonly { readonly id: string; readonly rules: readonly GroupRule[] }[],
): readonly C[] =>
  rows.filter(
    ({ type, groupId }) =>
      type !== 'SSL_KEYSTORE' ||
      groupId === '' ||
      groups.some(({ id, rules }) => id === groupId && isTrusted(rules)),
  )

/** The configurations of a version that a device gets: of each type that of its first group with one, else the one for all. */
export function chooseConfigurations<C extends GroupConfiguration>(
  rows: readonly C[],
  groups: readonly string[],
): readonly C[] {
  const order = [...groups, '']
  const sorted = rows
    .filter(({ groupId }) => order.includes(groupId))
    .toSorted((one, other) => order.indexOf(one.groupId) - order.indexOf(other.groupId))
  return sorted.filter((row, at) => sorted.findIndex(({ type }) => type === row.type) === at)
}
