/** Reads the certificate that a server on this machine serves. */
import { connect } from 'node:tls'
import type { Name } from '../pki/names.ts'

/** How long a server on the same machine may take, in milliseconds. */
const limitMs = 2_000

/**
 * Whether the server serves the certificate with this fingerprint for this server name; null when there is no reply.
 * Compared by fingerprint, as Bun's TLS client cannot read constraints of addresses and refuses the chain.
 */
export function checkServedCertificate(target: {
  readonly address: string
  readonly port: number
  readonly name: Name
  readonly fingerprint: string
}): Promise<boolean | null> {
  return new Promise((resolve) => {
    const socket = connect({
      host: target.address,
      port: target.port,
      // Addresses are not sent as server names (RFC 6066 §3).
      ...(target.name.kind === 'dns' ? { servername: target.name.value } : {}),
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
      end(shown.replaceAll(':', '').toLowerCase() === target.fingerprint)
    })
  })
}
