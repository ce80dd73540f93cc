/** The documents for administrators: their list, and each as a page. */
import { raw } from 'hono/html'
import {
  type DocumentName,
  documentNames,
  findDocumentName,
  findTemplate,
} from '../../rules/documents.ts'
import type { Services } from '../../services.ts'
import { showUnknown } from '../frame/error-pages.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { type Chapter, type RenderedDocument, renderDocument } from './render-document.tsx'

type Render = (name: DocumentName) => Promise<RenderedDocument>

export function addDocuments(pages: PageApp, { readDocument }: Services): void {
  if (!readDocument) return
  const render = keepRendered(readDocument)

  pages.get('/documents', (context) => showList(context, render))

  pages.get('/documents/templates/:path{.+}', async (context) => {
    const file = findTemplate(context.req.param('path'))
    if (!file) return showUnknown(context)
    return context.body(await readDocument(file), 200, {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${file.replace(/^.*\//, '')}"`,
    })
  })

  pages.get('/documents/:name', async (context) => {
    const name = findDocumentName(context.req.param('name'))
    return name ? showDocument(context, name, await render(name)) : showUnknown(context)
  })
}

/** The documents stay as they are while the service runs: each is rendered once. */
function keepRendered(read: NonNullable<Services['readDocument']>): Render {
  const rendered = new Map<DocumentName, RenderedDocument>()
  return async (name) => {
    const known = rendered.get(name) ?? renderDocument(name, await read(`${name}.md`))
    rendered.set(name, known)
    return known
  }
}

async function showList(context: PageContext, render: Render): Promise<Response> {
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
}

const showDocument = (
  context: PageContext,
  name: DocumentName,
  { title, chapters, html }: RenderedDocument,
): Promise<Response> =>
  showPage(context, {
    title,
    titleLanguage: 'en',
    trail: [{ to: 'documents', text: readTexts().documents.title }],
    children: (
      <>
        {chapters.length > 0 && <Contents name={name} chapters={chapters} />}
        <div class="document" lang="en">
          {raw(html)}
        </div>
      </>
    ),
  })

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
