/** Libraries of PKCS #11 on Windows, whose structures are packed and whose numbers have four bytes, as Wine loads them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { buildFaultyLibrary, type FaultyLibrary } from '../tokens/faulty-library.ts'
import { type Act, openAct } from './run-program.ts'
import { windowsPath } from './wine.ts'

let faulty: FaultyLibrary
let act: Act
beforeAll(async () => {
  faulty = await buildFaultyLibrary('win32')
  act = await openAct('./token-program.ts', { LIBRARY: windowsPath(faulty.library.path) })
})
afterAll(async () => {
  await act?.stop()
  await faulty?.remove()
})

test('on Windows a token is described, its certificate read, and what it signs is checked', async () => {
  proves('pkcs11-layouts', 'service-names-library')
  await faulty.fail(undefined)
  const noSignature = 'Error: Cannot use the signature: it is not one by the key of the token'
  expect(JSON.parse(await act.run())).toMatchObject({
    token: {
      token: {
        label: 'Faulty',
        keys: [{ id: 'C1', purpose: 'non-repudiation' }],
        keyTypes: ['RSA-2048', 'RSA-3072', 'RSA-4096'],
      },
    },
    info: { info: { slot: 'A slot', label: 'Faulty', flags: 0x404, mechanisms: ['0x1'] } },
    prepared: { certificate: faulty.certificate.toString('base64') },
    signed: noSignature,
    pss: noSignature,
    refused: expect.stringContaining('its SHA-256 is'),
    ofService: expect.stringContaining('users other than root can write'),
  })
})

test('on Windows lengths beyond the memory are refused', async () => {
  await faulty.fail('C_GetAttributeValue lie')
  const refused =
    'Error: Cannot use the token: its library returned 1073741824, expected at most 16384'
  expect(JSON.parse(await act.run())).toMatchObject({ token: refused, prepared: refused })
})
