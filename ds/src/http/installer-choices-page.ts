/** The download page for people whose system is not detected or runs no connector. */
import { type Platform, problems } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import { html } from 'hono/html'

interface Choice {
  readonly os: Platform
  readonly version: string
  readonly url: string
}

const names: Record<Platform, string> = {
  WIN64: 'Windows, 64-bit',
  WIN32: 'Windows, 32-bit',
  MACOS: 'macOS, Intel',
  MACOSARM: 'macOS, Apple silicon',
  UNIX: 'Linux',
}

export function renderInstallerChoices(
  context: Context,
  choices: readonly Choice[],
): Response | Promise<Response> {
  context.header(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  )
  context.header('cache-control', 'no-store')
  return context.html(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Download the connector</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 1.0625rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 12vh auto 4rem; padding: 0 1.25rem; }
  h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; }
  ul { list-style: none; padding: 0; margin: 1.5rem 0; display: grid; gap: .5rem; }
  a { display: flex; justify-content: space-between; gap: 1rem; padding: .75rem 1rem; border: 1px solid; border-radius: .5rem; color: LinkText; text-decoration: none; }
  a:hover, a:focus-visible { text-decoration: underline; outline: 3px solid; outline-offset: 2px; }
  .version { color: CanvasText; opacity: .75; }
</style>
</head>
<body>
<main>
<h1>Download the connector</h1>
${
  choices.length > 0
    ? html`<p>We could not tell which computer you use, or there is no installer for it. Choose the one that has your card reader:</p>
<ul>${choices.map(
        (choice) =>
          html`<li><a href="${choice.url}"><span>${names[choice.os]}</span> <span class="version">${choice.version}</span></a></li>`,
      )}</ul>`
    : html`<p>There is nothing to download yet: no installer has been registered.</p>`
}
</main>
</body>
</html>`,
    choices.length > 0 ? 200 : problems['installer-unknown'].status,
  )
}
