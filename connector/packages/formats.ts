/** Every format of a package, by the name that `--formats` takes. */
import { deb } from './linux/deb.ts'
import { rpm } from './linux/rpm.ts'
import { pkg } from './macos/pkg.ts'
import type { PackageFormat } from './package-facts.ts'
import { msi } from './windows/msi.ts'

export const formats = { deb, rpm, pkg, msi } as const satisfies Readonly<
  Record<string, PackageFormat>
>

export type FormatName = keyof typeof formats
export const formatNames = Object.keys(formats) as readonly FormatName[]
