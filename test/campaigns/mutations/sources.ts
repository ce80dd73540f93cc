/** What the campaign and its check read of the repository: the rows, the tests that prove them, and who imports whom. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readImports } from '../../../.ci/layers.ts'
import { findTestModules, readRules } from '../../../.ci/rules.ts'
import { root } from '../../bed/repository.ts'
import type { Sources } from './plan.ts'

export const readSource = (path: string): string => readFileSync(join(root, path), 'utf8')

export const threatModel = 'docs/threat-model.md'

export const readThreats = () => readRules(threatModel, readSource(threatModel))

export function readSources(): Sources {
  const imports = readImports(root)
  const proving = [...imports].flatMap(([file, targets]) =>
    targets.includes('test/bed/proves.ts') ? [[file, readSource(file)] as const] : [],
  )
  return {
    proving: new Map(proving),
    findModules: (file) => findTestModules(imports, file),
  }
}
