/** The texts of the screen of the audit log. */

export const audit = {
  title: 'Audit log',
}
