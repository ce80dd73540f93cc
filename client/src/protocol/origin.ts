/** Origins as an allowlist writes them, and whether one allows a page. */
import * as z from 'zod/mini'

// Opaque origins and schemes whose pages anybody can make; `https` and `http` have rules of their own below.
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
const loopback = /^(localhost|[a-z0-9-]+(\.[a-z0-9-]+)*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/
const entryShape = /^([a-z][a-z0-9+.-]*):\/\/(\*\.)?([^\s/\\?#@*]+)\/?$/

/** The entry in its one spelling (lower case, no default port, no final slash), or why it is none. */
function normalize(entry: string): { readonly value: string } | { readonly reason: string } {
  const shape = entryShape.exec(entry.trim().toLowerCase())
  if (!shape)
    return { reason: 'expected an origin such as https://shop.example, or https://*.host' }
  const [, scheme = '', wildcard = '', host = ''] = shape
  if (refusedSchemes.has(scheme)) return { reason: `the scheme "${scheme}" names no origin` }
  if (scheme !== 'https' && scheme !== 'http') {
    return wildcard ? { reason: '* is for https alone' } : { value: `${scheme}://${host}` }
  }
  if (!URL.canParse(`${scheme}://${host}`)) return { reason: `"${host}" is no host` }
  const url = new URL(`${scheme}://${host}`)
  if (scheme === 'http' && (wildcard || !loopback.test(url.hostname))) {
    return { reason: 'http is for loopback alone' }
  }
  // `https://*.com` would trust a whole registry; two labels are the least that belongs to somebody.
  if (wildcard && (!url.hostname.includes('.') || !/[a-z]/.test(url.hostname))) {
    return { reason: '* needs a host of two names or more behind it' }
  }
  return { value: `${scheme}://${wildcard}${url.host}` }
}

/** An entry of an allowlist: an origin, or `https://*.host` for every host below it. */
export const AllowedOrigin = z.pipe(
  z.string().check(z.maxLength(512), z.describe('An origin, or https://*.host')),
  z.transform((entry: string, context) => {
    const result = normalize(entry)
    if ('value' in result) return result.value
    context.issues.push({ code: 'custom', message: `"${entry}": ${result.reason}`, input: entry })
    return z.NEVER
  }),
)

/** Every entry that would allow `origin` (RFC 6454 §6.2): itself, and the wildcards above its host. */
export function entriesFor(origin: string): readonly string[] {
  const host = /^https:\/\/([^/]+)$/.exec(origin)?.[1]
  if (host === undefined) return origin === 'null' ? [] : [origin]
  const names = host.split('.')
  return [origin, ...names.slice(1).map((_, at) => `https://*.${names.slice(at + 1).join('.')}`)]
}
