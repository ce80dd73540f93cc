/** The two ways in which a consent fails to come: it is required, or the code word itself is refused. */
import { isCodeWord } from './code-word.ts'
import type { ConsentFlow } from './consent.ts'
import type { CardwireClient, ConsentOptions } from './core-service.ts'
import { CardwireError } from './error.ts'

/** With more attempts than this no connector of the person is running (the specification's limit). */
const mostAttempts = 2

/** The error that carries the client to ask for consent with. */
export function consentRequired(
  client: CardwireClient,
  flow: ConsentFlow,
  cause?: unknown,
): CardwireError {
  const failure = { code: '500', client } as const
  return flow.missed() > mostAttempts
    ? new CardwireError(
        { ...failure, reason: 'no-agent' },
        'Cannot find your connector: none of yours answered; start it, and copy the code again',
        { cause },
      )
    : new CardwireError(
        { ...failure, reason: 'consent-required' },
        'Cannot use your card reader yet: copy the code to let this site in',
        { cause },
      )
}

/** The port that a code word led to. Throws 115 for a word that cannot be one, or that the registry refuses. */
export async function givenConsent(
  client: CardwireClient,
  flow: ConsentFlow,
  codeWord: string,
  options: ConsentOptions,
): Promise<string | undefined> {
  const { durationInDays: days } = options
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= 365)) {
    throw new CardwireError(
      { code: '199', reason: 'configuration-invalid' },
      'Cannot ask for consent: expected durationInDays from 1 to 365',
    )
  }
  const refused = (cause?: unknown): CardwireError =>
    new CardwireError(
      { code: '115', reason: 'code-word-refused', client },
      'Cannot use this code: make a new one and copy it',
      { cause },
    )
  if (!isCodeWord(codeWord)) throw refused()
  try {
    return await flow.request(codeWord, options)
  } catch (error) {
    if (CardwireError.is(error) && error.problem === 'input-invalid') throw refused(error)
    throw error
  }
}
