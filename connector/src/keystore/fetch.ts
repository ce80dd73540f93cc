/** Fetches a keystore: from the service itself, or from where it says that it lies. */
import { createHash } from 'node:crypto'
import { downloadKeystore, type Keystore as Reference } from '@cardwire/client/protocol'
import { isLoopback } from '../pki/names.ts'
import type { Exchange } from '../sync/exchange.ts'
import { type Answer, type Link, TooLarge } from '../sync/link.ts'
import { KeystoreRefused } from './refusal.ts'

/** Keystores have some kilobytes. Bytes. */
const largest = 5 * 1024 * 1024
/** Redirects that are followed. */
const furthest = 5

export interface Fetched {
  readonly bytes: Uint8Array
  /** SHA-256, lower-case hexadecimal. */
  readonly digest: string
}

/** Throws KeystoreRefused when it is none that may be opened, and other errors when it cannot be had now. */
export async function fetchKeystore(
  { uri, guarded, digest }: Reference,
  { link, ask }: { readonly link: Link; readonly ask: Exchange['ask'] },
): Promise<Fetched> {
  const { status, body } = await (guarded
    ? ask({ method: 'GET', path: downloadKeystore.path })
    : follow(uri, link)
  ).catch((error) => {
    throw error instanceof TooLarge ? tooLarge() : error
  })
  if (status !== 200) throw new Error(`Cannot fetch the keystore: the answer has status ${status}`)
  if (body.length > largest) throw tooLarge()
  const found = createHash('sha256').update(body).digest('hex')
  if (digest !== undefined && digest.toLowerCase() !== found) {
    throw new KeystoreRefused(`its SHA-256 is ${found}, and not ${digest} as the service says`)
  }
  return { bytes: body, digest: found }
}

async function follow(from: string, link: Link): Promise<Answer> {
  let url = new URL(from)
  for (let step = 0; step <= furthest; step += 1) {
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisMachine(url))) {
      throw new KeystoreRefused(`it is fetched over https alone, and not from ${url.origin}`)
    }
    const answer = await link({ method: 'GET', url: url.href, largest })
    const location = answer.headers['location']
    if (answer.status < 300 || answer.status >= 400 || location === undefined) return answer
    url = new URL(location, url)
  }
  throw new Error(`Cannot fetch the keystore: more than ${furthest} redirects`)
}

const isThisMachine = ({ hostname }: URL) => hostname === 'localhost' || isLoopback(hostname)

const tooLarge = () => new KeystoreRefused(`it has more than ${largest} bytes`)
