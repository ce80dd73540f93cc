/** The tables of layouts and of functions, beside what C compilers make of the headers of p11-kit. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import {
  attributes,
  flags,
  functionPlaces,
  getLayout,
  type Layout,
  layouts,
  mechanisms,
  objectClasses,
  pssNumbers,
  textBytes,
  userTypes,
} from './layout.ts'

/** What is compared: an expression of C, and the value in the table. */
const listFacts = ({ ulong, firstFunction, attribute, slotInfo, tokenInfo }: Layout) =>
  [
    ['sizeof(CK_ULONG)', ulong],
    ['offsetof(CK_FUNCTION_LIST, C_Initialize)', firstFunction],
    ['sizeof(CK_ATTRIBUTE)', attribute.size],
    ['offsetof(CK_ATTRIBUTE, type)', attribute.type],
    ['offsetof(CK_ATTRIBUTE, pValue)', attribute.value],
    ['offsetof(CK_ATTRIBUTE, ulValueLen)', attribute.length],
    ['sizeof(CK_MECHANISM)', attribute.size],
    ['offsetof(CK_MECHANISM, mechanism)', attribute.type],
    ['offsetof(CK_MECHANISM, pParameter)', attribute.value],
    ['offsetof(CK_MECHANISM, ulParameterLen)', attribute.length],
    ['sizeof(CK_SLOT_INFO)', slotInfo.size],
    ['offsetof(CK_SLOT_INFO, slotDescription)', slotInfo.description],
    ['offsetof(CK_SLOT_INFO, flags)', slotInfo.flags],
    ['sizeof(CK_TOKEN_INFO)', tokenInfo.size],
    ['offsetof(CK_TOKEN_INFO, label)', tokenInfo.label],
    ['offsetof(CK_TOKEN_INFO, manufacturerID)', tokenInfo.manufacturer],
    ['offsetof(CK_TOKEN_INFO, model)', tokenInfo.model],
    ['offsetof(CK_TOKEN_INFO, serialNumber)', tokenInfo.serialNumber],
    ['offsetof(CK_TOKEN_INFO, flags)', tokenInfo.flags],
    ['offsetof(CK_TOKEN_INFO, ulMaxSessionCount)', tokenInfo.numbers],
    ['offsetof(CK_TOKEN_INFO, ulMaxPinLen)', tokenInfo.numbers + 4 * ulong],
    ['offsetof(CK_TOKEN_INFO, ulFreePrivateMemory)', tokenInfo.numbers + 9 * ulong],
    ['offsetof(CK_TOKEN_INFO, hardwareVersion)', tokenInfo.hardwareVersion],
    ['offsetof(CK_TOKEN_INFO, firmwareVersion)', tokenInfo.firmwareVersion],
    ['sizeof(((CK_SLOT_INFO *)0)->slotDescription)', textBytes.description],
    ['sizeof(((CK_TOKEN_INFO *)0)->label)', textBytes.label],
    ['sizeof(((CK_TOKEN_INFO *)0)->manufacturerID)', textBytes.manufacturer],
    ['sizeof(((CK_TOKEN_INFO *)0)->model)', textBytes.model],
    ['sizeof(((CK_TOKEN_INFO *)0)->serialNumber)', textBytes.serial],
    ...Object.entries(functionPlaces).map(
      ([name, place]) =>
        [`offsetof(CK_FUNCTION_LIST, ${name})`, firstFunction + 8 * place] as const,
    ),
    ['CKF_TOKEN_PRESENT', flags.slotTokenPresent],
    ['CKF_LOGIN_REQUIRED', flags.tokenLoginRequired],
    ['CKF_PROTECTED_AUTHENTICATION_PATH', flags.tokenProtectedPath],
    ['CKF_TOKEN_INITIALIZED', flags.tokenInitialized],
    ['CKF_USER_PIN_FINAL_TRY', flags.pinFinalTry],
    ['CKF_USER_PIN_LOCKED', flags.pinLocked],
    ['CKF_SERIAL_SESSION', flags.sessionSerial],
    ['CKU_USER', userTypes.user],
    ['CKU_CONTEXT_SPECIFIC', userTypes.contextSpecific],
    ['CKO_CERTIFICATE', objectClasses.certificate],
    ['CKO_PUBLIC_KEY', objectClasses.publicKey],
    ['CKO_PRIVATE_KEY', objectClasses.privateKey],
    ['CKA_CLASS', attributes.class],
    ['CKA_VALUE', attributes.value],
    ['CKA_CERTIFICATE_TYPE', attributes.certificateType],
    ['CKA_ID', attributes.id],
    ['CKA_SIGN', attributes.sign],
    ['CKA_ALWAYS_AUTHENTICATE', attributes.alwaysAuthenticate],
    ['CKM_RSA_PKCS', mechanisms.rsaPkcs],
    ['CKM_RSA_PKCS_PSS', mechanisms.rsaPkcsPss],
    ['CKM_ECDSA', mechanisms.ecdsa],
    ['sizeof(CK_RSA_PKCS_PSS_PARAMS)', 3 * ulong],
    ['offsetof(CK_RSA_PKCS_PSS_PARAMS, hashAlg)', 0],
    ['offsetof(CK_RSA_PKCS_PSS_PARAMS, mgf)', ulong],
    ['offsetof(CK_RSA_PKCS_PSS_PARAMS, sLen)', 2 * ulong],
    ['CKM_SHA_1', pssNumbers.sha1.hash],
    ['CKM_SHA256', pssNumbers.sha256.hash],
    ['CKM_SHA384', pssNumbers.sha384.hash],
    ['CKM_SHA512', pssNumbers.sha512.hash],
    ['CKG_MGF1_SHA1', pssNumbers.sha1.mask],
    ['CKG_MGF1_SHA256', pssNumbers.sha256.mask],
    ['CKG_MGF1_SHA384', pssNumbers.sha384.mask],
    ['CKG_MGF1_SHA512', pssNumbers.sha512.mask],
  ] as const

/** Values that a compiler knows are an array whose size says that they are right. */
const program = (facts: readonly (readonly [string, number])[]) => `
#include <stddef.h>
#include <p11-kit/pkcs11.h>
${facts.map(([name, value], at) => `char fact_${at}[(${name}) == ${value} ? 1 : -1];`).join('\n')}
`

// unsigned long has four bytes for compilers of Windows alone; on the other systems it is as long as a pointer.
const compilers = { linux: 'cc', darwin: 'cc', win32: 'x86_64-w64-mingw32-gcc' } as const

describe.each(['linux', 'darwin', 'win32'] as const)('%s', (platform) => {
  const compile = async (facts: readonly (readonly [string, number])[]) => {
    const folder = await mkdtemp(join(tmpdir(), 'cardwire-layout-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const source = join(folder, 'layout.c')
    await writeFile(source, program(facts))
    const headers = '-I/usr/include/p11-kit-1'
    return Bun.spawnSync([
      ...[compilers[platform], headers, '-c', '-o', join(folder, 'layout.o'), source],
    ])
  }

  test('the compiler has the sizes, the places and the numbers of the tables', async () => {
    proves('pkcs11-layouts')
    const { exitCode, stderr } = await compile(listFacts(layouts[platform]))
    expect([exitCode, stderr.toString()]).toEqual([0, ''])
  })

  test('a wrong one is noticed', async () => {
    const { exitCode } = await compile([['sizeof(CK_TOKEN_INFO)', 1]])
    expect(exitCode).not.toBe(0)
  })
})

test('a platform that the connector is not built for is refused', () => {
  expect(() => getLayout('sunos')).toThrow('Cannot use PKCS #11 on "sunos"')
})
