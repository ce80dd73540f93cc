/** Credentials that are wrong, made of the one that is right. */
import type { Credential, Header } from './planned-request.ts'

interface CredentialParts {
  readonly header: 'authorization' | 'apikey'
  readonly right: string
  /** Right for something else. */
  readonly other: string
}

/** The header of a request with this credential; `right` without the word Bearer. */
export function createCredential(
  kind: Credential,
  { header, right, other }: CredentialParts,
): readonly Header[] {
  const scheme = header === 'authorization' ? 'Bearer ' : ''
  const send = (value: string): Header => [header, `${scheme}${value}`]
  switch (kind) {
    case 'right':
      return [send(right)]
    case 'missing':
      return []
    case 'empty':
      return [[header, scheme.trim()]]
    case 'undefined':
      return [send('undefined')]
    case 'garbage':
      return [send('garbage-0123456789.abcdef')]
    case 'tampered':
      return [send(tamper(right))]
    case 'unsigned':
      return [send(unsign(right))]
    case 'other':
      return [send(other)]
    case 'twice':
      return [send('garbage'), send(right)]
  }
}

/** Another character in the middle of the signature; of a key in the middle of it. */
function tamper(token: string): string {
  const start = token.lastIndexOf('.') + 1
  const at = start + ((token.length - start) >> 1)
  return `${token.slice(0, at)}${token[at] === 'a' ? 'b' : 'a'}${token.slice(at + 1)}`
}

/** The same claims with the algorithm `none` (RFC 8725 §2.1). */
function unsign(token: string): string {
  const [header = '', claims = ''] = token.split('.')
  if (claims === '') return `${token}x`
  const named = JSON.parse(Buffer.from(header, 'base64url').toString())
  const none = Buffer.from(JSON.stringify({ ...named, alg: 'none' })).toString('base64url')
  return `${none}.${claims}.`
}
