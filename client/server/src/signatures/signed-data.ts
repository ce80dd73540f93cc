/** SignedData (RFC 5652 §5) in parts: each as it was written, so that a signature stays what it is when something is added. */
import { type BaseBlock, Constructed, fromBER, ObjectIdentifier, OctetString } from 'asn1js'
import { Attribute, ContentInfo, SignedData } from 'pkijs'
import { type Bytes, empty, encode, isEqual, readElements, sequence, setOf, tags } from '../der.ts'
import { encodeIdentifier, identifiers } from './identifiers.ts'
import { malformed } from './signature-error.ts'

/** Bytes of a CMS signature, with its content and certificates. */
export const maxCmsLength = 12 * 1024 * 1024

/** What is read of a stranger's signature: those with ten certificates have about 2,000 nodes, and each takes time. */
const berOptions = {
  maxDepth: 40,
  maxNodes: 10_000,
  maxContentLength: maxCmsLength,
  parseEmbedded: false,
} as const

/** Attributes by their identifiers, each with its values as whole elements. */
export type Attributes = ReadonlyMap<string, readonly Bytes[]>

/** SignerInfo. Parts are whole elements where nothing else is said. */
export interface Signer {
  readonly version: Bytes
  readonly identity: Bytes
  readonly digestAlgorithm: Bytes
  /** With the tag of a set, as it is signed; undefined where only the content is signed. */
  readonly signedAttributes: Bytes | undefined
  readonly signatureAlgorithm: Bytes
  /** Without tag and length. */
  readonly signature: Bytes
  readonly unsignedAttributes: readonly Bytes[]
}

export interface SignedDataParts {
  readonly version: Bytes
  readonly digestAlgorithms: readonly Bytes[]
  readonly contentType: string
  /** Without tag and length; undefined where the content is elsewhere. */
  readonly content: Bytes | undefined
  /** Certificates in DER, and whatever else stands between them. */
  readonly certificates: readonly Bytes[]
  /** `[1]` with what the signer added about revocation. */
  readonly revocations: Bytes | undefined
  readonly signers: readonly Signer[]
}

/** Throws `signature-malformed` for what is no SignedData. Structures around the signed ones need not be in DER. */
export function readSignedData(cms: Uint8Array): SignedDataParts {
  if (cms.length > maxCmsLength) throw malformed(`it is longer than ${maxCmsLength} bytes`)
  try {
    return readParts(readBer(cms))
  } catch (error) {
    throw malformed('it is not CMS with SignedData', error)
  }
}

function readBer(bytes: Uint8Array): BaseBlock {
  const { offset, result } = fromBER(copy(bytes), berOptions)
  if (offset !== bytes.length || result.error) throw new Error(result.error || 'bytes behind it')
  return result
}

function readParts(root: BaseBlock): SignedDataParts {
  const { contentType, content } = new ContentInfo({ schema: root })
  if (contentType !== identifiers.signedData) throw new Error('other content')
  // It checks the structure, which is then read as it was written.
  const { encapContentInfo } = new SignedData({ schema: content })
  const [version, digestAlgorithms, , ...rest] = childrenOf(content)
  const signers = rest.at(-1)
  const tagged = (number: number) =>
    rest.find(({ idBlock }) => idBlock.tagClass === 3 && idBlock.tagNumber === number)
  const { eContentType, eContent } = encapContentInfo
  const certificates = tagged(0)
  const revocations = tagged(1)
  return {
    version: toBytes(version),
    digestAlgorithms: childrenOf(digestAlgorithms).map(toBytes),
    contentType: eContentType,
    content: eContent && readOctets(eContent),
    certificates: certificates ? childrenOf(certificates).map(toBytes) : [],
    revocations: revocations && toBytes(revocations),
    signers: childrenOf(signers).map(readSigner),
  }
}

function readSigner(signer: BaseBlock): Signer {
  const [version, identity, digestAlgorithm, ...rest] = childrenOf(signer)
  const isTagged = (block: BaseBlock | undefined, number: number) =>
    block?.idBlock.tagClass === 3 && block.idBlock.tagNumber === number
  const signed = isTagged(rest[0], 0) ? rest.shift() : undefined
  const [signatureAlgorithm, signature, unsigned] = rest
  if (!signature) throw new Error('no signature')
  return {
    version: toBytes(version),
    identity: toBytes(identity),
    digestAlgorithm: toBytes(digestAlgorithm),
    signedAttributes: signed && retag(toBytes(signed), tags.set),
    signatureAlgorithm: toBytes(signatureAlgorithm),
    signature: readOctets(signature),
    unsignedAttributes: unsigned ? childrenOf(unsigned).map(toBytes) : [],
  }
}

/** DER, with the parts as they are. */
export function encodeSignedData(parts: SignedDataParts): Bytes {
  const content =
    parts.content === undefined ? [] : [encode(tags.first, encode(tags.octets, parts.content))]
  const certificates =
    parts.certificates.length === 0 ? [] : [setOf(tags.first, parts.certificates)]
  return sequence(
    encodeIdentifier(identifiers.signedData),
    encode(
      tags.first,
      sequence(
        parts.version,
        setOf(tags.set, parts.digestAlgorithms),
        sequence(encodeIdentifier(parts.contentType), ...content),
        ...certificates,
        ...(parts.revocations ? [parts.revocations] : []),
        setOf(tags.set, parts.signers.map(encodeSigner)),
      ),
    ),
  )
}

function encodeSigner(signer: Signer): Bytes {
  const { signedAttributes, unsignedAttributes } = signer
  return sequence(
    signer.version,
    signer.identity,
    signer.digestAlgorithm,
    ...(signedAttributes ? [retag(signedAttributes, tags.first)] : []),
    signer.signatureAlgorithm,
    encode(tags.octets, signer.signature),
    ...(unsignedAttributes.length === 0 ? [] : [setOf(tags.second, unsignedAttributes)]),
  )
}

export const encodeAttribute = (identifier: string, value: Uint8Array): Bytes =>
  sequence(encodeIdentifier(identifier), encode(tags.set, value))

/** Attributes of a set in DER. Throws where they are spelled or sorted in another way, or one is there twice (RFC 5652 §5.3). */
export function readAttributes(set: Bytes): Attributes {
  requireDer(set)
  const [element] = readElements(set)
  const attributes = readElements(element?.content ?? empty)
  const inOrder = setOf(
    tags.set,
    attributes.map(({ whole }) => whole),
  )
  if (!isEqual(inOrder, set)) throw new Error('attributes in another order')
  const found = new Map(attributes.map(({ content }) => readAttribute(content)))
  if (found.size !== attributes.length) throw new Error('an attribute twice')
  return found
}

function readAttribute(content: Bytes): readonly [string, readonly Bytes[]] {
  const [identifier, values, ...more] = readElements(content)
  if (values?.tag !== tags.set || more.length > 0) throw new Error('no attribute')
  return [readIdentifier(identifier?.whole), readElements(values.content).map(({ whole }) => whole)]
}

/** Throws where an element, or one in it, is not in DER. */
export function requireDer(part: Bytes): void {
  for (const { tag, content } of readElements(part)) if (tag & 0x20) requireDer(content)
}

/** The object identifier that an element is. Throws where it is none. */
export function readIdentifier(element: Bytes | undefined): string {
  const { offset, result } = fromBER(element ?? new Uint8Array(), berOptions)
  if (offset !== element?.length || !(result instanceof ObjectIdentifier))
    throw new Error('no object identifier')
  return result.valueBlock.toString()
}

/** The identifier of an AlgorithmIdentifier, whose parameters are missing or NULL. Throws for others. */
export function readAlgorithm(element: Bytes): string {
  const [algorithm] = readElements(element)
  const [identifier, parameters, ...more] = readElements(algorithm?.content ?? element)
  const hasParameters = parameters !== undefined && parameters.whole.join() !== '5,0'
  if (hasParameters || more.length > 0) throw new Error('an algorithm with parameters')
  return readIdentifier(identifier?.whole)
}

/** The values of the unsigned attributes with an identifier, as they were written; these need not be in DER. Throws where one cannot be read. */
export const readUnsignedValues = (
  { unsignedAttributes }: Signer,
  identifier: string,
): readonly Bytes[] =>
  unsignedAttributes
    .map((raw) => new Attribute({ schema: readBer(raw) }))
    .filter(({ type }) => type === identifier)
    .flatMap(({ values }) => values.map(toBytes))

function childrenOf(block: BaseBlock | undefined): BaseBlock[] {
  if (!(block instanceof Constructed)) throw new Error('no structure')
  return block.valueBlock.value
}

function readOctets(block: BaseBlock): Bytes {
  if (!(block instanceof OctetString)) throw new Error('no octets')
  return new Uint8Array(block.getValue())
}

const toBytes = (block: BaseBlock | undefined): Bytes => {
  if (block === undefined) throw new Error('a part is missing')
  return copy(block.valueBeforeDecodeView)
}

const copy = (bytes: Uint8Array): Bytes => new Uint8Array(bytes)

function retag(element: Bytes, tag: number): Bytes {
  const changed = copy(element)
  changed[0] = tag
  return changed
}
