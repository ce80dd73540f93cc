/** A user's browser as the journeys drive it; Chromium and Firefox each have their own file. */

import type { Account } from '../../../test/bed/accounts.ts'
import type { Settings } from '../../../test/bed/program.ts'

export interface Frame {
  click(selector: string): Promise<void>
  /** What an expression is in the page; JSON. */
  read(expression: string): Promise<unknown>
  text(selector: string): Promise<unknown>
}

export interface Tab extends Frame {
  reload(): Promise<void>
  /** The first frame in the page. */
  frame(): Promise<Frame>
  close(): Promise<void>
}

export interface Browser {
  /** A tab with this address, loaded. */
  open(address: string): Promise<Tab>
  /** What the user has answered to the browser's question whether a site may call this machine. */
  permit(origin: string, answer: 'granted' | 'denied'): Promise<void>
  close(): Promise<void>
}

export interface Surroundings {
  /** Where it keeps what it keeps; nobody else's. */
  readonly home: string
  /** The display. */
  readonly settings: Settings
  /** Roots that it trusts, PEM. */
  readonly roots: readonly string[]
  /** The port on 127.0.0.1 whose pages come from the internet, as far as this browser knows. */
  readonly publicPort: number
  /** Whose program it is; default: whoever runs the tests. */
  readonly account?: Account | undefined
  /** The program; default: the browser of the machine. */
  readonly program?: string
}

export type OpenBrowser = (surroundings: Surroundings) => Promise<Browser>

export const textIn = (selector: string): string =>
  `document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`
