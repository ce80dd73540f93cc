/** Has the user choose a folder on Windows by shell32.dll, in the helper's process (learn.microsoft.com, SHBrowseForFolderW). */
import { getAddress, openFolderWindow, toUtf16 } from './native.ts'

/** BROWSEINFOW of shlobj_core.h for 64 bits: offsets in bytes. */
const layout = { size: 64, displayName: 16, title: 24, flags: 32 } as const

/** MAX_PATH of minwindef.h, in UTF-16 units. */
const maxPath = 260

/** BIF_RETURNONLYFSDIRS and BIF_NEWDIALOGSTYLE, which needs COM for a single thread (COINIT_APARTMENTTHREADED). */
const flags = 0x1 | 0x40
const apartmentThreaded = 2

/** The path; '': the user has chosen none. */
export function showFolderWindow(title: string): string {
  const calls = openFolderWindow()
  calls.CoInitializeEx(0n, apartmentThreaded)
  const [displayName, text] = [Buffer.alloc(maxPath * 2), toUtf16(title)]
  const info = Buffer.alloc(layout.size)
  info.writeBigUInt64LE(BigInt(getAddress(displayName)), layout.displayName)
  info.writeBigUInt64LE(BigInt(getAddress(text)), layout.title)
  info.writeUInt32LE(flags, layout.flags)
  const list = calls.SHBrowseForFolderW(getAddress(info))
  if (BigInt(list) === 0n) return ''
  const path = Buffer.alloc(maxPath * 2)
  const isPath = calls.SHGetPathFromIDListW(list, getAddress(path))
  calls.CoTaskMemFree(list)
  return isPath ? (path.toString('utf16le').split('\0')[0] ?? '') : ''
}
