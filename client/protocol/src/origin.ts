/** Origins in an allowlist, and which entries allow a page. */
import * as z from 'zod/mini'
import { isLoopbackHostInBrowsers } from './loopback.ts'

// Their origins are opaque, or anybody can make such a page; `https` and `http` have rules of their own below.
const refusedSchemes = new Set([
  'file',
  'data',
  'blob',
  'about',
  'javascript',
  'null',
  'ws',
  'wss',
  'ftp',
])
/** Schemes of the letters of `https` that are neither `https` nor `http`, such as `htps`. */
const misspelled = /^(?!https?$)[htps]{3,7}$/
const maxEntryLength = 512
/** Characters of a host, without its port and a final dot: no name in the DNS is longer (RFC 1035 §2.3.4). */
const maxHostLength = 253
/** What no host has: somebody has put several origins, or one in quotes, where one is expected. */
const noHost = /[,;"'<>|^`{}]/
const entryPattern = /^([a-z][a-z0-9+.-]*):\/\/(\*\.)?([^\s/\\?#@*]+)\/?$/

/** The entry in canonical form (lower case, no default port, no final slash), or why it is invalid. */
function normalize(entry: string): { readonly value: string } | { readonly reason: string } {
  const match = entryPattern.exec(entry.trim().toLowerCase())
  if (!match)
    return { reason: 'expected an origin such as https://shop.example, or https://*.host' }
  const [, scheme = '', wildcard = '', host = ''] = match
  if (isTooLong(host)) return { reason: `expected a host of at most ${maxHostLength} characters` }
  if (noHost.test(host))
    return { reason: `"${host}" is not a host, expected one origin in an entry` }
  if (misspelled.test(scheme)) return { reason: `the scheme "${scheme}" is misspelled` }
  if (refusedSchemes.has(scheme)) return { reason: `the scheme "${scheme}" names no origin` }
  if (scheme !== 'https' && scheme !== 'http') {
    return wildcard ? { reason: '* is only for https' } : { value: `${scheme}://${host}` }
  }
  if (!URL.canParse(`${scheme}://${host}`)) return { reason: `"${host}" is not a host` }
  const url = new URL(`${scheme}://${host}`)
  if (scheme === 'http' && (wildcard || !isLoopbackHostInBrowsers(url.hostname))) {
    return { reason: 'http is only for loopback' }
  }
  // `https://*.com` would allow every site of a top-level domain, and `https://*.com.` its sites under their names with a
  // final dot, which browsers resolve all the same.
  if (wildcard && !/^[^.]+(\.[^.]+)*\.[^.]*[a-z][^.]*\.?$/.test(url.hostname)) {
    return { reason: '* needs a host of two names or more behind it' }
  }
  return { value: `${scheme}://${wildcard}${url.host}` }
}

/** An entry of an allowlist: an origin, or `https://*.host` for every host below it. */
export const AllowedOrigin = z.pipe(
  z.string().check(z.maxLength(maxEntryLength), z.describe('An origin, or https://*.host')),
  z.transform((entry: string, context) => {
    const result = normalize(entry)
    if ('value' in result) return result.value
    context.issues.push({ code: 'custom', message: `"${entry}": ${result.reason}`, input: entry })
    return z.NEVER
  }),
)

/** The entries that are valid, in canonical form: one that is invalid allows nobody, and costs the others nothing. */
export const parseAllowlist = (entries: readonly string[]): readonly string[] =>
  entries.flatMap((entry) => {
    // The lists are long: the schema takes ten times as long.
    const result = entry.length <= maxEntryLength ? normalize(entry) : undefined
    return result && 'value' in result ? [result.value] : []
  })

/** Whether an entry of the allowlist allows `origin`, whose letters may have any case. Reads each entry once. */
export function isOriginAllowed(origin: string, allowlist: readonly string[]): boolean {
  const entries = new Set(entriesFor(origin.toLowerCase()))
  return entries.size > 0 && allowlist.some((entry) => entries.has(entry))
}

/**
 * The same for many origins. An origin is compared with a few entries, however many there are and however many labels it has.
 * The entries are in canonical form.
 */
export function prepareAllowlist(allowlist: Iterable<string>): (origin: string) => boolean {
  const exact = new Set(allowlist)
  const suffixes = reduceSuffixes([...exact].flatMap((entry) => toReversedSuffix(entry) ?? []))
  return (origin) => {
    const lower = origin.toLowerCase()
    const host = parseHost(lower)
    if (host === undefined) return false
    if (exact.has(lower)) return true
    if (suffixes.length === 0 || !lower.startsWith(secure)) return false
    const reversed = reverse(host)
    const nearest = findLast(suffixes, reversed)
    return nearest !== undefined && reversed.startsWith(nearest)
  }
}

const secure = 'https://'

/** `.example` from the end of a wildcard, the last character first; undefined: the entry is no wildcard. */
const toReversedSuffix = (entry: string) =>
  entry.startsWith(`${secure}*.`) ? reverse(entry.slice(secure.length + 1)) : undefined

const reverse = (text: string) => text.split('').reverse().join('')

/** Sorted, and without those that another one begins: at most one is left that begins a host, the last one before it. */
function reduceSuffixes(suffixes: string[]): readonly string[] {
  const kept: string[] = []
  for (const suffix of suffixes.sort()) {
    const before = kept.at(-1)
    if (before === undefined || !suffix.startsWith(before)) kept.push(suffix)
  }
  return kept
}

/** The last one that is not behind `text`. */
function findLast(sorted: readonly string[], text: string): string | undefined {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') <= text) low = middle + 1
    else high = middle
  }
  return sorted[low - 1]
}

/** Every entry that allows `origin` (RFC 6454 §6.2): itself, and the wildcards above its host. */
export function entriesFor(origin: string): readonly string[] {
  const host = parseHost(origin)
  if (host === undefined) return []
  if (!origin.startsWith(secure)) return [origin]
  const names = host.split('.')
  return [origin, ...names.slice(1).map((_, at) => `https://*.${names.slice(at + 1).join('.')}`)]
}

/** The host of an origin that an entry may allow, with its port. */
function parseHost(origin: string): string | undefined {
  // Checked first: a host of 7,000 labels has as many entries, of 14 kB each.
  if (origin.length > maxEntryLength) return undefined
  const host = /^[^:/]+:\/\/([^/]+)$/.exec(origin)?.[1]
  return host === undefined || isTooLong(host) ? undefined : host
}

const isTooLong = (host: string) =>
  host.length > maxHostLength && host.replace(/\.?(:\d+)?$/, '').length > maxHostLength
