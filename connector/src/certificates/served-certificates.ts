/** The certificates that a server of ours serves: the leaf of localhost, and the keystore of the DS for the names in it. */

import type { KeystoreSource, StoredKeystore } from '../distribution/keystore/keystore-file.ts'
import { localNames } from '../pki/names.ts'
import type { Log } from '../system/log.ts'
import type { ServerCertificate, ServerCertificates } from '../system/server.ts'
import type { Certificates, TlsMaterial } from './certificates.ts'

export interface ServedSnapshot {
  /** The first is for clients that send no server name, or one that is not among the others. */
  readonly certificates: ServerCertificates
  /** The host names of this server in requests, lower case; a wildcard stands for one label. */
  readonly names: ReadonlySet<string>
}

export interface ServedCertificates {
  current(): ServedSnapshot
  /** Calls back when other certificates have to be served. The result ends the subscription. */
  onChange(listener: (shown: ServedSnapshot) => void): () => void
  /** Renews the leaf when it is stale. */
  renew(): Promise<void>
}

interface ServedCertificateOptions {
  /** undefined: there is no local authority, the keystore stands alone. */
  readonly certificates: Pick<Certificates, 'ensure' | 'onChange'> | undefined
  readonly keystore?: KeystoreSource | undefined
  /** The host names and addresses in a certificate, PEM. */
  readonly namesIn: (pem: string) => Iterable<string>
  readonly log: Pick<Log, 'error'>
}

/** Throws when there is no certificate to serve. */
export async function openServedCertificates({
  certificates,
  keystore,
  namesIn,
  log,
}: ServedCertificateOptions): Promise<ServedCertificates> {
  let leaf: TlsMaterial | undefined = await certificates?.ensure()
  let shown = combine(leaf, keystore?.current(), namesIn)
  if (shown === undefined) {
    throw new Error('Cannot serve: CARDWIRE_LOCAL_CA is off, and there is no keystore of a service')
  }
  let current = shown

  return {
    current: () => current,
    onChange(listener) {
      const change = () => {
        shown = combine(leaf, keystore?.current(), namesIn)
        if (shown === undefined) {
          return log.error(
            'there is no longer a certificate to serve; the old one is served until the connector stops',
          )
        }
        current = shown
        listener(shown)
      }
      const ends = [
        certificates?.onChange((tls) => {
          leaf = tls
          change()
        }),
        keystore?.onChange(change),
      ]
      return () => {
        for (const end of ends) end?.()
      }
    },
    async renew() {
      await certificates?.ensure()
    },
  }
}

/** undefined: there is no certificate to serve. */
function combine(
  leaf: TlsMaterial | undefined,
  kept: StoredKeystore | undefined,
  namesIn: ServedCertificateOptions['namesIn'],
): ServedSnapshot | undefined {
  if (leaf === undefined) {
    // Programs of this machine use the name localhost and compare the certificate itself.
    return (
      kept && {
        certificates: [toServerCertificate(kept)],
        names: new Set([...localNames, ...kept.names]),
      }
    )
  }
  const names = (kept?.names ?? []).filter(isKeystoreName)
  return {
    certificates: kept ? [leaf, { ...toServerCertificate(kept), names }] : [leaf],
    names: new Set([...namesIn(leaf.cert), ...names]),
  }
}

const toServerCertificate = ({ cert, key }: StoredKeystore): ServerCertificate => ({ cert, key })

/** Addresses are not sent as server names (RFC 6066 §3), and localhost is what the leaf is for. */
const isKeystoreName = (name: string) =>
  !localNames.some((local) => local === name) && !/^[\d.]+$|:/.test(name)
