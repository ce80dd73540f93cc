/** Which names of files and folders pages may use: the same on every system, the strictest rule of all of them. */
import { maxFileDepth } from '@cardwire/protocol/file-exchange'
import { Problem } from '@cardwire/protocol/problem'
import { isDocument } from './document-types.ts'

/** Bytes in UTF-8: what ext4, APFS and NTFS all accept. */
const maxNameBytes = 255

// learn.microsoft.com/windows/win32/fileio/naming-a-file, with the superscript digits; CONIN$ and CONOUT$ are devices too.
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i

/** Why nothing of this name is read or written; undefined: it may be. */
export function findNameFault(name: string): string | undefined {
  if (name === '') return 'it is empty'
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) return 'it has characters that no name has'
  if (Buffer.byteLength(name) > maxNameBytes) return `it is longer than ${maxNameBytes} bytes`
  // Some file systems compare names in a compatibility form: what looks like a dot or slash there counts as one.
  const plain = name.normalize('NFKC')
  if (/[<>:"/\\|?*]/.test(name) || /[/\\:]/.test(plain)) return 'it has one of < > : " / \\ | ? *'
  // `.` and `..` are among them, and so are the settings and keys of users.
  if (plain.startsWith('.')) return 'names that begin with a dot are hidden'
  if (/[. ]$/.test(plain)) return 'it ends with a dot or a space, which Windows leaves out'
  if (devices.test((plain.split('.')[0] ?? '').trimEnd())) return 'it names a device of Windows'
  // The short form of another name (learn.microsoft.com/windows-server/administration/windows-commands/fsutil-8dot3name).
  if (/^[^.]{1,6}~\d+(?:\.[^.]{0,3})?$/.test(plain)) return 'it is a short name of Windows'
  return undefined
}

/** The same for a folder that comes into being: none that shows as another name or as something else. What it will hold is documents only. */
export function findNewFolderFault(name: string): string | undefined {
  if (/\p{Cf}/u.test(name)) return 'it has characters that are not seen'
  // Windows shows a folder "name.{CLSID}" as that object (learn.microsoft.com/windows/win32/shell/nse-junction).
  if (/\.\s*\{/.test(name.normalize('NFKC'))) return 'Windows shows such a folder as something else'
  return findNameFault(name)
}

/** The same for a file that comes into being: a document of a known type, by a name that no program reads its settings from. */
export function findNewFileFault(name: string): string | undefined {
  const fault = findNewFolderFault(name)
  if (fault !== undefined) return fault
  if (!isDocument(name)) return 'pages write only known types of documents'
  return settingsNames.test(name)
    ? 'programs read their settings from files of such names'
    : undefined
}

/**
 * PowerShell looks for `PowerShell/powershell.config.json` among the user's documents, and takes the folders of its modules from it
 * (learn.microsoft.com/powershell, about_PowerShell_Config); programs of .NET look beside themselves for `name.runtimeconfig.json`,
 * `name.runtimeconfig.dev.json` and `name.deps.json`, which name folders of libraries.
 */
const settingsNames = /^powershell\.config\.json$|\.(?:runtimeconfig(?:\.dev)?|deps)\.json$/i

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
  // Of each element only so many that they are counted as too many.
  const segments = elements
    .filter((one) => one !== '')
    .flatMap((one) => one.split(/[/\\]/, maxFileDepth + 1))
  if (segments.length > maxFileDepth) {
    throw new Problem(
      'file-path-refused',
      `Cannot use the path: it has more than ${maxFileDepth} folders`,
    )
  }
  for (const segment of segments) requireName(segment)
  return segments
}
