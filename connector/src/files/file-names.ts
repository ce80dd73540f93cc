/** Which names of files and folders pages may use: the same on every system, the strictest rule of all of them. */
import { maxFileDepth, Problem } from '@cardwire/client/protocol'

/** Bytes in UTF-8: what ext4, APFS and NTFS all accept. */
const maxNameBytes = 255

// learn.microsoft.com/windows/win32/fileio/naming-a-file, with the superscript digits; CONIN$ and CONOUT$ are devices too.
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i

/**
 * Names that systems start, that change what they do, or that reach a server as soon as they are shown or opened, by what
 * follows the last dot.
 */
const executable = new Set(
  `action apk app appimage appinstaller appref-ms application bash bat chm cmd com command cpl csh deb desktop deskthemepack
   diagcab dll dmg dylib ear elf exe fileloc fish flatpakref gadget hta inetloc inf ins iqy jar jnlp job js jse ksh library-ms lnk
   mobileconfig mpkg msc msh msi msix msp mst msu osx pif pkg pl plist prefpane prg ps1 ps1xml ps2 psc1 psd1 psm1 py pyc pyw rb rdp reg
   rgs rpm run saver scf scpt scptd scr sct search-ms searchconnector-ms service settingcontent-ms sh shb shs slk so sys terminal theme
   themepack tool u3p url vb vbe vbs vbscript webloc workflow ws wsb wsc wsf wsh xbap xll xpi zsh`.split(
    /\s+/,
  ),
)

/** What Windows reads when it shows a folder: its icon may lie on a server, which gets the person's credentials. */
const folderSettings = 'desktop.ini'

/** Why nothing of this name is read or written; undefined: it may be. */
export function findNameFault(name: string): string | undefined {
  if (name === '') return 'it is empty'
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) return 'it has characters that no name has'
  if (Buffer.byteLength(name) > maxNameBytes) return `it is longer than ${maxNameBytes} bytes`
  // Some file systems compare names in a compatibility form: what looks like a dot or slash there counts as one.
  const plain = name.normalize('NFKC')
  if (/[<>:"/\\|?*]/.test(name) || /[/\\:]/.test(plain)) return 'it has one of < > : " / \\ | ? *'
  // `.` and `..` are among them, and so are the settings and keys of persons.
  if (plain.startsWith('.')) return 'names that begin with a dot are hidden'
  if (/[. ]$/.test(plain)) return 'it ends with a dot or a space, which Windows leaves out'
  if (devices.test((plain.split('.')[0] ?? '').trimEnd())) return 'it names a device of Windows'
  // The short form of another name (learn.microsoft.com/windows-server/administration/windows-commands/fsutil-8dot3name).
  if (/^[^.]{1,6}~\d+(?:\.[^.]{0,3})?$/.test(plain)) return 'it is a short name of Windows'
  return undefined
}

/** The same for a name that comes into being: nothing that a system starts, or that shows as another name. */
export function findNewNameFault(name: string): string | undefined {
  const fault = findNameFault(name)
  if (fault !== undefined) return fault
  if (/\p{Cf}/u.test(name)) return 'it has characters that are not seen'
  const plain = name.normalize('NFKC').toLowerCase()
  const end = plain.split('.').slice(1).at(-1)
  if (end !== undefined && executable.has(end)) return 'systems start files of this kind'
  if (plain === folderSettings) return 'Windows reads it when it shows the folder'
  return undefined
}

/** Throws `file-path-refused`. */
export function requireName(name: string, findFault = findNameFault): void {
  const fault = findFault(name)
  if (fault === undefined) return
  throw new Problem('file-path-refused', `Cannot use the name ${JSON.stringify(name)}: ${fault}`)
}

/**
 * The segments of a path as a page sends it: its elements may be joined by `/` or `\`; those that are empty as a whole are left
 * out. Throws `file-path-refused`.
 */
export function parseSegments(elements: readonly string[] = []): readonly string[] {
  const segments = elements.filter((one) => one !== '').flatMap((one) => one.split(/[/\\]/))
  if (segments.length > maxFileDepth) {
    throw new Problem(
      'file-path-refused',
      `Cannot use the path: it has more than ${maxFileDepth} folders`,
    )
  }
  for (const segment of segments) requireName(segment)
  return segments
}
