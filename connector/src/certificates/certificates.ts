/** The port of the certificates of this machine, for the API and the command line. */
import type { ConstraintKind } from '../pki/constraints.ts'
import type { Protection } from '../pki/protection.ts'
import type { StoreResult } from '../pki/trust-stores/install-root.ts'
import type { RootState } from '../pki/validate.ts'

/** What a TLS server needs. Texts are PEM, the key PKCS#8; never leaves the process. */
export interface TlsMaterial {
  readonly cert: string
  readonly key: string
  /** Milliseconds since 1970, UTC. */
  readonly notAfter: number
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  readonly fingerprint: string
}

export interface Certificates {
  /**
   * Resolves with the certificate to serve: reuses a valid root, renews a stale leaf, repairs what is broken. A leaf that
   * cannot be renewed is served while it is valid. Throws the problem `certificate-refused` when there is none to serve.
   */
  ensure(): Promise<TlsMaterial>
  /** Reads the state and changes nothing. */
  status(): Promise<CertStatus>
  /** Checks one host name or address as a browser on this machine would. Throws `input-invalid` for anything else. */
  statusOf(domain: string): Promise<DomainStatus>
  /**
   * Installs the root in each trust store, and that of the registry service where the machine has one. A store that fails
   * never stops the others. `trusted`: the store trusts both.
   */
  install(): Promise<readonly StoreResult[]>
  /** Removes the roots from each trust store and leaves the files; `install` makes them trusted again. */
  untrust(): Promise<readonly StoreResult[]>
  /** Creates a new leaf; with `root` also a new root, which replaces the old one in the stores that trusted it. */
  renew(options: { readonly root?: boolean }): Promise<RenewResult>
  /**
   * Sets all names beside localhost, 127.0.0.1 and ::1. Names that the root may not sign for are remembered and returned
   * in `needsRoot`; `renew({ root: true })` then creates a root that may. Throws `input-invalid`.
   */
  hosts(hosts: readonly string[]): Promise<HostsResult>
  /** Removes one package from the list; with the last package also the trust, then the files. The folder stays. */
  uninstall(options: UninstallOptions): Promise<UninstallResult>
  /** Calls back when the certificate to serve changes, also by another process. The result ends the subscription. */
  onChange(listener: (tls: TlsMaterial) => void): () => void
}

/** A certificate as people read it; times are ISO 8601, UTC. */
export interface CertificateInfo {
  readonly subject: string
  readonly issuer: string
  readonly serial: string
  readonly fingerprint: string
  readonly notBefore: string
  readonly notAfter: string
  readonly names: readonly string[]
}

export interface CertStatus {
  readonly folder: string
  readonly files: readonly { readonly name: string; readonly present: boolean }[]
  readonly root: {
    readonly state: RootState['kind']
    readonly reason?: string
    readonly certificate?: CertificateInfo
    readonly constraints?: {
      readonly kind: ConstraintKind
      /** Permitted host names with everything below them; null: not constrained. */
      readonly dns: readonly string[] | null
      readonly ip: readonly string[] | null
    }
  }
  readonly leaf: {
    readonly state: 'good' | 'stale' | 'absent'
    readonly reason?: string
    readonly certificate?: CertificateInfo
  }
  /** Extra names: asked for, and of those the ones outside the constraints of the root. */
  readonly hosts: { readonly wanted: readonly string[]; readonly needsRoot: readonly string[] }
  readonly protection: readonly Protection[]
  readonly trust: readonly StoreResult[]
  readonly packages: readonly string[]
}

export interface DomainStatus {
  readonly domain: string
  /** Whether the leaf carries the name. */
  readonly covered: boolean
  /** Whether the constraints of the root permit it. */
  readonly permitted: boolean
  readonly addresses: readonly string[]
  /** Whether every address is this machine. */
  readonly loopback: boolean
  /** The stores that trust the root. */
  readonly trustedBy: readonly string[]
  /** Whether the running API served this leaf in a handshake; null when there was no handshake. */
  readonly served: boolean | null
  /** Whether a browser that reads one of those stores opens the name without a warning. */
  readonly verified: boolean
  /** Why not, one sentence each. */
  readonly reasons: readonly string[]
}

export interface RenewResult {
  readonly renewed: boolean
  /** Why nothing was renewed; the old files are kept. */
  readonly reason?: string
  readonly rootReplaced: boolean
  readonly leaf?: CertificateInfo
  /** The new root in the stores that trusted the old one. */
  readonly trust: readonly StoreResult[]
  readonly warnings: readonly string[]
}

export interface HostsResult {
  readonly hosts: readonly string[]
  /** The names of the current leaf. */
  readonly names: readonly string[]
  /** Those the root may not sign for. */
  readonly needsRoot: readonly string[]
  /** Why the leaf is the old one. */
  readonly reason?: string
  readonly warnings: readonly string[]
}

export interface UninstallOptions {
  /** The package to remove; our own by default. */
  readonly package?: string
  /** Removes the files even when a store still trusts the root, or cannot be read. */
  readonly force?: boolean
}

export interface UninstallResult {
  readonly removed: boolean
  readonly reason?: string
  readonly trust: readonly StoreResult[]
  /** The packages that still use the folder. */
  readonly packages: readonly string[]
}
