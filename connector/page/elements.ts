/** Makes and finds the elements of the page. Texts are set as texts: nothing becomes markup. */

/** The element with this id, which the page has. */
export function find<E extends HTMLElement>(id: string): E {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no element "${id}"`)
  return element as E
}

interface Attributes {
  readonly text?: string
  readonly class?: string
  readonly lang?: string
  /** For those who hear the page: what the text alone does not say. */
  readonly label?: string
  readonly data?: Readonly<Record<string, string>>
  readonly press?: () => void
}

export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  { text, class: className, lang, label, data = {}, press }: Attributes = {},
  ...children: readonly (Node | undefined)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name)
  if (text !== undefined) element.textContent = text
  if (className !== undefined) element.className = className
  if (lang !== undefined) element.lang = lang
  if (label !== undefined) element.setAttribute('aria-label', label)
  Object.assign(element.dataset, data)
  if (press) element.addEventListener('click', press)
  if (element instanceof HTMLButtonElement) element.type = 'button'
  element.append(...children.filter((child) => child !== undefined))
  return element
}

/** Marks a button as busy while it acts; what is pressed meanwhile does nothing. It keeps the focus. */
export async function whileBusy<T>(
  button: HTMLElement,
  act: () => Promise<T>,
): Promise<T | undefined> {
  if (button.getAttribute('aria-disabled') === 'true') return undefined
  button.setAttribute('aria-disabled', 'true')
  try {
    return await act()
  } finally {
    button.removeAttribute('aria-disabled')
  }
}

/** Says it to those who hear the page. */
export function announce(text: string): void {
  find('status').textContent = text
}
