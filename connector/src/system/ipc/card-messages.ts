/** The messages between the API and a card process: frames over its standard input, lines of JSON over its output. */
import { CardIdentity, CardInfo } from '@cardwire/protocol/card-identity'
import { PaymentApplications, PaymentData } from '@cardwire/protocol/payment'
import { type ProblemName, problems } from '@cardwire/protocol/problem'
import * as z from 'zod/mini'
import { TokenLibrary, tokenOperations, tokenResults } from './token-messages.ts'

const hash = z.enum(['sha1', 'sha256', 'sha384', 'sha512'])

/** Seconds that the user has at the reader's own pad for each PIN; absent: the PIN comes with the frame. */
const padTimeoutS = z.optional(z.int())

/** What is done with a card in one transaction. Bytes are base64. */
export const CardOperation = z.discriminatedUnion('kind', [
  /** Which modules' applications the card has. */
  z.object({ kind: z.literal('probe') }),
  /** The certificates of these keys, or of all; and of these authorities, or of none. Those that cannot be read are left out, unless none can be. */
  z.object({
    kind: z.literal('certificates'),
    module: z.string(),
    keys: z.optional(z.readonly(z.array(z.string()))),
    authorities: z.optional(z.readonly(z.array(z.enum(['root', 'intermediate'])))),
    /** Those of keys without a certificate too. */
    publicKeys: z.optional(z.boolean()),
  }),
  /** What the card says about its holder; without parts it is only found out whether the card is one of the module. */
  z.object({
    kind: z.literal('identity'),
    module: z.string(),
    parts: z.readonly(z.array(z.enum(['biometric', 'address', 'picture']))),
  }),
  /** What the card says about itself. */
  z.object({ kind: z.literal('info'), module: z.string() }),
  /** Of a payment card, for which no PIN is needed. */
  z.object({ kind: z.literal('payment-applications'), module: z.string() }),
  /** Its holder and number, of which four digits are shown, or all. */
  z.object({ kind: z.literal('payment-data'), module: z.string(), wholePan: z.boolean() }),
  z.object({
    kind: z.literal('payment-keys'),
    module: z.string(),
    aid: z.string(),
    keys: z.readonly(z.array(z.enum(['issuer', 'icc']))),
  }),
  /** What is known before a PIN: the key's certificate, and the tries that the PIN has left. */
  z.object({
    kind: z.literal('prepare'),
    module: z.string(),
    key: z.string(),
    /** Whether the reader is asked for a key pad of its own. */
    asksForPad: z.optional(z.boolean()),
  }),
  /** Verifies the PIN that comes with the frame, only when the card is still that of `certificate`, or of a public key. */
  z.object({
    kind: z.literal('verify'),
    module: z.string(),
    key: z.string(),
    certificate: z.optional(z.string()),
    padTimeoutS,
  }),
  /** Signs each digest; the PIN that comes with the frame is verified before each where the key demands that. */
  z.object({
    kind: z.literal('sign'),
    module: z.string(),
    key: z.string(),
    /** Or where the card has none, the public key. */
    certificate: z.string(),
    hash,
    /** Of RSA keys; absent: PKCS #1 v1.5. */
    padding: z.optional(z.literal('pss')),
    digests: z.array(z.string()),
    /** Whether the caller may have a key sign that authenticates; absent: it may not. */
    mayAuthenticate: z.optional(z.literal(true)),
    padTimeoutS,
  }),
  /** Ends what a program has verified. */
  z.object({ kind: z.literal('reset') }),
  ...tokenOperations,
])
export type CardOperation = z.output<typeof CardOperation>

/** How long a PIN is kept after its last signature, and for how many in all. */
export const keptPinLimits = { idleMs: 60_000, signatures: 100 } as const

export const CardRequest = z.object({
  reader: z.string(),
  /** The time of the operation, milliseconds. */
  timeoutMs: z.number(),
  operation: CardOperation,
  /** Of the card; absent: the connector speaks to it by itself. */
  library: z.optional(TokenLibrary),
  /** The PIN is kept for further signatures, or the one that is kept under this id is used. */
  kept: z.optional(z.object({ id: z.string(), use: z.enum(['begin', 'again']) })),
})
export type CardRequest = z.output<typeof CardRequest>

/** Commands of a page to the card, over one transaction from `open` to `close`. */
export const RawRequest = z.object({
  reader: z.string(),
  raw: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('open') }),
    /** Base64. */
    z.object({ kind: z.literal('transmit'), command: z.string() }),
    z.object({ kind: z.literal('close') }),
  ]),
})
export type RawRequest = z.output<typeof RawRequest>

export const RawResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('raw-open'), protocol: z.enum(['T=0', 'T=1']) }),
  /** What the card answered, base64. */
  z.object({ kind: z.literal('raw-transmit'), answer: z.string() }),
  z.object({ kind: z.literal('raw-close') }),
])
export type RawResult = z.output<typeof RawResult>

export const FoundCertificate = z.object({ key: z.string(), certificate: z.string() })
export type FoundCertificate = z.output<typeof FoundCertificate>

/** Of an authority behind the certificates of the keys. */
export const FoundAuthority = z.object({
  role: z.enum(['root', 'intermediate']),
  certificate: z.string(),
})
export type FoundAuthority = z.output<typeof FoundAuthority>

export const CardResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('probe'), modules: z.array(z.string()) }),
  z.object({
    kind: z.literal('certificates'),
    certificates: z.array(FoundCertificate),
    authorities: z.optional(z.array(FoundAuthority)),
    publicKeys: z.optional(z.array(z.object({ key: z.string(), publicKey: z.string() }))),
  }),
  z.object({ kind: z.literal('identity'), identity: CardIdentity }),
  z.object({ kind: z.literal('info'), info: CardInfo }),
  z.object({
    kind: z.literal('payment-applications'),
    applications: PaymentApplications.shape.applications,
  }),
  z.object({ kind: z.literal('payment-data'), data: PaymentData }),
  z.object({
    kind: z.literal('payment-keys'),
    keys: z.array(
      z.object({
        key: z.enum(['issuer', 'icc']),
        certificate: z.string(),
        exponent: z.string(),
        remainder: z.string(),
      }),
    ),
  }),
  z.object({
    kind: z.literal('prepare'),
    certificate: z.optional(z.string()),
    /** SubjectPublicKeyInfo, where there is no certificate. */
    publicKey: z.optional(z.string()),
    triesLeft: z.optional(z.int()),
    /** Whether a PIN for this key can be typed at the reader's own pad. */
    pad: z.optional(z.boolean()),
  }),
  z.object({ kind: z.literal('verify') }),
  z.object({ kind: z.literal('sign'), signatures: z.array(z.string()) }),
  z.object({ kind: z.literal('reset') }),
  ...tokenResults,
])
export type CardResult = z.output<typeof CardResult>

/** `waiting`: for a transaction, which another program may have; `working`: it has one. */
export const FromCardProcess = z.discriminatedUnion('type', [
  z.object({ type: z.literal('phase'), phase: z.enum(['waiting', 'working']) }),
  z.object({ type: z.literal('result'), result: z.union([CardResult, RawResult]) }),
  z.object({
    type: z.literal('failed'),
    problem: z.string().check(z.refine((name) => Object.hasOwn(problems, name))) as z.ZodMiniType<
      ProblemName,
      ProblemName
    >,
    message: z.string(),
    triesLeft: z.optional(z.int()),
    /** The PIN did not reach the card. */
    isPinUnsent: z.optional(z.literal(true)),
    /** What the administrator has to know, for the log. */
    defect: z.optional(z.string()),
  }),
])
export type FromCardProcess = z.output<typeof FromCardProcess>

/** Before each line of a card process (RFC 7464): a library in it may write lines of its own. */
export const messageStart = '\u001e'

/** Two lengths of four bytes, big-endian, before the request and the PIN. */
export const frameHeaderBytes = 8
/** Requests have digests of 64 bytes, a hundred at most; PINs a few bytes. */
export const maxFrameBytes = { request: 65_536, pin: 256 }

/**
 * A frame with a PIN has so many bytes of JSON at least: Bun copies what is shorter than a page of memory into a buffer of its
 * own, which nobody overwrites, and writes the rest straight from ours. Pages have 16 KiB at most (macOS on Apple silicon).
 */
const minJsonBytes = 16_384

/** A frame: the PIN is bytes behind the JSON, so that no text holds it, and both sides can overwrite it. */
export function encodeFrame(
  request: CardRequest | RawRequest,
  pin: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(request)
  const json = Buffer.from(pin.length > 0 ? text.padEnd(minJsonBytes) : text)
  const frame = new Uint8Array(frameHeaderBytes + json.length + pin.length)
  const header = new DataView(frame.buffer)
  header.setUint32(0, json.length)
  header.setUint32(4, pin.length)
  frame.set(json, frameHeaderBytes)
  frame.set(pin, frameHeaderBytes + json.length)
  return frame
}
