/** The local page: exchanges the ticket of its address for a token, and shows what the command sends. */
import { createConsentsSection } from './consents-section.ts'
import { announce, find, whileBusy } from './elements.ts'
import { createFindingsSection } from './findings-section.ts'
import { createWords, type TextName, type Words } from './languages.ts'
import { createPageServer, openSession, type PageServer } from './page-server.ts'
import { createReadersSection } from './readers-section.ts'
import { createServiceSection } from './service-section.ts'
import { createVersionSection } from './version-section.ts'
import type { View } from './view.ts'

/** How often a page that is seen says so, in milliseconds. */
const presenceMs = 300_000

async function main(): Promise<void> {
  const ticket = location.hash.slice(1)
  // It is of no use any more, and stays out of the history.
  history.replaceState(null, '', '/')
  showTexts(createWords(navigator.languages))
  const session = await openSession(ticket).catch(() => undefined)
  const words = createWords([...navigator.languages, session?.language ?? ''])
  showTexts(words)
  if (!session) return showNotice(words, 'usedTitle')
  const server = createPageServer(session)
  find('notice').hidden = true
  find('everything').hidden = false
  const show = createSections(words, server)
  keepPresence(server)
  showFailures(words)
  await server.watch(show).catch(() => undefined)
  showNotice(words, server.isUpdating() ? 'replacedTitle' : 'goneTitle')
}

function showTexts(words: Words): void {
  document.documentElement.lang = words.tag
  document.title = words.texts.title
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]'))
    element.textContent = words.texts[element.dataset['text'] as TextName]
  find('notice-title').textContent = words.texts.readingTitle
}

function showNotice(words: Words, title: TextName): void {
  const heading = find('notice-title')
  heading.textContent = words.texts[title]
  const text = document.createElement('p')
  text.textContent = words.texts.goneText
  heading.after(text)
  find('everything').hidden = true
  find('notice').hidden = false
  heading.focus()
}

function createSections(words: Words, server: PageServer): (view: View) => void {
  const findings = createFindingsSection(words, server)
  const sections = [
    createStateSection(words, server, findings.check),
    createReadersSection(words),
    createConsentsSection(words, server),
    createServiceSection(words, server, findings.check),
    createVersionSection(words, server),
  ]
  void findings.check()
  return (view) => {
    for (const show of sections) show(view)
  }
}

const stateTexts = {
  running: ['runningTitle', 'runningText'],
  starting: ['startingTitle', 'startingText'],
  stopped: ['stoppedTitle', 'stoppedText'],
  unresponsive: ['unresponsiveTitle', 'unresponsiveText'],
} as const

function createStateSection(
  words: Words,
  server: PageServer,
  check: () => Promise<void>,
): (view: View) => void {
  const [title, text, start] = [find('state-title'), find('state-text'), find('start')]
  start.addEventListener('click', () => void whileBusy(start, () => server.start()))
  let before: View['connector'] | undefined
  return ({ connector }) => {
    if (connector === before) return
    const [titleName, textName] = stateTexts[connector]
    title.textContent = words.texts[titleName]
    text.textContent = words.texts[textName]
    start.hidden = connector !== 'stopped'
    title.closest('section')?.setAttribute('data-state', connector)
    if (before !== undefined) {
      announce(words.texts[titleName])
      // What was found before is about another state.
      if (connector !== 'starting') void check()
    }
    before = connector
  }
}

/** Says that what the user has asked for did not work, where no section says more; until the next click. */
function showFailures(words: Words): void {
  const place = find('failure')
  addEventListener('unhandledrejection', () => {
    place.textContent = words.texts.failed
  })
  addEventListener('click', () => place.replaceChildren(), { capture: true })
}

/** A page that nobody sees for half an hour ends. */
function keepPresence(server: PageServer): void {
  const record = () => {
    if (document.visibilityState === 'visible') server.recordUse().catch(() => undefined)
  }
  document.addEventListener('visibilitychange', record)
  setInterval(record, presenceMs)
}

void main()
