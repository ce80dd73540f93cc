/** The page of the example: finds the person's connector, asks for consent, and shows the readers as they change. */
import {
  type CardwireClient,
  CardwireError,
  copyCodeWord,
  initialize,
  installerUrl,
  newCodeWord,
} from '@cardwire/client'
import { fetchSettings, fetchToken } from './back-end.ts'
import { chooseScreen } from './choose-screen.ts'
import { watchReaders } from './readers.ts'
import { announce, setDownloadLink, showScreen, waitForFocus, waitForPress } from './screens.ts'
import { showVirtualCard } from './virtual-card.ts'

const { configuration, virtualCard } = await fetchSettings()
const onReaders = virtualCard ? showVirtualCard() : () => {}
setDownloadLink(installerUrl(configuration))

interface Attempt {
  readonly run: () => Promise<CardwireClient>
  /** Whether the connector looks for a code on the clipboard. */
  readonly withCode?: boolean
}

/** `mayPrompt`: whether the browser may show its prompt; only after a click, so that the person knows why. */
const connect = async (mayPrompt: boolean): Promise<CardwireClient> =>
  initialize(
    { ...configuration, jwt: await fetchToken() },
    {
      mayPrompt,
      onTokenExpired: fetchToken,
      onPermissionPrompt: () =>
        announce('Your browser asks at the top of the window: choose Allow.'),
    },
  )

let attempt: Attempt = { run: () => connect(false) }
for (;;) {
  let codeWasSought = attempt.withCode
  try {
    const client = await attempt.run()
    codeWasSought = false
    await watchReaders(client, onReaders)
  } catch (error) {
    attempt = isConnectorGone(error)
      ? { run: () => connect(true) }
      : await waitForPerson(error, codeWasSought)
  }
}

/** A connector that stops answering may have been restarted on another port: the page connects again before it shows an error. */
function isConnectorGone(error: unknown): boolean {
  return CardwireError.is(error) && error.code === '900' && error.reason === 'not-running'
}

/** Shows the screen for the error, and resolves with the next attempt when the person has pressed its button. */
async function waitForPerson(error: unknown, codeWasSought?: boolean): Promise<Attempt> {
  const { screen, texts } = chooseScreen(error, codeWasSought)
  if (screen === 'consent' && CardwireError.is(error) && error.client) {
    return askForConsent(error.client, texts)
  }
  showScreen(screen, texts)
  await Promise.race([waitForPress(screen), ...(screen === 'missing' ? [waitForFocus()] : [])])
  announce('Looking for Cardwire on this computer…')
  return { run: () => connect(true) }
}

/** Shows a new code word for each attempt, and copies it inside the click. */
async function askForConsent(
  client: CardwireClient,
  texts: Readonly<Record<string, string>>,
): Promise<Attempt> {
  const codeWord = newCodeWord()
  showScreen('consent', { ...texts, word: codeWord, go: 'Copy the code and go on' })
  const { copied, description } = await waitForPress('consent', () => copyCodeWord(codeWord))
  if (!copied) {
    showScreen('consent', { description, go: 'I have copied it' })
    await waitForPress('consent')
  }
  announce('Cardwire looks for the code on your clipboard…')
  return { run: () => client.getConsent(codeWord), withCode: true }
}
