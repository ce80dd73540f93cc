/** The lengths of names and passwords of the embedded identity provider. */

/** NIST SP 800-63B-4 §3.1.1.2 asks for 15 characters where a password stands alone, and 8 at least; and for 64 to fit. */
export const passwordLength = { min: 12, max: 1024 }

export const nameLength = { max: 200 }
