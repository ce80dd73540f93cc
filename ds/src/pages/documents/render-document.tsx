/** A document as HTML: links to other documents lead to their pages, and HTML that is written in it is text. */
import { html, raw } from 'hono/html'
import { Marked, Renderer, type Tokens } from 'marked'
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id'
import { type DocumentName, findDocumentName, findTemplate } from '../../rules/documents.ts'

export interface RenderedDocument {
  readonly title: string
  /** Its headings below the title, in their order. */
  readonly chapters: readonly Chapter[]
  /** What follows the title. */
  readonly html: string
}

export interface Chapter {
  readonly level: number
  readonly text: string
  readonly anchor: string
}

export function renderDocument(name: DocumentName, markdown: string): RenderedDocument {
  const [, title = '', body = ''] = /^# ([^\n]+)\n(.*)$/s.exec(markdown) ?? []
  const content = createMarked(name).parse(body.replaceAll(pictures, ''), { async: false })
  const chapters = getHeadingList().map(({ level, raw: text, id }) => ({ level, text, anchor: id }))
  return { title, chapters, html: content }
}

function createMarked(name: DocumentName): Marked {
  let tables = 0
  return new Marked(gfmHeadingId(), {
    renderer: {
      html: ({ text }) => escapeHtml(text),
      image: ({ text }) => escapeHtml(text),
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        const to = findTarget(href, name)
        return to === undefined ? words : String(<a href={to}>{raw(words)}</a>)
      },
      table(token) {
        tables += 1
        // A heading without words names nothing.
        const table = Renderer.prototype.table
          .call(this, token)
          .replaceAll('<th></th>', '<td></td>')
        return String(
          // Focusable, so that the keyboard can scroll it (WCAG 2.1.1).
          <section class="scroll" aria-label={nameTable(token, tables)} tabindex={0}>
            {raw(table)}
          </section>,
        )
      },
    },
  })
}

/** They show what the admin console itself shows. */
const pictures = /^ *<picture>\n.*?\n *<\/picture>$/gms

const escapeHtml = (text: string): string => String(html`${text}`)

function nameTable({ header }: Tokens.Table, number: number): string {
  const columns = header.map(({ text }) => text.replaceAll(/[`*]/g, '')).filter(Boolean)
  return [`Table ${number}`, columns.join(', ')].filter(Boolean).join(': ')
}

/** Where a link leads: to another site, or below `/admin/`; undefined: to a file that the service does not show. */
function findTarget(href: string, own: DocumentName): string | undefined {
  if (href.startsWith('https://')) return href
  if (findTemplate(href)) return `documents/templates/${href}`
  const [whole, file = own, anchor = ''] = /^(?:([\w-]+)\.md)?(#[\w-]+)?$/.exec(href) ?? []
  const name = findDocumentName(file)
  return whole && name && `documents/${name}${anchor}`
}
