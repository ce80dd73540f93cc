/** The page at /docs: every operation of the service, made from the OpenAPI document, with forms that send them. */
import type { Operation } from '@cardwire/protocol'
import type { OpenApiDocument } from '@cardwire/protocol/openapi'
import { html } from 'hono/html'
import { renderOperation } from './operation-section.ts'
import { renderRoles } from './roles-section.ts'

interface Page {
  readonly operations: readonly Operation[]
  readonly document: OpenApiDocument
  readonly version: string
  /** The address that commands show where scripts do not run; with them it is that of the page. */
  readonly url: string
  /** The path of the token endpoint, or the issuer of an external identity provider. */
  readonly login: { readonly tokenPath: string } | { readonly issuer: string | undefined }
}

/** Addresses are relative, so that a proxy may put the service below a path. */
export async function renderApiPage(page: Page): Promise<string> {
  const groups = page.document.tags.map(({ name }) => name)
  return String(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cardwire distribution service: API</title>
<link rel="stylesheet" href="docs/page.css">
<link rel="icon" type="image/svg+xml" href="docs/icon.svg">
<script src="docs/page.js" defer></script>
</head>
<body>
<header>
<h1>Cardwire distribution service</h1>
<p>Version ${page.version}, at <span class="address">${page.url}</span>. The same as an <a href="openapi.json">OpenAPI document</a>.</p>
<noscript><p class="note">Without JavaScript this page shows the operations, but cannot send them.</p></noscript>
</header>
<nav aria-label="Groups of operations">
<label for="filter">Filter operations</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false" placeholder="For example: label key">
<p id="count" role="status">${page.operations.length} operations</p>
<ul><li><a href="#token">Access token</a></li><li><a href="#roles">Roles</a></li>${groups.map(
      (name) => html`<li data-group="${name}"><a href="#${toId(name)}">${name}</a></li>`,
    )}</ul>
</nav>
<main>
${renderToken(page)}
${renderRoles(page.operations)}
${groups.map((name) => renderGroup(name, page))}
</main>
</body>
</html>
`,
  )
}

const toId = (name: string): string => `group-${name.toLowerCase().replaceAll(' ', '-')}`

function renderGroup(name: string, { operations, document }: Page) {
  const members = operations.filter(({ tag }) => tag === name)
  return html`<section class="group" id="${toId(name)}" data-group="${name}" aria-labelledby="${toId(name)}-title">
<h2 id="${toId(name)}-title">${name}</h2>
${members.map((operation) => {
  const described = document.paths[operation.path]?.[operation.method.toLowerCase()]
  return described ? renderOperation(operation, described) : ''
})}
</section>
`
}

function renderToken({ login, url }: Page) {
  return html`<section id="token" aria-labelledby="token-title">
<h2 id="token-title">Access token</h2>
<p>Most operations need the access token of an account with a <a href="#roles">role</a>.</p>
<p class="note" id="session" hidden>You are signed in as <strong id="session-name"></strong>. Requests from this page use your session and make real changes. You don’t need a token.</p>
<div id="no-session">
<p><a href="admin/login?to=docs">Sign in</a> to send requests with your session.</p>
</div>
${'tokenPath' in login ? renderLogin(login.tokenPath, url) : renderExternal(login.issuer)}
<label>Access token <input id="access-token" type="password" autocomplete="off" spellcheck="false"></label>
<p class="hint">The page sends it only to this service, and forgets it when you close or reload the page.</p>
</section>
`
}

const renderLogin = (tokenPath: string, url: string) =>
  html`<p>Get one in a terminal. This page can’t get it for you, because the service doesn’t let web pages sign in with a password. The token is valid for five minutes.</p>
<pre><code id="login">ds=<span class="address">${url}</span>
read -rsp 'Password: ' password
token=$(printf %s "$password" | curl -s "$ds${tokenPath}" \\
  -d client_id=cardwire -d grant_type=password -d username=admin --data-urlencode password@- |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
echo "$token"</code></pre>
<p>The commands below use the variables <code>$ds</code> and <code>$token</code> that this command sets.</p>
`

const renderExternal = (issuer: string | undefined) =>
  html`<p>Get one from your identity provider${issuer === undefined ? '' : html`, <code>${issuer}</code>`}. The commands below use it as <code>$token</code>, and <code>$ds</code> as the address of this service.</p>
`
