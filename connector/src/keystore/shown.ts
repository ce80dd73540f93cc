/** What a server shows: the leaf of localhost first, and the keystore of the service for the names in it. */
import type { Certificates, TlsMaterial } from '../certs/certificates.ts'
import { localNames } from '../pki/names.ts'
import type { Log } from '../system/log.ts'
import type { Material, Materials } from '../system/server.ts'
import type { KeptKeystore, KeystoreSource } from './kept.ts'

export interface Shown {
  /** The first one is for whoever names no host, an address, or one that is not in the others. */
  readonly materials: Materials
  /** What requests may call this server, lower case; a wildcard stands for one label. */
  readonly names: ReadonlySet<string>
}

export interface Showing {
  now(): Shown
  /** Calls back when something else is to be shown. Answers with what ends that. */
  onChange(listener: (shown: Shown) => void): () => void
  /** Renews the leaf where that is due. */
  renew(): Promise<void>
}

interface Parts {
  /** undefined: there is no local authority, the keystore stands alone. */
  readonly certificates: Pick<Certificates, 'ensure' | 'onChange'> | undefined
  readonly keystore?: KeystoreSource | undefined
  /** The host names and addresses in a certificate, PEM. */
  readonly namesIn: (pem: string) => Iterable<string>
  readonly log: Pick<Log, 'error'>
}

/** Throws when there is nothing to show. */
export async function openShowing({
  certificates,
  keystore,
  namesIn,
  log,
}: Parts): Promise<Showing> {
  let leaf: TlsMaterial | undefined = await certificates?.ensure()
  let shown = both(leaf, keystore?.served())
  if (shown === undefined) {
    throw new Error('Cannot serve: CARDWIRE_LOCAL_CA is off, and there is no keystore of a service')
  }
  let current = shown

  function both(tls: TlsMaterial | undefined, kept: KeptKeystore | undefined): Shown | undefined {
    if (tls === undefined) {
      // Programs of this machine say localhost, and compare the certificate by itself.
      return kept && { materials: [alone(kept)], names: new Set([...localNames, ...kept.names]) }
    }
    const names = (kept?.names ?? []).filter(isOfKeystore)
    return {
      materials: kept ? [tls, { ...alone(kept), names }] : [tls],
      names: new Set([...namesIn(tls.cert), ...names]),
    }
  }

  return {
    now: () => current,
    onChange(listener) {
      const change = () => {
        shown = both(leaf, keystore?.served())
        if (shown === undefined) {
          return log.error('no certificate is left to serve, the old one stays until the end')
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

const alone = ({ cert, key }: KeptKeystore): Material => ({ cert, key })

/** Addresses are not sent as server names (RFC 6066 §3), and localhost is what the leaf is for. */
const isOfKeystore = (name: string) =>
  !localNames.some((local) => local === name) && !/^[\d.]+$|:/.test(name)
