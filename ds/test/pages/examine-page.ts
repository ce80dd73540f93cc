/** What every screen has to keep, as findings in words: none is good. */
import { runAxe } from '../../../test/bed/axe.ts'
import type { ProofPage } from './proof-browsers.ts'
import type { Screen } from './screens.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Against WCAG 2.2 AA, and the best practices of axe. */
export async function examineAccessibility({ page }: ProofPage): Promise<readonly string[]> {
  const { violations, passes } = await runAxe(page, tags)
  if (!passes.some(({ id }) => id === 'target-size')) return ['axe: it has not looked at targets']
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 2).map(({ html }) => `axe ${id}: ${html}`),
  )
}

/** Headings, width, what is stored as text, and nothing kept where scripts read it. */
export async function examineContent(
  { read }: ProofPage,
  { shows = [] }: Pick<Screen, 'shows'>,
): Promise<readonly string[]> {
  return read(`(() => {
    const findings = []
    const root = document.documentElement
    const main = document.querySelector('main')
    if (!main) return ['no main']
    if (root.lang !== 'en') findings.push('no language')
    if (root.scrollWidth > innerWidth) findings.push('scrolls sideways: ' + root.scrollWidth + ' in ' + innerWidth)
    const levels = [...main.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1]))
    if (document.querySelectorAll('h1').length !== 1) findings.push('not one h1')
    if (levels[0] !== 1 || levels.some((level, index) => index > 0 && level > levels[index - 1] + 1))
      findings.push('headings: ' + levels.join(' '))
    if (document.querySelector('[onerror], img[src="x"]')) findings.push('stored markup is part of the page')
    for (const text of ${JSON.stringify(shows)})
      if (!main.innerText.includes(text) && ![...main.querySelectorAll('input, textarea')].some(({ value }) => value.includes(text)))
        findings.push('does not show ' + text)
    if (document.cookie !== '' || localStorage.length + sessionStorage.length > 0) findings.push('keeps something where scripts read it')
    return findings
  })()`)
}

/**
 * Makes each word of the interface 40 % longer, as some are in another language: none is cut, and only tables are wider than the
 * window. Comes last: the page is not the same afterwards.
 */
export async function examineGrowth({ read }: ProofPage): Promise<readonly string[]> {
  return read(`(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const grow = (word) => word + word.slice(0, Math.ceil(word.length * 0.4))
    let grown = 0
    while (texts.nextNode()) {
      const text = texts.currentNode
      if (text.parentElement.closest('script, style, code, pre, td, time')) continue
      const longer = text.data.replace(/\\p{L}{3,}/gu, grow)
      grown += longer.length - text.data.length
      text.data = longer
    }
    const findings = grown === 0 ? ['no text has grown'] : []
    const root = document.documentElement
    if (root.scrollWidth > innerWidth) findings.push('longer texts scroll sideways: ' + root.scrollWidth + ' in ' + innerWidth)
    for (const one of document.querySelectorAll('body *')) {
      const { overflowX, overflowY } = getComputedStyle(one)
      const hides = [overflowX, overflowY].some((value) => value === 'hidden' || value === 'clip')
      const isControl = one.matches('button, .button, select')
      if (!(hides || isControl) || !one.checkVisibility({ visibilityProperty: true })) continue
      // Only screen readers have it; what is typed in a field is no text of the interface.
      if (one.clientWidth <= 1 || one.matches('input, textarea')) continue
      if (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
        findings.push('longer texts are cut in ' + one.tagName + ' ' + one.textContent.trim().slice(0, 60))
    }
    return findings
  })()`)
}

const token = /eyJ[\w-]{8,}\.[\w-]{8,}/

/** No token, cookie or key in the page, in its scripts and in addresses. */
export async function examineSecrets(
  { read }: ProofPage,
  secrets: readonly string[],
): Promise<readonly string[]> {
  const sources = await read<Readonly<Record<string, string>>>(`(async () => ({
    page: document.documentElement.outerHTML,
    fields: [...document.querySelectorAll('input, textarea')].map(({ value }) => value).join(' '),
    address: location.href,
    script: (await Promise.all([...document.scripts].map(async ({ src }) => (await fetch(src)).text()))).join(' '),
  }))()`)
  return Object.entries(sources).flatMap(([where, text]) => {
    if (token.test(text)) return [`a token in the ${where}`]
    return secrets.some((secret) => text.includes(secret)) ? [`a secret in the ${where}`] : []
  })
}

const controls = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')]
  .filter((one) => !one.disabled && one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => one.type !== 'radio' || one.checked)`

/** Tab reaches every control, and shows where it is. */
export async function examineFocus({ page, read }: ProofPage): Promise<readonly string[]> {
  if (!(await read<boolean>('document.hasFocus()'))) await takeFocusBack(page)
  const count = await read<number>(`(() => {
    window.reached = new Map()
    document.addEventListener('focusin', ({ target }) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(target)
      const box = target.getBoundingClientRect()
      const isSeen = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
      reached.set(target, outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && isSeen)
    })
    document.body.tabIndex = -1
    document.body.focus()
    return ${controls}.length
  })()`)
  // A date has a stop for each of its parts. Behind the last control Firefox goes on in its toolbar, and stays there.
  for (let pressed = 0; pressed < count * 2 + 20; pressed++) {
    await page.keyboard.press('Tab')
    if (
      pressed >= count &&
      pressed % 10 === 0 &&
      (await read(`${controls}.every((one) => reached.has(one))`))
    )
      break
  }
  return read(`${controls}.flatMap((one) => {
    const name = (one.textContent.trim() || one.name || one.href).slice(0, 60)
    if (!reached.has(one)) return ['Tab does not reach ' + name]
    return reached.get(one) ? [] : ['the focus is not seen on ' + name]
  })`)
}

/** From the toolbar of Firefox, which keeps it from page to page: another tab, and back. */
async function takeFocusBack(page: ProofPage['page']): Promise<void> {
  const other = await page.browser().newPage()
  await other.bringToFront()
  await page.bringToFront()
  await other.close()
}

/** The addresses that links of the page lead to, at this service. */
export const listLinks = ({ read }: ProofPage): Promise<readonly string[]> =>
  read(`[...new Set([...document.links].filter(({ origin }) => origin === location.origin)
    .map(({ pathname, search }) => pathname + search))]`)

/** The texts that are there more than once. */
export function findRepeated(texts: Iterable<string>): readonly string[] {
  const all = [...texts]
  return all.filter((text, index) => all.indexOf(text) !== index)
}
