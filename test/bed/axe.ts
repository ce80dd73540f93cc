/** What axe-core finds in a page. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface AxeFindings {
  /** The rules that the page breaks, with the elements that break them. */
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
  /** The rules that it keeps. */
  readonly passes: readonly { readonly id: string }[]
}

/** The smaller build: a page loads it in two thirds of the time. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The rules that the colors of a page decide. */
export const colorRules = ['color-contrast', 'link-in-text-block'] as const

/** Examines a page of Playwright or Puppeteer; `rules`: rules or tags, in place of all that axe-core has switched on. */
export async function runAxe(
  page: { evaluate(expression: string): Promise<unknown> },
  rules?: readonly string[],
): Promise<AxeFindings> {
  await page.evaluate(`${source};undefined`)
  // Elements that keep a rule are not described: that would take as long as to examine them.
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  return (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeFindings
}
