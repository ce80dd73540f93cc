/** The page of the example: finds the user's connector, asks for consent, and lets a user use the card in a reader, and a folder. */
import {
  type CardwireClient,
  CardwireError,
  copyCodeWord,
  initialize,
  installerUrl,
  newCodeWord,
} from '@cardwire/client'
import { describe } from '@cardwire/client/describe'
import { fetchSettings, fetchToken, fetchUser } from './back-end.ts'
import { showCardPanel } from './card-panel.ts'
import { chooseScreen, type Progress } from './choose-screen.ts'
import { showFilePanel } from './file-panel.ts'
import { watchReaders } from './readers.ts'
import {
  announce,
  setDownloadLink,
  showCommands,
  showScreen,
  waitForFocus,
  waitForPress,
} from './screens.ts'
import { showVirtualCard } from './virtual-card.ts'

const { configuration, virtualCard, forDeveloper } = await fetchSettings()
const moveButton = virtualCard && showVirtualCard(virtualCard.pin)
const cardPanel = showCardPanel(await fetchUser())
const filePanel = showFilePanel()
setDownloadLink(installerUrl(configuration))
showCommands(location.origin, forDeveloper)

interface Attempt {
  readonly run: () => Promise<CardwireClient>
  /** Whether the connector looks for a code on the clipboard. */
  readonly withCode?: boolean
}

/** `mayPrompt`: whether the browser may show its prompt; only after a click, so that the user knows why. */
const connect = async (mayPrompt: boolean): Promise<CardwireClient> =>
  initialize(
    { ...configuration, jwt: await fetchToken() },
    {
      mayPrompt,
      onTokenExpired: fetchToken,
      onPermissionPrompt: () => announce('Choose Allow at the top of the browser window.'),
    },
  )

let attempt: Attempt = { run: () => connect(false) }
let progress: Progress = { codesNotFound: 0, hadConsent: false }
for (;;) {
  let { withCode = false } = attempt
  let isConnected = false
  try {
    const client = await attempt.run()
    isConnected = true
    withCode = false
    progress = { codesNotFound: 0, hadConsent: true }
    void filePanel.open(client)
    await watchReaders(client, (readers) => {
      moveButton?.(readers)
      cardPanel.update(client, readers)
    })
  } catch (error) {
    if (withCode) progress = countCode(progress, error)
    attempt =
      isConnected && isConnectorGone(error)
        ? { run: () => connect(true) }
        : await waitForUser(error, progress)
  }
}

/** The progress after an attempt with a code that ended in the error. */
function countCode({ codesNotFound }: Progress, error: unknown): Progress {
  const kind = CardwireError.is(error) ? error.kind : undefined
  const counts = { 'consent-required': codesNotFound + 1, 'too-many-codes': codesNotFound }
  return { codesNotFound: counts[kind as keyof typeof counts] ?? 0, hadConsent: false }
}

/** Of a page that was connected: a connector that stops answering may have been restarted on another port: the page connects again before it shows an error. */
function isConnectorGone(error: unknown): boolean {
  return CardwireError.is(error) && error.kind === 'not-running'
}

/** Shows the screen for the error, and resolves with the next attempt when the user has pressed its button. */
async function waitForUser(error: unknown, progress: Progress): Promise<Attempt> {
  const { screen, texts } = chooseScreen(error, progress)
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
  showScreen('consent', { ...texts, word: codeWord, go: 'Copy the code and continue' })
  const outcome = await waitForPress('consent', () => copyCodeWord(codeWord))
  if (!outcome.copied) {
    showScreen('consent', { description: describe(outcome), go: 'I have copied it' })
    await waitForPress('consent')
  }
  announce('Cardwire is looking for the code on your clipboard…')
  return { run: () => client.getConsent(codeWord), withCode: true }
}
