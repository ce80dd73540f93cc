/** The style sheet of the page at /docs, for light and dark. */
import { palette } from '../palette.ts'

export const style = `${palette}
:root {
  --get: light-dark(#0a5a8a, #7cc7f5);
  --put: light-dark(#7a4a00, #f0bf6a);
  --post: light-dark(#0b6a42, #6fdba9);
  --delete: light-dark(#a3162c, #ff9aa8);
}
body {
  margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 76rem;
  color: var(--ink); background: var(--paper);
  display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 1rem 2.5rem;
}
header { grid-column: 1 / -1; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2rem 0 .75rem; font-size: 1.3rem; }
#token h2 { margin-top: 0; }
h3 { display: inline; margin: 0; font-size: 1rem; }
h4 { margin: 1.25rem 0 .5rem; font-size: 1rem; }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--accent); }
code, pre, textarea { font: .9rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .75rem 1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: .25rem; }
nav ul { list-style: none; margin: .75rem 0; padding: 0; }
nav a { display: block; padding: .25rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
label { display: block; margin: .6rem 0; font-weight: 600; }
nav label { margin: 0 0 .25rem; }
.hint, #count { color: var(--soft); font-weight: 400; }
input, select, textarea {
  display: block; width: 100%; max-width: 46rem; margin-top: .2rem; padding: .45rem .6rem;
  color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: .4rem; font-weight: 400;
}
input, select { font-family: inherit; font-size: 1rem; }
textarea { resize: vertical; }
::placeholder { color: var(--soft); opacity: 1; }
button { padding: .5rem 1.25rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 0; border-radius: .4rem; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.operation { margin: .5rem 0; border: 1px solid var(--line); border-radius: .5rem; }
summary { padding: .6rem .9rem; cursor: pointer; }
summary .about { color: var(--soft); }
.method { display: inline-block; min-width: 4.2rem; font-size: .85rem; }
.get { color: var(--get); } .put { color: var(--put); } .post { color: var(--post); } .delete { color: var(--delete); }
.content { padding: .25rem 1rem 1rem; border-top: 1px solid var(--line); }
.note { padding: .6rem .9rem; background: var(--sheet); border-left: 4px solid var(--accent); }
form { margin: 1.25rem 0; padding: .25rem 1rem 1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; }
form pre { background: var(--paper); max-height: none; }
[role='status']:empty { display: none; }
table { width: 100%; margin: 1.25rem 0; border-collapse: collapse; font-size: .93rem; }
caption { text-align: left; font-weight: 700; padding-bottom: .3rem; }
th, td { padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { white-space: nowrap; }
tbody th { font-weight: 400; }
th:first-child { width: 14rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
@media (max-width: 52rem) {
  body { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; max-height: none; }
  nav ul { columns: 2; }
  th:first-child { width: auto; }
}
`
