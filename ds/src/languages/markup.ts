/** Texts with a link or a mark inside: the text says which words it is on, the page says what it is. */
import type { Child } from 'hono/jsx'

/** Puts the element around these words. */
export type Wrap = (words: string) => Child
