/** The functions of a PKCS #11 library: found by its C_GetFunctionList, called with numbers and buffers. */
import { FFIType, linkSymbols, ptr, read } from 'bun:ffi'
import { openLibrary } from '../../system/libraries/native.ts'
import { type Call, functionPlaces, type Layout } from './layout.ts'

/** A CK_ULONG, a buffer, or nothing. */
export type Value = bigint | Uint8Array | null

/** A function of the library; it answers with its CK_RV. */
export type Native = (call: Call, ...values: readonly Value[]) => number

/** The address of a buffer, good for as long as something holds the buffer. */
export const getAddress = (buffer: Uint8Array): bigint => BigInt(ptr(buffer))

/** Runs the code of the library at an absolute path. Throws when it is none of PKCS #11. */
export function loadNative(path: string, layout: Layout): Native {
  const ulong = layout.ulong === 8 ? FFIType.u64 : FFIType.u32
  const pointer = FFIType.pointer
  const exported = openLibrary(path, {
    C_GetFunctionList: { args: [pointer], returns: ulong },
  })
  const place = new BigUint64Array(new ArrayBuffer(pointerBytes))
  const answer = exported.C_GetFunctionList(place)
  if (BigInt(answer) !== 0n || place[0] === 0n) {
    throw new Error('Cannot use the library: it has no list of functions')
  }
  const list = read.ptr(ptr(place), 0)
  const { symbols } = linkSymbols(
    Object.fromEntries(
      getSignatures(ulong).map(([call, args]) => {
        const at = layout.firstFunction + pointerBytes * functionPlaces[call]
        return [call, { args: [...args], returns: ulong, ptr: BigInt(read.ptr(list, at)) }]
      }),
    ),
  )
  const isWide = layout.ulong === 8
  return (call, ...values) => {
    const given = values.map((value) =>
      typeof value === 'bigint' && !isWide ? Number(value) : value,
    )
    const result: unknown = symbols[call]?.(...given)
    if (result === undefined) throw new Error(`Cannot call ${call}: the library has none`)
    return Number(result)
  }
}

const pointerBytes = 8

type Arguments = readonly (FFIType.u64 | FFIType.u32 | FFIType.pointer)[]

/** pkcs11f.h; sessions, slots, objects, counts and flags are CK_ULONG, and a CK_BBOOL has a register of its own too. */
function getSignatures(u: FFIType.u64 | FFIType.u32): readonly (readonly [Call, Arguments])[] {
  const p = FFIType.pointer
  return [
    ['C_Initialize', [p]],
    ['C_GetSlotList', [u, p, p]],
    ['C_GetSlotInfo', [u, p]],
    ['C_GetTokenInfo', [u, p]],
    ['C_GetMechanismList', [u, p, p]],
    ['C_OpenSession', [u, u, p, p, p]],
    ['C_CloseSession', [u]],
    ['C_Login', [u, u, p, u]],
    ['C_Logout', [u]],
    ['C_GetAttributeValue', [u, u, p, u]],
    ['C_FindObjectsInit', [u, p, u]],
    ['C_FindObjects', [u, p, u, p]],
    ['C_FindObjectsFinal', [u]],
    ['C_SignInit', [u, p, u]],
    ['C_Sign', [u, p, u, p, p]],
  ]
}
