/** How each system lays out the structures of PKCS #11 in memory, and the numbers of its headers that we use, as tables. */

/** Offsets and sizes in bytes. */
export interface Layout {
  /** Bytes of CK_ULONG. */
  readonly ulong: 4 | 8
  /** CK_FUNCTION_LIST: where the pointer of the first function is; the others follow. */
  readonly firstFunction: number
  /** CK_ATTRIBUTE, and CK_MECHANISM, which has the same three fields: a number, a pointer, a length. */
  readonly attribute: {
    readonly size: number
    readonly type: number
    readonly value: number
    readonly length: number
  }
  readonly slotInfo: {
    readonly size: number
    readonly description: number
    readonly flags: number
  }
  readonly tokenInfo: {
    readonly size: number
    readonly label: number
    readonly manufacturer: number
    readonly model: number
    readonly serialNumber: number
    readonly flags: number
    /** The first of ten CK_ULONG: sessions, lengths of the PIN, memory. */
    readonly numbers: number
    readonly hardwareVersion: number
    readonly firmwareVersion: number
  }
}

/** The lengths of texts, which are filled with blanks (PKCS #11 v2.40 §3). */
export const textBytes = { description: 64, label: 32, manufacturer: 32, model: 16, serial: 16 }

/** The systems the connector is built for; all of them are 64-bit and little-endian. */
const unix: Layout = {
  // pkcs11t.h of PKCS #11 v2.40 and 3.0: CK_ULONG is unsigned long, structures are aligned as C does.
  ulong: 8,
  firstFunction: 8,
  attribute: { size: 24, type: 0, value: 8, length: 16 },
  slotInfo: { size: 112, description: 0, flags: 96 },
  tokenInfo: {
    size: 208,
    label: 0,
    manufacturer: 32,
    model: 64,
    serialNumber: 80,
    flags: 96,
    numbers: 104,
    hardwareVersion: 184,
    firmwareVersion: 186,
  },
}
const windows: Layout = {
  // The same headers between `#pragma pack(push, cryptoki, 1)` and its pop (v2.40 §2.1); unsigned long has four bytes.
  ulong: 4,
  firstFunction: 2,
  attribute: { size: 16, type: 0, value: 4, length: 12 },
  slotInfo: { size: 104, description: 0, flags: 96 },
  tokenInfo: {
    size: 160,
    label: 0,
    manufacturer: 32,
    model: 64,
    serialNumber: 80,
    flags: 96,
    numbers: 100,
    hardwareVersion: 140,
    firmwareVersion: 142,
  },
}

export const layouts = { linux: unix, darwin: unix, win32: windows } as const

/** The layout of a platform as Node names it. Throws for one the connector is not built for. */
export function getLayout(platform: string): Layout {
  if (platform === 'linux' || platform === 'darwin' || platform === 'win32')
    return layouts[platform]
  throw new Error(`Cannot use PKCS #11 on "${platform}": expected linux, darwin or win32`)
}

/** The functions that we call, by their places in CK_FUNCTION_LIST (pkcs11f.h; the same in all versions 2.x and in 3.0). */
export const functionPlaces = {
  C_Initialize: 0,
  C_GetSlotList: 4,
  C_GetSlotInfo: 5,
  C_GetTokenInfo: 6,
  C_GetMechanismList: 7,
  C_OpenSession: 12,
  C_CloseSession: 13,
  C_Login: 18,
  C_Logout: 19,
  C_GetAttributeValue: 24,
  C_FindObjectsInit: 26,
  C_FindObjects: 27,
  C_FindObjectsFinal: 28,
  C_SignInit: 42,
  C_Sign: 43,
} as const
export type Call = keyof typeof functionPlaces

/** pkcs11t.h. */
export const flags = {
  slotTokenPresent: 0x1,
  tokenLoginRequired: 0x4,
  tokenProtectedPath: 0x100,
  tokenInitialized: 0x400,
  pinFinalTry: 0x20000,
  pinLocked: 0x40000,
  sessionSerial: 0x4,
} as const

export const userTypes = { user: 1, contextSpecific: 2 } as const

export const objectClasses = { certificate: 1, publicKey: 2, privateKey: 3 } as const

export const attributes = {
  class: 0x0,
  value: 0x11,
  certificateType: 0x80,
  keyType: 0x100,
  id: 0x102,
  sign: 0x108,
  alwaysAuthenticate: 0x202,
} as const

/** Of CK_RSA_PKCS_PSS_PARAMS, which is three CK_ULONG: hash, mask, length of the salt. */
export const pssNumbers = {
  sha1: { hash: 0x220, mask: 1 },
  sha256: { hash: 0x250, mask: 2 },
  sha384: { hash: 0x260, mask: 3 },
  sha512: { hash: 0x270, mask: 4 },
} as const

export const mechanisms = {
  rsaPkcs: 0x1,
  rsaPkcsPss: 0xd,
  ecdsa: 0x1041,
} as const
