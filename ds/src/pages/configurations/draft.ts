/** A configuration as it stands in a form: what each of the three editors makes of it. */
import type { KeystoreCertificate } from '@cardwire/protocol'
import type { Child } from 'hono/jsx'
import type { ApiProblem } from '../frame/api.ts'
import { inEnglish } from '../frame/fields.tsx'
import { readTexts } from '../frame/texts.ts'

export interface Draft {
  /** As the operation takes it. */
  readonly config: unknown
  /** The values of the form's fields, without secrets. */
  readonly typed: readonly (readonly [name: string, value: string])[]
  /** The same for people, part by part. */
  readonly words: readonly {
    readonly label: string
    readonly text: string
    /** Whether it only says something about a secret. */
    readonly isSecret?: true
  }[]
  /** Whether it has a secret, which has to be typed again on the next page. */
  readonly hasSecret?: boolean
  /** Of a keystore: the same, with what the service has found in the file. */
  withCertificate?(certificate: KeystoreCertificate): Draft
  renderFields(problem: ApiProblem | undefined): Child
  /** Whether the fields show an error of this path themselves. */
  showsError(path: string): boolean
}

/** The lines of a text that are not empty. */
export const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The errors of a list whose entries are lines, with the number of each line. */
export function explainLines(problem: ApiProblem | undefined, path: string): Child | undefined {
  const pattern = new RegExp(`^${path.replaceAll(/[.[\]]/g, '\\$&')}(?:\\[(\\d+)\\](.*))?$`)
  const texts = readTexts().configurations.edit
  const sentences = (problem?.errors ?? []).flatMap((error) => {
    const found = pattern.exec(error.path)
    if (!found) return []
    return found[1] === undefined
      ? [inEnglish(error.message)]
      : [texts.line(Number(found[1]) + 1, inEnglish(error.message))]
  })
  return sentences.length === 0 ? undefined : sentences.reduce(texts.after)
}
