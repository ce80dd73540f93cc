/** The texts of the screens of administrators. */

export const administrators = {
  title: 'Administrators',
}
