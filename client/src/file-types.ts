/** Folders and files of the user, as pages see them. */

/** A type: the name that you gave to a folder that the user has chosen for your site. */
export interface FileType {
  /** The entity that you passed to `openFiles`. */
  readonly entity: string
  /** The name of the type. */
  readonly type: string
  /** The folder, as an absolute path of the user's system. */
  readonly path: string
  /** What the connector can do in the folder: `r` reads, `w` writes. Empty if it can do neither. */
  readonly access: '' | 'r' | 'w' | 'rw'
  /** `UNMAPPED`: the folder no longer exists. */
  readonly status: 'MAPPED' | 'UNMAPPED'
  /** How many files and folders are directly in it, counted up to 50,000. */
  readonly files: number
}

/** A file or folder in the folder of a type. */
export interface FileEntry {
  /** The extension without the dot, such as `pdf`. Empty for a folder. */
  readonly extension: string
  /** The name with its extension, such as `invoice.pdf`. */
  readonly name: string
  /** The absolute path on the user's system. */
  readonly path: string
  /** The folders that lead to it from the folder of the type. */
  readonly relPath: readonly string[]
  /** The name of the type. */
  readonly type: string
  /** The entity that you passed to `openFiles`. */
  readonly entity: string
  /** In bytes. 0 for a folder. */
  readonly size: number
  /** When it was last changed, in UTC (ISO 8601), such as `2026-03-17T09:30:00.000Z`. */
  readonly lastModificationTime: string
  /** Whether it is a folder. */
  readonly isDir: boolean
  /** What the connector can do with it: `r` reads, `w` writes. Empty if it can do neither. */
  readonly access: '' | 'r' | 'w' | 'rw'
}

/** The files and folders in a folder, or the part of them that you asked for. */
export interface FileList {
  /** In order of name. */
  readonly files: readonly FileEntry[]
  /** How many there are in the folder, counted up to 50,000. */
  readonly total: number
}
