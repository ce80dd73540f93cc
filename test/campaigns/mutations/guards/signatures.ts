/** Guards of the signatures that back ends make and verify. */
import type { Guard } from '../guard.ts'

const folder = 'client/server/src/signatures'
const rawTests = ['client/test/signatures/verify-signature.test.ts'] as const
const cmsTests = ['client/test/signatures/verify-cms-signature.test.ts'] as const
const timestampTests = ['client/test/signatures/timestamps.test.ts'] as const

export const signatureGuards: readonly Guard[] = [
  {
    rule: 'signature-forged',
    file: `${folder}/verify-signature.ts`,
    search: '  if (!isGenuine) {',
    replace: '  if (isGenuine === undefined) {',
    tests: rawTests,
  },
  {
    rule: 'signature-forged',
    file: `${folder}/signed-digest.ts`,
    search: 'return signed === toHex(encodeMessage(hash, digest, size))',
    replace: 'return signed.startsWith(toHex(encodeMessage(hash, digest, size)).slice(0, 64))',
    tests: rawTests,
  },
  {
    rule: 'signature-forged',
    file: `${folder}/signer.ts`,
    search: '  await requireNamed(attributes, certificate, acceptsSha1)\n',
    replace: '',
    tests: cmsTests,
  },
  {
    rule: 'signature-forged',
    file: `${folder}/signer.ts`,
    search: '  if (!isEqual(digestIn, await digestOf(hash))) {',
    replace: '  if (digestIn.length !== (await digestOf(hash)).length) {',
    tests: cmsTests,
  },
  {
    rule: 'signature-forged',
    file: `${folder}/signer.ts`,
    search: '  if (!signer || more.length > 0) {',
    replace: '  if (!signer) {',
    tests: cmsTests,
  },
  {
    rule: 'signature-forged',
    file: `${folder}/signer.ts`,
    search: 'if (readContentType(attributes) !== contentType)',
    replace: "if (readContentType(attributes) === '')",
    tests: cmsTests,
  },
  {
    rule: 'signature-forged',
    file: `${folder}/signed-data.ts`,
    search: "  if (!isEqual(inOrder, set)) throw new Error('attributes in another order')\n",
    replace: '',
    tests: cmsTests,
  },
  {
    rule: 'signature-forged',
    file: `${folder}/signed-data.ts`,
    search: "  if (found.size !== attributes.length) throw new Error('an attribute twice')\n",
    replace: '',
    tests: cmsTests,
  },
  {
    rule: 'signature-forged',
    file: `${folder}/signed-data.ts`,
    search: '  requireDer(set)\n',
    replace: '',
    tests: cmsTests,
  },
  {
    rule: 'signature-forged',
    file: `${folder}/verify-cms-signature.ts`,
    search: 'if (first && second && isEqual(first, second)) return first',
    replace: 'if (first && second) return second',
    tests: cmsTests,
  },
  {
    rule: 'costly-certificate',
    file: 'client/server/src/certificate-path.ts',
    search: '      if (checksLeft < 0) return undefined\n',
    replace: '',
    tests: rawTests,
  },
  {
    rule: 'timestamp-forged',
    file: `${folder}/request-timestamp.ts`,
    search: 'const isOwn = info.nonce !== undefined && isEqual(info.nonce, nonce)',
    replace: 'const isOwn = info.nonce !== undefined',
    tests: timestampTests,
  },
  {
    rule: 'timestamp-forged',
    file: `${folder}/timestamp-token.ts`,
    search: 'if (!isEqual(info.imprint, await digestOf(info.hash)))',
    replace: 'if (info.imprint.length !== (await digestOf(info.hash)).length)',
    tests: timestampTests,
  },
  {
    rule: 'timestamp-forged',
    file: `${folder}/timestamp-token.ts`,
    search: '  if (time < certificate.notBefore || time > certificate.notAfter)\n',
    replace: '  if (time < certificate.notBefore)\n',
    tests: timestampTests,
  },
  {
    rule: 'timestamp-forged',
    file: `${folder}/timestamp-token.ts`,
    search: 'if (time.getTime() > trust.now.getTime() + maxClockDifferenceMs)',
    replace: 'if (Number.isNaN(time.getTime()))',
    tests: timestampTests,
  },
  {
    rule: 'timestamp-forged',
    file: 'client/server/src/certificate-path.ts',
    search: '    purposes?.critical === true &&\n',
    replace: '    purposes !== null &&\n',
    tests: timestampTests,
  },
  {
    rule: 'timestamp-forged',
    file: 'client/server/src/certificate-path.ts',
    search: '    purposes.usages.length === 1 &&\n',
    replace: '',
    tests: timestampTests,
  },
]
