/** The icon of all pages of the service. */

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="7" width="28" height="19" rx="3" fill="#3b4ed8"/><rect x="6" y="13" width="7" height="6" rx="1.2" fill="#f2c14e"/><path d="M18 21h8" stroke="#fff" stroke-width="2"/></svg>
`
