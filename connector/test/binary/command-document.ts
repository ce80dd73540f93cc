/** Runs a command of the binary with `--json`, and checks its document against the schema that the binary prints. */
import { expect } from 'vitest'
import * as z from 'zod'
import { runCommand } from '../../../test/bed/connector.ts'
import type { Settings } from '../../../test/bed/program.ts'

/** What is after this word is an argument of the command, not a part of its name. */
const isName = (word: string) => /^[a-z]+$/.test(word) && word !== 'localhost'

export const readSchema = (home: string, args: readonly string[]): z.ZodType => {
  const { status, out } = runCommand(home, [...args.filter(isName), '--json-schema'])
  expect(status).toBe(0)
  return z.fromJSONSchema(JSON.parse(out))
}

/** The document, which is all of standard output; nothing is on standard error. */
export function runForDocument(home: string, args: readonly string[], settings: Settings = {}) {
  const { status, out, err } = runCommand(home, [...args, '--json'], settings)
  expect(err).toBe('')
  expect(out).toMatch(/^\{.*\}\n$/)
  const document = readSchema(home, args).parse(JSON.parse(out)) as Record<string, unknown>
  return { status, document }
}
