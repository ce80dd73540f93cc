/** The screens of the page, one at a time, for users with and without sight. */
import type { WaitingScreen } from './choose-screen.ts'

export type Screen = WaitingScreen | 'looking' | 'readers'

export function getElement(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`Cannot find #${id} in the page`)
  return found
}

/** Shows one screen with these texts; a new screen gets the focus on its heading, where screen readers go on. */
export function showScreen(screen: Screen, texts: Readonly<Record<string, string>> = {}): void {
  const section = getElement(screen)
  for (const [name, text] of Object.entries(texts)) {
    for (const place of section.querySelectorAll(`[data-text="${name}"]`)) place.textContent = text
  }
  announce('')
  if (!section.hidden) return
  for (const other of document.querySelectorAll<HTMLElement>('main > section')) {
    other.hidden = other !== section
  }
  markStep(section.dataset['step'])
  section.querySelector('h2')?.focus()
}

/** Writes to the status line, which screen readers announce. */
export function announce(text: string): void {
  getElement('status').textContent = text
}

/** Writes what became of something that the user did, at its place, which screen readers announce. */
export function showMessage(id: string, text: string, how: 'done' | 'failed' = 'done'): void {
  const place = getElement(id)
  place.textContent = text
  place.classList.toggle('failed', how === 'failed')
}

/** Resolves when the button of the screen is pressed, with the result of `act`, which runs inside the click. */
export function waitForPress(screen: Screen): Promise<void>
export function waitForPress<T>(screen: Screen, act: () => Promise<T>): Promise<T>
export function waitForPress<T>(screen: Screen, act?: () => Promise<T>): Promise<T | undefined> {
  const button = getElement(screen).querySelector('[data-act="go"]')
  return new Promise((resolve) => {
    button?.addEventListener('click', () => resolve(act?.()), { once: true })
  })
}

/** Resolves when the window gets the focus again, such as after an installation. */
export function waitForFocus(): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('focus', () => resolve(), { once: true })
  })
}

export function setDownloadLink(address: string | undefined): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-link="download"]')) {
    link.hidden = address === undefined
    if (address !== undefined) link.href = address
  }
}

/** Shows the command that takes the consent of this page back, and where there is a developer, those of the checkout. */
export function showCommands(origin: string, forDeveloper: boolean): void {
  for (const place of document.querySelectorAll('[data-text="origin"]')) place.textContent = origin
  for (const hint of document.querySelectorAll<HTMLElement>('[data-for="developer"]')) {
    hint.hidden = !forDeveloper
  }
}

function markStep(current: string | undefined): void {
  const steps = [...getElement('steps').querySelectorAll('li')]
  const at = steps.findIndex(({ dataset }) => dataset['step'] === current)
  for (const [index, step] of steps.entries()) {
    step.classList.toggle('done', index < at)
    if (index === at) step.setAttribute('aria-current', 'step')
    else step.removeAttribute('aria-current')
  }
}
