/** The start of the style sheet of every page of the service: colors, type, and elements that look the same everywhere. */

export const baseStyle = `:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #14161f);
  --sheet: light-dark(#f4f5fa, #1d2030);
  --ink: light-dark(#1b1f33, #eceefa);
  --soft: light-dark(#4f5570, #b3b9d2);
  --line: light-dark(#c9cde0, #3b4160);
  --accent: light-dark(#3445c4, #a3aeff);
  --on-accent: light-dark(#ffffff, #14161f);
  --danger: light-dark(#a3162c, #ff9aa8);
  --good: light-dark(#0b6a42, #6fdba9);
  font: 1rem/1.55 system-ui, sans-serif;
  scroll-padding-top: 1rem;
}
* { box-sizing: border-box; }
body { color: var(--ink); background: var(--paper); }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.unseen:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
p { margin: .5rem 0; max-width: 46rem; }
.hint { color: var(--soft); font-weight: 400; }
code, pre, textarea { font: .9rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { padding: .75rem 1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 700; }
th, td { text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { white-space: nowrap; }
label { display: block; font-weight: 600; }
input:not([type='checkbox']):not([type='radio']), select, textarea {
  display: block; width: 100%; margin-top: .2rem; padding: .45rem .6rem;
  color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: .4rem;
}
input, select { font-family: inherit; font-size: 1rem; }
button, .button { padding: .5rem 1.25rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border-radius: .4rem; cursor: pointer; }
`
