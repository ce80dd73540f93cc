/** Follows the links of a page and sends its forms, as a browser without scripts does. */
import { listLinks } from '../test/pages/examine-page.ts'
import type { ProofPage } from '../test/pages/proof-browsers.ts'
import type { SeededService } from '../test/pages/seeded-service.ts'

type Service = Pick<SeededService['service'], 'url'>

/** The links that lead to nothing; those in `followed` are not followed again. */
export async function followLinks(
  visited: ProofPage,
  { url }: Service,
  followed: Set<string>,
): Promise<readonly string[]> {
  const findings: string[] = []
  const cookie = `__Host-cardwire=${await visited.readCookie()}`
  for (const link of await listLinks(visited)) {
    if (followed.has(link)) continue
    followed.add(link)
    // A download may lead elsewhere.
    const { status, body } = await fetch(url + link, { headers: { cookie }, redirect: 'manual' })
    await body?.cancel()
    if (status >= 400) findings.push(`${link} has status ${status}`)
  }
  return findings
}

// The one that ends the session has a test of its own.
const forms = `[...document.forms].filter((form) => !form.action.endsWith('/logout'))`

/** The statuses of a form that was understood: done, or shown again with what is wrong. */
const understood = [200, 400, 409, 412, 422, 428]

/** Sends each form of the page at `address` as it stands, with Enter on its button. */
export async function sendForms(
  visited: ProofPage,
  { url }: Service,
  address: string,
): Promise<readonly string[]> {
  const findings: string[] = []
  const count = await visited.read<number>(`${forms}.length`)
  for (let index = 0; index < count; index++) {
    // A form before may have ended the session, or removed what the page shows.
    if (!(await visited.readCookie())) await visited.logIn()
    if ((await visited.goTo(address)) !== 200) break
    const form = `${forms}[${index}]`
    const name = await visited.read<string>(`(() => {
      const form = ${form}
      if (!form) return ''
      form.noValidate = true
      const button = form.querySelector('button:not([type=button]), input[type=submit]')
      if (!button) return ''
      button.focus()
      return form.getAttribute('action') + ' (' + button.textContent.trim() + ')'
    })()`)
    if (name === '') continue
    const status = await pressEnter(visited, url)
    // A wrong password is refused with 403, beside its field.
    const isShownAgain =
      status === 403 &&
      (await visited.read(`!!document.querySelector('[aria-invalid], [role=alert]')`))
    if (!understood.includes(status) && !isShownAgain)
      findings.push(`the form ${name} has status ${status}`)
    // A form that is refused is an error of the console.
    if (status >= 400) await visited.takeFaults()
  }
  return findings
}

/** The status of the page that Enter leads to; 0 for none. */
async function pressEnter({ page }: ProofPage, url: string): Promise<number> {
  const [response] = await Promise.all([
    page.waitForNavigation({ timeout: 30_000 }).catch(() => null),
    page.keyboard.press('Enter'),
  ])
  return response?.url().startsWith(url) ? response.status() : 0
}
