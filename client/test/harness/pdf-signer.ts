/** Holders of certificates for signatures, and how they sign a PDF. */
import {
  completePdfSignature,
  type PdfSignatureOptions,
  preparePdfSignature,
} from '../../server/src/index.ts'
import { type Holder, type HolderOptions, keys, makeHolder } from './authority.ts'
import { signDigest } from './card-signature.ts'

export const signerExtensions = [
  'basicConstraints=critical,CA:FALSE',
  'keyUsage=critical,nonRepudiation',
]

export type SignerKeyName = keyof typeof keys

export interface PdfSigner {
  readonly holder: Holder
  readonly root: Holder
  readonly key: SignerKeyName
}

export async function makePdfSigner(
  root: Holder,
  key: SignerKeyName,
  options: HolderOptions = {},
): Promise<PdfSigner> {
  const given = { subject: '/CN=An Vermeer', issuer: root, extensions: signerExtensions }
  return { holder: await makeHolder({ ...given, key: keys[key], ...options }), root, key }
}

/** 2026-06-01 10:30 UTC. */
export const signingTime = new Date(Date.UTC(2026, 5, 1, 10, 30))

export const toOptions = (
  pdf: Uint8Array,
  { holder, root }: PdfSigner,
  given: Partial<PdfSignatureOptions> = {},
): PdfSignatureOptions => ({
  pdf,
  certificate: new Uint8Array(holder.der),
  chain: [new Uint8Array(root.der)],
  signingTime,
  ...given,
})

const curves = { RS256: undefined, ES256: 'P-256', ES384: 'P-384' } as const

/** What the card makes of a digest. */
export const signAsCard = (
  { holder, key }: PdfSigner,
  prepared: { readonly hash: string; readonly digest: Uint8Array },
): Promise<Uint8Array> => signDigest(holder, prepared, curves[key])

export async function signPdf(
  pdf: Uint8Array,
  signer: PdfSigner,
  given: Partial<PdfSignatureOptions> = {},
): Promise<Uint8Array> {
  const prepared = await preparePdfSignature(toOptions(pdf, signer, given))
  return completePdfSignature(prepared.state, await signAsCard(signer, prepared))
}
