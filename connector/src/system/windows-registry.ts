/** Values of the registry of Windows below HKEY_LOCAL_MACHINE, which administrators alone may write: winreg.h. */
import { openRegistryCalls } from './native.ts'

// Values of winreg.h, winnt.h and winerror.h.
const localMachine = 0xffff_ffff_8000_0002n
const keyRead = 0x20019
const keySetValue = 0x2
/** The same keys for programs of 32 and 64 bits. */
const view64 = 0x100
const types = { text: 1, expandable: 2, number: 4 } as const
const results = { success: 0, notFound: 2, noMoreItems: 259 } as const

/** Characters of a name, and bytes of a value: what is longer is no setting of ours. */
const limits = { name: 256, data: 65_536 } as const

/**
 * Texts and numbers, as text; empty where there is no such key. `expandable`: texts with names of variables as well, as they are.
 * Throws when the key cannot be read.
 */
export function readMachineKey(
  path: string,
  { expandable = false, calls = openRegistryCalls() } = {},
): Readonly<Record<string, string>> {
  const handle = Buffer.alloc(8)
  const opened = calls.RegOpenKeyExW(localMachine, wide(path), 0, keyRead | view64, handle)
  if (opened === results.notFound) return {}
  if (opened !== results.success) throw new Error(`Windows does not open the key (${opened})`)
  const key = handle.readBigUInt64LE(0)
  const values: Record<string, string> = {}
  try {
    for (let index = 0; ; index += 1) {
      const name = Buffer.alloc(2 * limits.name)
      const nameLength = uint32(limits.name)
      const data = Buffer.alloc(limits.data)
      const [type, dataLength] = [uint32(0), uint32(limits.data)]
      const result = calls.RegEnumValueW(key, index, name, nameLength, null, type, data, dataLength)
      if (result === results.noMoreItems) return values
      if (result !== results.success) throw new Error(`Windows does not read the key (${result})`)
      const found = type.readUInt32LE(0)
      const value = toText(
        expandable && found === types.expandable ? types.text : found,
        data.subarray(0, dataLength.readUInt32LE(0)),
      )
      const length = 2 * nameLength.readUInt32LE(0)
      if (value !== undefined) values[name.toString('utf16le', 0, length)] = value
    }
  } finally {
    calls.RegCloseKey(key)
  }
}

/**
 * Writes texts, with the rights of the key above for a new key: below `SOFTWARE` everybody reads and administrators write.
 * Throws when this account may not.
 */
export function writeMachineKey(
  path: string,
  values: Readonly<Record<string, string>>,
  calls = openRegistryCalls(),
): void {
  const handle = Buffer.alloc(8)
  const access = keySetValue | view64
  const made = calls.RegCreateKeyExW(
    localMachine,
    wide(path),
    ...([0, null, 0, access, null, handle, null] as const),
  )
  if (made !== results.success) throw new Error(`Windows does not open the key (${made})`)
  const key = handle.readBigUInt64LE(0)
  try {
    for (const [name, value] of Object.entries(values)) {
      const data = wide(value)
      const set = calls.RegSetValueExW(key, wide(name), 0, types.text, data, data.length)
      if (set !== results.success) throw new Error(`Windows does not write the value (${set})`)
    }
  } finally {
    calls.RegCloseKey(key)
  }
}

function toText(type: number, data: Buffer): string | undefined {
  if (type === types.number && data.length === 4) return String(data.readUInt32LE(0))
  // Whether a text ends with NUL is left to whoever wrote it.
  return type === types.text ? data.toString('utf16le').replace(/\0.*$/s, '') : undefined
}

const wide = (text: string) => Buffer.from(`${text}\0`, 'utf16le')

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
