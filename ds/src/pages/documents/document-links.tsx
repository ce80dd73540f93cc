/** Links of a page to the chapters that explain it; nothing where the service has no documents. */
import { tryGetContext } from 'hono/context-storage'
import type { PageEnv } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { type ChapterName, chapters } from './chapters.ts'

export const DocumentLinks = ({ to }: { readonly to: readonly ChapterName[] }) => {
  if (!tryGetContext<PageEnv>()?.var.hasDocuments) return null
  const texts = readTexts().documents
  return (
    <p class="soft">
      {texts.label}{' '}
      {to.map((name, index) => (
        <>
          {index > 0 && ' · '}
          <a href={`documents/${chapters[name].document}#${chapters[name].anchor}`} hreflang="en">
            {texts.chapters[name]}
          </a>
        </>
      ))}
    </p>
  )
}
