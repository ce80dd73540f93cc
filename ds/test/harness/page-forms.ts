/** The forms of the pages of the admin console, as a browser reads them. */
import type { Page } from 'playwright-core'
import type { PageSession } from './page-session.ts'

export interface PageForm {
  /** Where it goes, below `/admin/`. */
  readonly to: string
  readonly isMultipart: boolean
  /** The names of its fields for files. */
  readonly files: readonly string[]
  /** As somebody fills it in: a name that has to be typed is typed, and what is required is there. */
  readonly fields: Readonly<Record<string, string>>
}

/** How many filters of one list are followed. */
const maxQueries = 5

interface ParsedPage {
  /** The addresses of this origin that it links to. */
  readonly links: readonly string[]
  readonly forms: readonly PageForm[]
}

/** The forms with POST of all pages that a session reaches by links; `parser` is any page of a browser. */
export async function findForms(
  url: string,
  session: PageSession,
  parser: Page,
): Promise<readonly PageForm[]> {
  const forms = new Map<string, PageForm>()
  const seen = new Map<string, Set<string>>()
  const open = [`${url}/admin`]
  for (let address = open.pop(); address !== undefined; address = open.pop()) {
    const { pathname, search } = new URL(address)
    const queries = seen.get(pathname) ?? new Set()
    // A page at `/admin/` is the one at `/admin`.
    if (!/^\/admin(\/.|$)/.test(pathname)) continue
    if (queries.has(search) || queries.size === maxQueries) continue
    seen.set(pathname, queries.add(search))
    const { status, text, headers } = await session.get(pathname.slice('/admin/'.length) + search)
    if (status !== 200 || !headers.get('content-type')?.startsWith('text/html')) continue
    const parsed = await parser.evaluate<ParsedPage>(
      `(${parsePage})(${JSON.stringify({ text, address })})`,
    )
    for (const form of parsed.forms) forms.set(JSON.stringify([form.to, form.fields]), form)
    open.push(...parsed.links)
  }
  return [...forms.values()]
}

/** Runs in the browser: `text` is the page at `address`. */
const parsePage = `({ text, address }) => {
  const parsed = new DOMParser().parseFromString(text, 'text/html')
  const base = new URL(parsed.querySelector('base')?.getAttribute('href') ?? '', address)
  const resolve = (element, name) => new URL(element.getAttribute(name) ?? '', base).href
  const fill = (input) => {
    const label = parsed.querySelector('label[for="' + input.id + '"]')?.textContent ?? ''
    const name = /Type “(.*)” to confirm/.exec(label)?.[1]
    if (name !== undefined) return name
    if (input.type === 'checkbox' || input.type === 'radio') return input.checked ? input.value : ''
    return input.value || (input.required ? '9.9.9' : '')
  }
  return {
    links: [...parsed.querySelectorAll('a[href]')].map((link) => resolve(link, 'href')),
    forms: [...parsed.querySelectorAll('form[method=post]')].map((form) => ({
      to: new URL(resolve(form, 'action')).pathname.slice('/admin/'.length),
      isMultipart: form.getAttribute('enctype') === 'multipart/form-data',
      files: [...form.querySelectorAll('input[type=file]')].map(({ name }) => name),
      fields: Object.fromEntries(
        [...form.querySelectorAll('input[name]:not([type=file]), select[name], textarea[name]')]
          .map((input) => [input.name, fill(input)])
          .filter(([, value]) => value !== ''),
      ),
    })),
  }
}`
