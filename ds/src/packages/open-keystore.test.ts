/** The time that the parts of a hostile keystore take, on Node. */
import { expect, test } from 'vitest'
import { decrypt } from '../../../pkcs12/decrypt.ts'
import { readDer } from '../../../pkcs12/der.ts'
import { createWorkBudget } from '../../../pkcs12/work-budget.ts'
import { proves } from '../../../test/bed/proves.ts'

/** PBE with SHA-1 and RC2 of 40 bits, of one round (RFC 7292 Appendix C). */
const rc2 = '301b060a2a864886f70d010c0106300d0408aabbccddeeff0011020101'

test('half a megabyte of RC2 is decrypted in a time that does not grow with its square', async () => {
  proves('keystore-hostile')
  const [begin, bytes] = [performance.now(), Buffer.alloc(512 * 1024)]
  let [last, longest] = [begin, 0]
  const turn = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  const algorithm = readDer(Buffer.from(rc2, 'hex'))
  await decrypt(algorithm, bytes, 'x', createWorkBudget()).catch(() => undefined)
  clearInterval(turn)
  // 0.6 s on two slow cores; 92 s in one piece, in which nothing else is done.
  expect(performance.now() - begin).toBeLessThan(10_000)
  expect(longest).toBeLessThan(1000)
}, 200_000)
