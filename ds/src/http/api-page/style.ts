/** The style sheet of the page at /docs, for light and dark. */
import { baseStyle } from '../base-style.ts'

export const style = `${baseStyle}
:root {
  --get: light-dark(#0a5a8a, #7cc7f5);
  --put: light-dark(#7a4a00, #f0bf6a);
  --post: light-dark(#0b6a42, #6fdba9);
  --delete: light-dark(#a3162c, #ff9aa8);
}
body {
  margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 76rem;
  display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 1rem 2.5rem;
}
header { grid-column: 1 / -1; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2rem 0 .75rem; font-size: 1.3rem; }
#token h2 { margin-top: 0; }
h3 { display: inline; margin: 0; font-size: 1rem; }
h4 { margin: 1.25rem 0 .5rem; font-size: 1rem; }
pre { margin: .5rem 0; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: .25rem; }
nav ul { list-style: none; margin: .75rem 0; padding: 0; }
nav a { display: block; padding: .25rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
label { margin: .6rem 0; }
nav label { margin: 0 0 .25rem; }
#count { color: var(--soft); font-weight: 400; }
input, select, textarea { max-width: 46rem; font-weight: 400; }
textarea { resize: vertical; }
::placeholder { color: var(--soft); opacity: 1; }
button { border: 0; }
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
table { margin: 1.25rem 0; font-size: .93rem; }
caption { padding-bottom: .3rem; }
th, td { padding: .35rem .75rem .35rem 0; overflow-wrap: anywhere; }
tbody th { font-weight: 400; }
th:first-child { width: 14rem; }
@media (max-width: 52rem) {
  body { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; max-height: none; }
  nav ul { columns: 2; }
  th:first-child { width: auto; }
}
`
