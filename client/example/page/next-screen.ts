/** From what went wrong to what the person is shown: every reason of the library, in one table. */
import { CardwireError, type Reason } from '@cardwire/client'
import { BackEndError } from './back-end.ts'

/** A screen that waits for the person. */
export type Obstacle = 'permission' | 'missing' | 'consent' | 'trouble'

export interface NextScreen {
  readonly screen: Obstacle
  /** What is written into it, by the name of the place. */
  readonly texts: Readonly<Record<string, string>>
}

/** A screen of its own, or the heading above what the library says. */
const table: Readonly<Record<Reason, { readonly screen: Obstacle } | { readonly title: string }>> =
  {
    'permission-needed': { screen: 'permission' },
    'permission-pending': { screen: 'permission' },
    'permission-denied': { title: 'Your browser keeps this page from Cardwire' },
    'permission-impossible': { title: 'The page around this one has to let it through' },
    'page-insecure': { title: 'This page has to be opened over https' },
    'not-running': { screen: 'missing' },
    'certificate-untrusted': { screen: 'missing' },
    'origin-refused': { title: 'This site is not on the list of Cardwire' },
    'consent-required': { screen: 'consent' },
    'no-agent': { screen: 'consent' },
    'code-word-refused': { screen: 'consent' },
    'token-missing': { title: 'Cardwire wants to know which application this is' },
    'token-expired': { title: 'Cardwire wants to know which application this is' },
    'token-refused': { title: 'Cardwire does not know this application' },
    'signature-wrong': { title: 'That was not the answer of your Cardwire' },
    'configuration-invalid': { title: 'This page is set up wrongly' },
    'answer-malformed': { title: 'Something else answered' },
    timeout: { title: 'Cardwire takes too long' },
    aborted: { title: 'This was called off' },
    refused: { title: 'Cardwire said no' },
  }

const nowhere =
  'Cardwire did not find the code on your clipboard. Does it run in the same desktop session as this browser?'

/** `looked`: whether a code was looked for. Throws what is no failure of library or back end: that is a defect of the page. */
export function nextScreen(error: unknown, looked = false): NextScreen {
  if (error instanceof BackEndError) {
    const title = 'The application does not answer'
    return { screen: 'trouble', texts: { title, description: error.message } }
  }
  if (!CardwireError.is(error)) throw error
  const { reason, description } = error
  const found = table[reason]
  // Before a code was looked for nothing went wrong: the screen says itself what is wanted.
  if (reason === 'consent-required' || (reason === 'no-agent' && looked)) {
    return { screen: 'consent', texts: { description: looked ? nowhere : '' } }
  }
  return 'screen' in found
    ? { screen: found.screen, texts: { description } }
    : { screen: 'trouble', texts: { title: found.title, description } }
}
