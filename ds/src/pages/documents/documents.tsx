/** The documents for administrators: their list, and each as a page. */
import { raw } from 'hono/html'
import { type DocumentName, documentNames, findDocumentName } from '../../rules/documents.ts'
import type { Services } from '../../services.ts'
import { showUnknown } from '../frame/error-pages.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { type Chapter, type RenderedDocument, renderDocument } from './render-document.tsx'

export function addDocuments(pages: PageApp, { readDocument }: Services): void {
  if (!readDocument) return
  const render = keepRendered(readDocument)

  pages.get('/documents', async (context) => {
    const texts = readTexts().documents
    const titles = await Promise.all(documentNames.map(async (name) => (await render(name)).title))
    return showPage(context, {
      title: texts.title,
      children: (
        <>
          <p>{texts.about}</p>
          <dl class="documents">
            {documentNames.map((name, index) => (
              <>
                <dt>
                  <a href={`documents/${name}`} lang="en" hreflang="en">
                    {titles[index]}
                  </a>
                </dt>
                <dd>{texts.contents[name]}</dd>
              </>
            ))}
          </dl>
        </>
      ),
    })
  })

  pages.get('/documents/:name', async (context) => {
    const name = findDocumentName(context.req.param('name'))
    if (!name) return showUnknown(context)
    const { title, chapters, html } = await render(name)
    const texts = readTexts().documents
    return showPage(context, {
      title,
      titleLanguage: 'en',
      trail: [{ to: 'documents', text: texts.title }],
      children: (
        <>
          {chapters.length > 0 && <Contents name={name} chapters={chapters} />}
          <div class="document" lang="en">
            {raw(html)}
          </div>
        </>
      ),
    })
  })
}

/** The documents stay as they are while the service runs: each is rendered once. */
function keepRendered(read: NonNullable<Services['readDocument']>) {
  const rendered = new Map<DocumentName, RenderedDocument>()
  return async (name: DocumentName): Promise<RenderedDocument> => {
    const known = rendered.get(name) ?? renderDocument(name, await read(name))
    rendered.set(name, known)
    return known
  }
}

/** The lowest level of the headings that the table of contents names. */
const lowestLevel = 3

const Contents = ({
  name,
  chapters,
}: {
  readonly name: DocumentName
  readonly chapters: readonly Chapter[]
}) => (
  <nav class="contents" aria-label={readTexts().documents.tableOfContents}>
    <ul lang="en">
      {chapters
        .filter(({ level }) => level <= lowestLevel)
        .map(({ level, text, anchor }) => (
          <li class={level === lowestLevel ? 'below' : undefined}>
            <a href={`documents/${name}#${anchor}`}>{text}</a>
          </li>
        ))}
    </ul>
  </nav>
)
