/** The download page for users who cannot be sent an installer at once: it says why, and which installers there are. */
import type { Platform } from '@cardwire/protocol'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { catalogs } from '../languages/catalogs.ts'
import type { Texts } from '../languages/en/catalog.ts'
import { findLanguage } from './language.ts'

export interface InstallerChoice {
  readonly os: Platform
  readonly version: string
  readonly url: string
  /** Of the package; both where there are several for the system. */
  readonly architecture?: string
  readonly format?: string
}

const families: Record<Platform, string> = {
  WIN64: 'Windows',
  WIN32: 'Windows',
  MACOS: 'macOS',
  MACOSARM: 'macOS',
  UNIX: 'Linux',
}

const formats: Readonly<Record<string, string>> = {
  deb: 'Debian, Ubuntu',
  rpm: 'Fedora, Red Hat, SUSE',
}

const architectures: Readonly<Record<string, string>> = { x64: 'Intel, AMD', arm64: 'ARM' }

function nameChoice({ systems, download }: Texts, choice: InstallerChoice): string {
  const { os, architecture, format } = choice
  if (architecture === undefined || format === undefined) return systems[os]
  const kind = formats[format] ?? format
  return download.package(systems[os], kind, architectures[architecture] ?? architecture)
}

/** Why the user gets this page. */
export type Reason =
  /** The system is not detected, or is one of a phone or tablet. */
  | { readonly kind: 'system-unknown' }
  /** No version has an installer for the system. */
  | { readonly kind: 'no-installer'; readonly os: Platform }
  /** There is one, but its file is gone. */
  | { readonly kind: 'file-missing'; readonly os: Platform }

/** Responds with 200 where the user has to choose, and with 404 where there is nothing for their system. */
export function renderInstallerChoices(
  context: Context,
  reason: Reason,
  choices: readonly InstallerChoice[],
): Response | Promise<Response> {
  const texts = catalogs[findLanguage(context)]
  const isChoice = reason.kind === 'system-unknown' && choices.length > 0
  context.header(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  )
  return context.html(
    html`<!doctype html>
<html lang="${texts.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.download.title}</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 1.0625rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 12vh auto 4rem; padding: 0 1.25rem; }
  h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; }
  h2 { font-size: 1.125rem; margin: 2rem 0 0; }
  ul { list-style: none; padding: 0; margin: 1.5rem 0; display: grid; gap: .5rem; }
  a { display: flex; justify-content: space-between; gap: 1rem; padding: .75rem 1rem; border: 1px solid; border-radius: .5rem; color: LinkText; text-decoration: none; }
  a:hover, a:focus-visible { text-decoration: underline; outline: 3px solid; outline-offset: 2px; }
  .version { color: CanvasText; opacity: .75; }
</style>
</head>
<body>
<main>
<h1>${texts.download.title}</h1>
<p>${explain(texts, reason, choices.length > 0)}</p>
${
  choices.length > 0 &&
  html`${isChoice ? '' : html`<h2>${texts.download.otherComputer}</h2>`}
<ul>${choices.map(
    (choice) =>
      html`<li><a href="${choice.url}"><span>${nameChoice(texts, choice)}</span> <span class="version">${choice.version}</span></a></li>`,
  )}</ul>`
}
</main>
</body>
</html>`,
    isChoice ? 200 : 404,
  )
}

function explain({ download }: Texts, reason: Reason, hasChoices: boolean): string {
  if (reason.kind === 'no-installer') return download.noInstaller(families[reason.os])
  if (reason.kind === 'file-missing') return download.fileMissing(families[reason.os])
  return hasChoices ? download.choose : download.nothing
}
