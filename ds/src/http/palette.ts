/** The colours and the type of all pages of the service, for light and dark, as the start of a style sheet. */

export const palette = `:root {
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
`
