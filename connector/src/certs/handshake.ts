/** Looks at the certificate that a server on this machine shows. */
import { connect } from 'node:tls'
import type { Name } from '../pki/names.ts'

/** How long a server on the same machine may take, in milliseconds. */
const limitMs = 2_000

/**
 * Whether the server shows the certificate with this fingerprint when it is asked for by this name; null when nobody
 * answers. Compared by fingerprint, since Bun's TLS client cannot read constraints of addresses and refuses the chain.
 */
export function shownOn(ask: {
  readonly address: string
  readonly port: number
  readonly name: Name
  readonly fingerprint: string
}): Promise<boolean | null> {
  return new Promise((resolve) => {
    const socket = connect({
      host: ask.address,
      port: ask.port,
      // Addresses are not sent as server names (RFC 6066 §3).
      ...(ask.name.kind === 'dns' ? { servername: ask.name.value } : {}),
      rejectUnauthorized: false,
    })
    const end = (answer: boolean | null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => end(null), limitMs)
    socket.once('error', () => end(null))
    socket.once('secureConnect', () => {
      const shown = socket.getPeerCertificate().fingerprint256
      end(shown.replaceAll(':', '').toLowerCase() === ask.fingerprint)
    })
  })
}
