/** What an account of the embedded identity provider may look like. */

/** NIST SP 800-63B-4 §3.1.1.2 asks for 15 characters where a password stands alone, and 8 at least; and for 64 to fit. */
export const passwordLength = { least: 12, most: 1024 }

export const nameLength = { most: 200 }
