/**
 * What a macOS program may do although the hardened runtime forbids it, as the blobs of a signature (`kern/cs_blobs.h` of
 * Apple's xnu). All that Bun's own program has, without `allow-dyld-environment-variables`: no library can be put into it.
 */

/** CSMAGIC_REQUIREMENTS, CSMAGIC_EMBEDDED_ENTITLEMENTS, CSMAGIC_EMBEDDED_DER_ENTITLEMENTS, CSMAGIC_BLOBWRAPPER */
const magic = { requirements: 0xfade0c01, xml: 0xfade7171, der: 0xfade7172, wrapper: 0xfade0b01 }

const entitlements = [
  // JavaScriptCore compiles code, and so does bun:ffi.
  'com.apple.security.cs.allow-jit',
  'com.apple.security.cs.allow-unsigned-executable-memory',
  'com.apple.security.cs.disable-executable-page-protection',
  // PKCS #11 libraries are signed by others.
  'com.apple.security.cs.disable-library-validation',
]

export interface SignaturePart {
  readonly slot: number
  readonly blob: Buffer
}

/** Parts of a signature by their slots. The kernel checks the hashes of those below 0x1000, which the CodeDirectory has. */
export const signatureParts: readonly SignaturePart[] = [
  // No requirements, as codesign writes them without an identity.
  { slot: 2, blob: createBlob(magic.requirements, Buffer.alloc(4)) },
  ...createEntitlementParts(entitlements),
  // No signature in the form of CMS: it is of no developer.
  { slot: 0x10000, blob: createBlob(magic.wrapper, Buffer.alloc(0)) },
]

/** The entitlements in both of their forms: older systems read the first, and later ones the second. */
export function createEntitlementParts(names: readonly string[]): readonly SignaturePart[] {
  return [
    { slot: 5, blob: createBlob(magic.xml, Buffer.from(createPropertyList(names))) },
    { slot: 7, blob: createBlob(magic.der, encodeEntitlements(names.toSorted())) },
  ]
}

function createBlob(type: number, content: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(type)
  header.writeUInt32BE(header.length + content.length, 4)
  return Buffer.concat([header, content])
}

function createPropertyList(names: readonly string[]): string {
  const entries = names.map((name) => `    <key>${name}</key>\n    <true/>\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
${entries.join('')}</dict>
</plist>`
}

/** [APPLICATION 16] { INTEGER 1, [16] { SEQUENCE { UTF8String, BOOLEAN TRUE }, … } }, as codesign writes it. */
function encodeEntitlements(names: readonly string[]): Buffer {
  const yes = Buffer.from([0x01, 0x01, 0xff])
  const entries = names.map((name) =>
    encodeDer(0x30, Buffer.concat([encodeDer(0x0c, Buffer.from(name)), yes])),
  )
  const version = Buffer.from([0x02, 0x01, 0x01])
  return encodeDer(0x70, Buffer.concat([version, encodeDer(0xb0, Buffer.concat(entries))]))
}

function encodeDer(tag: number, content: Buffer): Buffer {
  const { length } = content
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content])
}
