/** The texts of the package: files of `files` and `scripts`, with their @NAMES@ replaced. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exitCodes } from '../../src/distribution/policy/enforce.ts'
import { fillIn } from '../fill-in.ts'
import { names } from './places.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const known = { ...names, ORDERED_ENDS: Object.values(exitCodes).join(' ') }

export const render = (name: string, facts: Readonly<Record<string, string>> = {}): string =>
  fillIn(join(folder, 'files', name), { ...known, ...facts })

/** A script of the installer, behind what all of them share. */
export function renderScript(name: string): string {
  const parts = ['functions', name].map((part) => join(folder, 'scripts', `${part}.sh`))
  return `#!/bin/sh\n${parts.map((part) => fillIn(part, known)).join('\n')}`
}
