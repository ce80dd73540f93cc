/** The problems of the simulated connector, in the words of the contract's table: it has no other sentences. */
import { Problem, type ProblemExtras, type ProblemName, problems } from '@cardwire/protocol/problem'

export const createProblem = (name: ProblemName, extras?: ProblemExtras): Problem =>
  new Problem(name, problems[name].title, extras)
