/** The screens of the page, one at a time, as people with and without sight follow them. */
import type { Obstacle } from './next-screen.ts'

export type Screen = Obstacle | 'looking' | 'readers'

export function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`Cannot find #${id} in the page`)
  return found
}

/** Shows one screen with these texts; when it is another one than before, reading goes on at its heading. */
export function show(screen: Screen, texts: Readonly<Record<string, string>> = {}): void {
  const section = element(screen)
  for (const [name, text] of Object.entries(texts)) {
    for (const place of section.querySelectorAll(`[data-text="${name}"]`)) place.textContent = text
  }
  say('')
  if (!section.hidden) return
  for (const other of document.querySelectorAll<HTMLElement>('main > section')) {
    other.hidden = other !== section
  }
  markStep(section.dataset['step'])
  section.querySelector('h2')?.focus()
}

/** Read out by screen readers without being looked for. */
export function say(text: string): void {
  element('status').textContent = text
}

/** Resolves when the button of the screen is pressed, with what `act` does in that very click. */
export function pressed(screen: Screen): Promise<void>
export function pressed<T>(screen: Screen, act: () => Promise<T>): Promise<T>
export function pressed<T>(screen: Screen, act?: () => Promise<T>): Promise<T | undefined> {
  const button = element(screen).querySelector('[data-act="go"]')
  return new Promise((resolve) => {
    button?.addEventListener('click', () => resolve(act?.()), { once: true })
  })
}

/** Resolves when the person comes back to the page, from an installer perhaps. */
export function returned(): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('focus', () => resolve(), { once: true })
  })
}

export function pointDownloadsTo(address: string | undefined): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-link="download"]')) {
    link.hidden = address === undefined
    if (address !== undefined) link.href = address
  }
}

function markStep(current: string | undefined): void {
  const steps = [...element('steps').querySelectorAll('li')]
  const at = steps.findIndex(({ dataset }) => dataset['step'] === current)
  for (const [index, step] of steps.entries()) {
    step.classList.toggle('done', index < at)
    if (index === at) step.setAttribute('aria-current', 'step')
    else step.removeAttribute('aria-current')
  }
}
