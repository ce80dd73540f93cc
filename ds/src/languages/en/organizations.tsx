/** The texts of the screens of organizations. */

export const organizations = {
  title: 'Organizations',
}
