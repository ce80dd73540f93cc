/** What a page says about a problem: the sentence for users in their language, and what the operation said for developers. */
import type { Problem } from '@cardwire/protocol'
import { ApiProblem } from './api.ts'
import { readTexts } from './texts.ts'

export interface ProblemWords {
  /** What is wrong, and what to do. */
  readonly sentence: string
  /** In English, with names and numbers. undefined: the sentence is all. */
  readonly detail: string | undefined
}

export function describeProblem(problem: ApiProblem | Problem): ProblemWords {
  const { problems } = readTexts()
  const name = problem instanceof ApiProblem ? problem.problem : problem.name
  const isDescribed = (text: string | undefined): text is keyof typeof problems =>
    text !== undefined && Object.hasOwn(problems, text)
  // The message is for logs, too, where it ends without a full stop.
  const message = `${problem.message}.`
  if (!isDescribed(name)) return { sentence: message, detail: undefined }
  return { sentence: problems[name], detail: message }
}
