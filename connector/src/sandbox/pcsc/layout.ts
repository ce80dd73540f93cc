/** How each system lays out the structures of PC/SC in memory, as one table. */

export interface Layout {
  /** The library of the system, by its name or its path. */
  readonly library: string
  /** Bytes of a DWORD. */
  readonly dword: 4 | 8
  /** Bytes of SCARDCONTEXT and SCARDHANDLE. */
  readonly handle: 4 | 8
  readonly text: 'utf-8' | 'utf-16le'
  /** SCARD_READERSTATE: its size and where its fields begin, in bytes. */
  readonly readerState: {
    readonly size: number
    readonly name: number
    readonly current: number
    readonly event: number
    readonly atrLength: number
    readonly atr: number
    readonly maxAtrLength: number
  }
  /** SCARD_IO_REQUEST. */
  readonly ioRequest: { readonly size: number; readonly protocol: number; readonly length: number }
  /** SCARD_CTL_CODE(n) is base + n · factor. */
  readonly control: { readonly base: number; readonly factor: number }
  /** The most SCARD_READERSTATEs that one SCardGetStatusChange takes. */
  readonly maxStates: number
}

/** The systems the connector is built for; all of them are 64-bit and little-endian. */
export const layouts = {
  // pcsc-lite: PCSC/wintypes.h (DWORD is unsigned long), PCSC/pcsclite.h (structures,
  // PCSCLITE_MAX_READERS_CONTEXTS), PCSC/reader.h (SCARD_CTL_CODE). The same on x64 and arm64.
  linux: {
    library: 'libpcsclite.so.1',
    dword: 8,
    handle: 8,
    text: 'utf-8',
    readerState: {
      size: 80,
      name: 0,
      current: 16,
      event: 24,
      atrLength: 32,
      atr: 40,
      maxAtrLength: 33,
    },
    ioRequest: { size: 16, protocol: 0, length: 8 },
    control: { base: 0x42000000, factor: 1 },
    maxStates: 16,
  },
  // The same headers under __APPLE__: DWORD is uint32_t, the structures are packed to one byte.
  darwin: {
    library: '/System/Library/Frameworks/PCSC.framework/PCSC',
    dword: 4,
    handle: 4,
    text: 'utf-8',
    readerState: {
      size: 61,
      name: 0,
      current: 16,
      event: 20,
      atrLength: 24,
      atr: 28,
      maxAtrLength: 33,
    },
    ioRequest: { size: 8, protocol: 0, length: 4 },
    control: { base: 0x42000000, factor: 1 },
    maxStates: 16,
  },
  // winscard.h: SCARD_READERSTATEW (rgbAtr[36], natural alignment), SCARDCONTEXT is ULONG_PTR;
  // winsmcrd.h: SCARD_CTL_CODE is CTL_CODE(FILE_DEVICE_SMARTCARD 0x31, n, METHOD_BUFFERED, any access).
  win32: {
    library: 'winscard.dll',
    dword: 4,
    handle: 8,
    text: 'utf-16le',
    readerState: {
      size: 64,
      name: 0,
      current: 16,
      event: 20,
      atrLength: 24,
      atr: 28,
      maxAtrLength: 36,
    },
    ioRequest: { size: 8, protocol: 0, length: 4 },
    control: { base: 0x310000, factor: 4 },
    // No ceiling is documented; this is the width of a wait that nobody has reached.
    maxStates: 256,
  },
} as const satisfies Record<string, Layout>

/** The layout of a platform as Node names it. Throws for one the connector is not built for. */
export function getLayout(platform: string): Layout {
  if (platform === 'linux' || platform === 'darwin' || platform === 'win32')
    return layouts[platform]
  throw new Error(`Cannot use PC/SC on "${platform}": expected linux, darwin or win32`)
}
