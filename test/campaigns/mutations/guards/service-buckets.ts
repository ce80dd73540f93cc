/** Guards of the distribution service around a bucket that has its files. */
import type { Guard } from '../guard.ts'

const folder = 'ds/src/self-hosted/bucket'
const faults = ['ds/test/bucket/bucket-faults.test.ts'] as const
const presigned = ['ds/test/bucket/presigned.test.ts'] as const

export const serviceBucketGuards: readonly Guard[] = [
  {
    rule: 'bucket-keys-leak',
    file: 'ds/src/rules/bucket-address.ts',
    search: '  if (url.username || url.password)\n',
    replace: "  if (url.username === '-')\n",
    tests: ['ds/src/rules/bucket-address.test.ts', 'ds/src/settings.test.ts'],
  },
  {
    rule: 'bucket-keys-leak',
    file: 'ds/src/rules/bucket-address.ts',
    search: "(url.protocol === 'http:' && loopback.test(url.hostname))",
    replace: "url.protocol === 'http:'",
    tests: ['ds/src/rules/bucket-address.test.ts', 'ds/src/settings.test.ts'],
  },
  {
    rule: 'presigned-address-passed-on',
    file: `${folder}/bucket-packages.ts`,
    search: 'const presignedS = 300\n',
    replace: 'const presignedS = 604_800\n',
    tests: presigned,
  },
  {
    rule: 'presigned-address-passed-on',
    file: 'ds/src/packages/packages.ts',
    search: '  { presign: _, ...file }: Package,\n',
    replace: '  { ...file }: Package,\n',
    tests: presigned,
  },
  {
    rule: 'bucket-fails',
    file: `${folder}/bucket-client.ts`,
    search: 'const timer = setTimeout(() => aborting.abort(), timeoutMs)\n',
    replace: 'const timer = setTimeout(() => aborting.abort(), 60 * timeoutMs)\n',
    tests: faults,
  },
  {
    rule: 'bucket-fails',
    file: `${folder}/bucket-client.ts`,
    search: 'const maxAttempts = 3\n',
    replace: 'const maxAttempts = 1\n',
    tests: faults,
  },
  {
    rule: 'bucket-fails',
    file: `${folder}/bucket-packages.ts`,
    search: 'if (body && (isPart || isWhole) && Number(',
    replace: 'if (body && Number(',
    tests: faults,
  },
  {
    rule: 'bucket-fails',
    file: `${folder}/bucket-stream.ts`,
    search:
      "            if (position < end) throw new BucketFault('sent too few bytes', 'unreachable')\n",
    replace: '',
    tests: [`${folder}/bucket-stream.test.ts`],
  },
  {
    rule: 'bucket-fails',
    file: `${folder}/bucket-upload.ts`,
    search: '      if (/<Error[\\s>]/.test(text)) throw createFault(500, readErrorCode(text))\n',
    replace: '',
    tests: faults,
  },
]
