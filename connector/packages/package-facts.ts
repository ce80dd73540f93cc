/** What every format of a package is made of and makes: the facts of one build, and the files that come out. */
import type { Platform } from '@cardwire/protocol'
import type { SignWindows } from '../build/sign-windows.ts'

export const architectures = ['x64', 'arm64'] as const
export type Architecture = (typeof architectures)[number]

/** What all packages of one build have in common. */
export interface PackageFacts {
  /** Semantic Versioning; the programs call themselves so. */
  readonly version: string
  /** The time of every file in a package, in seconds since 1970. */
  readonly writtenAt: number
  /** Whether time counts more than size. */
  readonly isFast: boolean
  /** Those to make, where a format has several. */
  readonly architectures: readonly Architecture[]
  /** Resolves with the path of the program for a target, by the name in `build/targets.ts`; it is compiled once. */
  readonly compileProgram: (target: string) => Promise<string>
  /** Signs programs and packages for Windows; undefined: nobody does. */
  readonly signWindows?: SignWindows | undefined
  /** A folder that is removed after the build. */
  readonly work: string
  /** Where the packages go. */
  readonly out: string
  /** Tells whoever waits what is done now. */
  readonly report: (line: string) => void
}

/** A range of bytes that may be overwritten without breaking the package. */
export interface Slot {
  readonly offset: number
  readonly length: number
}

/** A package that was made. */
export interface PackageFile {
  /** Its name, in the folder of the packages. */
  readonly file: string
  /** As a version's installer calls its system. */
  readonly system: Platform
  readonly architecture: Architecture
  readonly slot?: Slot
}

export interface PackageFormat {
  /** The programs that it needs, with the Debian packages that bring them. */
  readonly tools: Readonly<Record<string, string>>
  /** Makes the packages of this format in `out`. */
  build(facts: PackageFacts): Promise<readonly PackageFile[]>
}
